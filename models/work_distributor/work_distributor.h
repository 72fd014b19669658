/// The SystemC module of the work distributor: kernels come in from the host, blocks go out to the SMs.
#pragma once

#include <deque>
#include <optional>

#include "models/work_distributor/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class WorkDistributor final : public Unit {
 public:
  struct Links {
    Link host;
    Link sm;                                     ///< link to each SM
    Link switches;                               ///< another one to each SM, if blocks may be taken off
    Link pending;                                ///< link from the host, if contexts take turns
    std::optional<Link> signals = std::nullopt;  ///< links to and from each SM, if kernels may depend on each other
  };
  /// Arguments given by reference, except the clock and the links, must outlive the work distributor. `first_sm` and
  /// `sms_of_gpcs`: see core.h.
  WorkDistributor(const sc_core::sc_module_name& name, const Clock& clock, const Links& links,
                  const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                  const Applications& applications, SmId first_sm = 0, const std::vector<unsigned>& sms_of_gpcs = {});
  ~WorkDistributor() override;

  WorkDistributorCore& core() { return core_; }
  const WorkDistributorCore& core() const { return core_; }
  std::vector<std::string> waiting() const override { return core_.waiting(); }
  void report(Report& report, Cycle end) override {
    core_.advance(end);
    report.add(core_.policies());
    report.add(by_application(core_.engine_statistics()));
  }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  PayloadPool<BlockLaunch> pool_;
  PayloadPool<ContextSwitch> switch_pool_;
  PayloadPool<GridSignal> signal_pool_;
  WorkDistributorCore core_;

 public:
  TargetPort<KernelLaunch> launches;                  ///< launches from the host
  std::optional<TargetPort<PendingWork>> pending;     ///< PendingWork from the host; none if contexts are together
  std::deque<InitiatorPort<BlockLaunch>> sms;         ///< blocks to each SM, indexed by SmId
  std::deque<InitiatorPort<ContextSwitch>> switches;  ///< commands, by SmId; empty if blocks stay until they end
  std::deque<InitiatorPort<GridSignal>> grids_ended;  ///< signals, by SmId; empty if no kernel depends on another
  std::deque<TargetPort<GridSignal>> blocks_let_go;   ///< signals from each SM; empty if no kernel depends on another
};

}  // namespace gputlm
