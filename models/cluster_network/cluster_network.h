/// The SystemC module of the network between the SMs of a GPC.
#pragma once

#include <deque>
#include <string>

#include "models/cluster_network/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class ClusterNetwork final : public Unit {
 public:
  ClusterNetwork(const sc_core::sc_module_name& name, const Clock& clock, const Link& link, SmId first_sm, unsigned sms)
      : Unit(name, clock), core_(link, first_sm, sms) {
    for (unsigned i = 0; i < sms; ++i) {
      // Barriers end here; packets forwarded to another SM come back answered.
      asking.emplace_back("asking_" + std::to_string(i), *this, link, core_.requests(i), core_.answers(i));
      asked.emplace_back("asked_" + std::to_string(i), *this, link, core_.forwarded(i), core_.replies(i),
                         Passage::kThrough);
    }
  }
  std::vector<std::string> waiting() const override {
    std::vector<std::string> lines;
    for (const std::string& line : core_.waiting()) lines.push_back(std::string(name()) + ": " + line);
    return lines;
  }
  void report(Report& report, Cycle) override { report.add(core_.statistics()); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  ClusterNetworkCore core_;

 public:
  std::deque<TargetPort<ClusterPacket>> asking;    ///< requests of each SM to other SMs
  std::deque<InitiatorPort<ClusterPacket>> asked;  ///< requests of other SMs to each SM
};

}  // namespace gputlm
