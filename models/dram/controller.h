/// DRAM controller of one channel as a SystemC module: a port for each L2 slice of the channel, or for any other
/// initiator of the base protocol. Addresses are channel-local.
#pragma once

#include <deque>

#include "models/dram/controller_core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class DramController final : public Unit {
 public:
  /// `link`: to each of `initiators` (models/dram/links.h), which has one port per virtual channel, consecutively.
  /// `memory`: what initiators outside the model may access. Throws InputError for an invalid configuration
  /// (DramControllerCore).
  DramController(const sc_core::sc_module_name& name, const Link& link, const DramConfig& config,
                 unsigned initiators = 1, const ServedMemory& memory = {});
  ~DramController() override;

  DramControllerCore& core() { return core_; }
  const DramControllerCore& core() const { return core_; }
  std::vector<std::string> waiting() const override;
  void report(Report& report, Cycle end) override {
    report.add(core_.statistics(end));
    report.add(core_.policies());
  }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  DramControllerCore core_;

 public:
  std::deque<TargetPort<Access>> ports;
};

}  // namespace gputlm
