/// A DRAM scheduler whose decisions a hardware arbiter takes: one of rtl/, or a user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/dram/scheduler.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/arbiter/ports.h"

namespace gputlm {

/// See hardware_policy.h.
struct ArbiterHardware {
  using Ports = ArbiterPorts;
  using Setup = SchedulerSetup;
  static auto& decision() { return request_schedulers(); }
  static RequestSchedulers make(const HardwareModel<Ports>& model, const Setup& setup, const PolicyInfo& info);
  static RtlParameters wanted(const Setup& setup);
  static std::vector<PolicyInfo> of_rtl();
  static PolicyInfo own();
};

}  // namespace gputlm
