/// Arbitration at an output of the crossbar in hardware: an arbiter of rtl/, or a user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/noc/flit_arbiter.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/flit_arbiter/ports.h"

namespace gputlm {

/// See hardware_policy.h. It uses the weights and ages of the policy with its options: NAME of NAME@rtl.
struct FlitArbiterHardware {
  using Ports = FlitArbiterPorts;
  using Setup = FlitArbiterSetup;
  static auto& decision() { return flit_arbiters(); }
  static std::unique_ptr<FlitArbiter> make(const HardwareModel<Ports>& model, const Setup& setup,
                                           const PolicyInfo& info);
  static RtlParameters wanted(const Setup& setup);
  static std::vector<PolicyInfo> of_rtl();
  static PolicyInfo own();
};

}  // namespace gputlm
