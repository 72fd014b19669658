/// The SystemC module of a streaming multiprocessor: blocks come in on one port, memory accesses leave on another.
#pragma once

#include "models/sm/sm_core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class Sm final : public Unit {
 public:
  struct Links {
    Link launches;
    Link memory;
  };
  /// What is given by reference, but for the clock and the links, must outlive the SM.
  Sm(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, const SmConfig& config, SmId id,
     const NetworkInterface& network);

  SmCore& core() { return core_; }
  const SmCore& core() const { return core_; }
  std::vector<std::string> waiting() const override { return core_.waiting(); }
  void report(Report& report, Cycle end) override {
    report.add(core_.statistics(end));
    report.add(core_.policies());
  }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  PayloadPool<Access> pool_;
  SmCore core_;

 public:
  TargetPort<BlockLaunch> launches;  ///< from the work distributor
  InitiatorPort<Access> memory;      ///< to the GPC port
};

}  // namespace gputlm
