/// A kernel order that hardware decides: that of rtl/, or the user's own with the same ports.
#pragma once

#include <functional>

#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/rtl_kernel_order.h"

namespace gputlm {

/// Adds the policy to kernel_orders(). `model_for` gives the order of a context; it is asked when one is made. More kernels in
/// flight, or other priorities, than it holds are an InputError when they come.
void add_kernel_order_in_hardware(const PolicyInfo& info,
                                  std::function<KernelOrderModel(const KernelOrderSetup&)> model_for);

}  // namespace gputlm
