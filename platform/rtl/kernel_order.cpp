/// Kernel orders of the work distributor.
#include "models/work_distributor/kernel_order_in_hardware.h"
#include "platform/rtl/kind.h"

namespace gputlm {
namespace {

KernelOrderModel model_of(const RtlDesign& design, const RtlParameters& parameters) {
  const RtlDesign::Interface interface = design.interface(parameters);
  return {{interface.ports.at("grant_o").bits, interface.ports.at("event_level_i").bits},
          built<RtlKernelOrder>("kernel_order", design, interface, parameters)};
}

void add(const RtlDesign& design, const RtlDesign::Interface& interface) {
  const auto models = std::make_shared<RtlModels<KernelOrderModel>>(design, interface, model_of);
  add_kernel_order_in_hardware(
      {{design.top() + "@rtl"}, "Decided by " + design.path(), design.path(), {Property::kHeedsPriorities}},
      [models](const KernelOrderSetup&) {
        return models->with({{"Kernels", KernelOrderSize::kMaxKernels}, {"LevelW", KernelOrderSize::kMaxLevelBits}});
      });
}

GPUTLM_REGISTER {
  rtl_kinds().add({{"kernel_order", 5},
                   "rtl/leftover_kernel_order.sv",
                   "KernelOrder",
                   "models/work_distributor/rtl_kernel_order_verilated.h",
                   {"event_valid_i", "event_enter_i", "event_kernel_i", "event_level_i", "pending_i"},
                   {"grant_valid_o", "grant_o", "grant_kernel_o"},
                   add});
}

}  // namespace
}  // namespace gputlm
