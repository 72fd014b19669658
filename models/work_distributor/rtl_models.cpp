#include "models/work_distributor/rtl_models.h"

#include "Vleftover_kernel_order.h"
#include "models/work_distributor/rtl_kernel_order_verilated.h"

namespace gputlm {

// As rtl_models.cmake has it built.
KernelOrderModel leftover_rtl_model() {
  return {{KernelOrderSize::kMaxKernels, KernelOrderSize::kMaxLevelBits},
          [] { return std::make_unique<VerilatedKernelOrder<Vleftover_kernel_order>>(); }};
}

}  // namespace gputlm
