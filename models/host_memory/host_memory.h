/// The SystemC module of the host's memory: a target of the base protocol.
#pragma once

#include "models/host_memory/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class HostMemory final : public Unit {
 public:
  HostMemory(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Link& link,
             const HostMemoryConfig& config);
  ~HostMemory() override;

  void report(Report& all, Cycle) override { all.add(core_.statistics()); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  HostMemoryCore core_;

 public:
  TargetPort<Access> port;
};

}  // namespace gputlm
