/// A warp scheduler whose decisions a hardware sorter takes: one of rtl/, or a user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/sm/warp_scheduler.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/sorter/ports.h"

namespace gputlm {

/// See hardware_policy.h. The sorter gets budgets if the policy uses them.
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
