/// GPC port: the SMs of a Graphics Processing Cluster share one link to the crossbar and one back
/// (cuda-hierarchy, section V-B: contention inside a GPC).
#pragma once

#include <deque>

#include "models/noc/switch_core.h"
#include "models/regulator/regulation.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class GpcPort final : public Unit {
 public:
  struct Links {
    Link sm;  ///< link to each SM
    Link crossbar;
  };
  /// `first_port` (network_interface.h) and `first_sm`: those of the first of `sms` SMs. `regulation`: budgets enforced at SMs,
  /// if any.
  GpcPort(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, unsigned first_port,
          unsigned first_sm, unsigned sms, const Regulation& regulation = {});
  ~GpcPort() override;

  /// The places of enforcement, if this port enforces budgets.
  const RegulatedPlaces& regulated() const { return regulated_; }
  std::vector<std::string> waiting() const override;
  void report(Report& report, Cycle now) override {
    report.add(requests_.statistics(), "gpc_requests");
    report.add(replies_.statistics(), "gpc_replies");
    regulated_.report(report, now);
  }

 private:
  Cycle compute(Cycle until) override {
    return regulated_.compute(until, [&] { return std::min(requests_.advance(until), replies_.advance(until)); });
  }

  SwitchCore requests_;        ///< SMs -> crossbar
  SwitchCore replies_;         ///< crossbar -> SMs
  RegulatedPlaces regulated_;  ///< one place per SM, or none

 public:
  std::deque<TargetPort<Access>> sms;
  InitiatorPort<Access> crossbar;
};

}  // namespace gputlm
