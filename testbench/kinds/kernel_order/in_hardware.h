/// A kernel order in hardware: that of rtl/, or a user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/work_distributor/kernel_order.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/kernel_order/ports.h"

namespace gputlm {

/// See hardware_policy.h. Throws InputError when there are more kernels in flight, or other priorities, than the design
/// supports.
struct KernelOrderHardware {
  using Ports = KernelOrderPorts;
  using Setup = KernelOrderSetup;
  static auto& decision() { return kernel_orders(); }
  static std::unique_ptr<KernelOrder> make(const HardwareModel<Ports>& model, const Setup& setup,
                                           const PolicyInfo& info);
  static RtlParameters wanted(const Setup& setup);
  static std::vector<PolicyInfo> of_rtl();
  static PolicyInfo own();
};

}  // namespace gputlm
