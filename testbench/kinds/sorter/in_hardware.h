/// A warp scheduler whose decisions a sorter in hardware takes: one of rtl/, or the user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/sm/warp_scheduler.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/sorter/ports.h"

namespace gputlm {

/// As hardware_policy.h says. The sorter is told of budgets if the policy heeds them.
struct SorterHardware {
  using Ports = SorterPorts;
  using Setup = WarpSchedulerSetup;
  static auto& decision() { return warp_schedulers(); }
  static std::unique_ptr<WarpScheduler> make(const HardwareModel<Ports>& model, const Setup& setup,
                                             const PolicyInfo& info);
  static RtlParameters wanted(const Setup& setup);
  static std::vector<PolicyInfo> of_rtl();
  static PolicyInfo own();
};

}  // namespace gputlm
