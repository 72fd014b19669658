/// Memory budgets that hardware keeps: a regulator of rtl/, or the user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/regulator/regulator.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/regulator/ports.h"

namespace gputlm {

/// As hardware_policy.h says.
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
