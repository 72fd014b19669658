/// GPC port: the SMs of a Graphics Processing Cluster share one link to the crossbar and one back
/// (cuda-hierarchy, section V-B: contention inside a GPC).
#pragma once

#include <deque>

#include "models/noc/switch_core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class GpcPort final : public Unit {
 public:
  struct Links {
    Link sm;  ///< to each
    Link crossbar;
  };
  /// `first_port`: of the first of `sms` SMs (network_interface.h).
  GpcPort(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, unsigned first_port,
          unsigned sms);
  ~GpcPort() override;

  std::vector<std::string> waiting() const override;
  void report(Report& report, Cycle) override {
    report.add(requests_.statistics(), "gpc_requests");
    report.add(replies_.statistics(), "gpc_replies");
  }

 private:
  Cycle compute(Cycle until) override { return std::min(requests_.advance(until), replies_.advance(until)); }

  SwitchCore requests_;  ///< SMs -> crossbar
  SwitchCore replies_;   ///< crossbar -> SMs

 public:
  std::deque<TargetPort<Access>> sms;
  InitiatorPort<Access> crossbar;
};

}  // namespace gputlm
