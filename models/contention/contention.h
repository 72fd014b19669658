/// The SystemC module that knows how blocks share the GPU.
#pragma once

#include <deque>

#include "models/contention/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

/// Of blocks with a demand on an SM: `blocks` that it holds.
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
  std::deque<TargetPort<BlockCount>> counts;   ///< from each SM
  std::deque<InitiatorPort<BlockRate>> rates;  ///< to each
};

}  // namespace gputlm
