#include "models/work_distributor/kernel_order_in_hardware.h"
#include "models/work_distributor/rtl_models.h"

namespace gputlm {

GPUTLM_REGISTER {
  add_kernel_order_in_hardware({{"leftover@rtl", 100},
                                "leftover, decided by rtl/leftover_kernel_order.sv",
                                "most-room, section 6; cuda-hierarchy, section III",
                                {Property::kHeedsPriorities, Property::kRepeats}},
                               [](const KernelOrderSetup&) { return leftover_rtl_model(); });
}

}  // namespace gputlm
