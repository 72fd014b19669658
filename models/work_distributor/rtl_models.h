/// The kernel order of rtl/ that is built in.
#pragma once

#include "models/work_distributor/rtl_kernel_order.h"

namespace gputlm {

KernelOrderModel leftover_rtl_model();

}  // namespace gputlm
