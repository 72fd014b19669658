/// Memory budgets enforced in hardware: a regulator of rtl/, or a user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/regulator/regulator.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/regulator/ports.h"

namespace gputlm {

/// See hardware_policy.h.
struct RegulatorHardware {
  using Ports = RegulatorPorts;
  using Setup = RegulatorSetup;
  static auto& decision() { return bandwidth_regulators(); }
  static std::unique_ptr<BandwidthRegulator> make(const HardwareModel<Ports>& model, const Setup& setup,
                                                  const PolicyInfo& info);
  static RtlParameters wanted(const Setup& setup);
  static std::vector<PolicyInfo> of_rtl();
  static PolicyInfo own();
};

}  // namespace gputlm
