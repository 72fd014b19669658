/// The SystemC module that computes how blocks share the GPU.
#pragma once

#include <deque>

#include "models/contention/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

/// The link between an SM and the unit. `blocks`: maximum number of blocks on an SM.
inline Link contention_link(const Clock& clock, Cycle hop, unsigned blocks) {
  const Link::Direction direction{clock.period(), blocks, 4 * blocks};
  return {hop * clock.period(), direction, direction};
}

class Contention final : public Unit {
 public:
  Contention(const sc_core::sc_module_name& name, const Clock& clock, const Link& link, const ContentionSetup& setup,
             unsigned sms)
      : Unit(name, clock), core_(setup, sms, pool_, link) {
    for (unsigned i = 0; i < sms; ++i) {
      const std::string number = std::to_string(i);
      counts.emplace_back("counts_" + number, *this, link, core_.counts(i), core_.counts_heard(i));
      rates.emplace_back("rates_" + number, *this, link, core_.rates(i), core_.rates_heard(i));
    }
  }
  void report(Report& report, Cycle /*end*/) override { report.add(core_.statistics()); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  PayloadPool<BlockRate> pool_;
  ContentionCore core_;

 public:
  std::deque<TargetPort<BlockCount>> counts;   ///< numbers of blocks from each SM
  std::deque<InitiatorPort<BlockRate>> rates;  ///< paces to each SM
};

}  // namespace gputlm
