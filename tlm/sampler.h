/// Samples the counters of an assembly's units at regular times, exactly for every look-ahead window. A unit that
/// computes past such a time pauses there and reports. One that sleeps has counted nothing since, and reports once the
/// others have passed that time. So no unit wakes for a sample, and without a Sampler a unit pays one test per window.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tlm/report.h"
#include "tlm/unit.h"

namespace gputlm {

class Sampler {
 public:
  using Units = std::vector<std::unique_ptr<Unit>>;
  /// `at`: the counters cover everything before it, and nothing from it on. `reports`: indexed by unit.
  using Take = std::function<void(Femtoseconds at, const std::vector<Report>& reports)>;

  /// To be constructed before the simulation. Samples `units` at every multiple of `period`, which is not 0, from the first
  /// one on; `take` gets the samples in the order of their times. At most as many samples are pending as there are periods
  /// in a window. `units`, `take` and the sampler must outlive the simulation.
  Sampler(const Units& units, Femtoseconds period, Take take);
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Ends sampling: the simulation is over and counts up to `end`. Takes the last sample, unless one was taken at `end`.
  void finish(Femtoseconds end);

 private:
  friend class Unit;
  using Reports = std::vector<std::optional<Report>>;  ///< indexed by unit; none: not reported yet

  /// Called when the unit has computed everything before `at`. Returns the time at which it is to be sampled next.
  Femtoseconds reached(std::size_t unit, Femtoseconds at);
  /// Takes all samples before `time`, when all units have computed up to it or sleep.
  void take_before(Femtoseconds time);
  void take(Femtoseconds at, Reports reports);
  Femtoseconds after(Femtoseconds at) const { return at < kEndOfTime - period_ ? at + period_ : kNever; }

  const Units& units_;
  Femtoseconds period_;
  Take take_;
  Femtoseconds next_;            ///< the first time that has not been sampled
  std::deque<Reports> pending_;  ///< reports for the times from next_ on
};

}  // namespace gputlm
