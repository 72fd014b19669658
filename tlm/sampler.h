/// Samples: what the units of an assembly have counted before each of a row of times, exactly, whatever the look-ahead
/// window. A unit that computes past such a time pauses there and reports; one that sleeps has counted nothing since, and
/// is asked when others have come further. So no unit wakes for a sample, and where no Sampler is, units pay one test a
/// window.
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
  /// `at`: everything before it has been counted, and nothing of it. `reports`: by unit.
  using Take = std::function<void(Femtoseconds at, const std::vector<Report>& reports)>;

  /// Before the simulation. Samples `units` at every multiple of `period`, which is not 0, from the first one on; `take`
  /// gets the samples in the order of their times. Few wait to be taken: no more than there are periods in a window.
  /// Both must outlive the simulation, and so must the sampler.
  Sampler(const Units& units, Femtoseconds period, Take take);
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// The simulation is over, and what counts is what was before `end`: the last sample, unless there was one then.
  void finish(Femtoseconds end);

 private:
  friend class Unit;
  using Reports = std::vector<std::optional<Report>>;  ///< by unit; none: not heard of yet

  /// The unit has computed everything before `at`. Returns when it is to be sampled next.
  Femtoseconds reached(std::size_t unit, Femtoseconds at);
  /// All units have computed what they have to before `time`, or sleep.
  void take_before(Femtoseconds time);
  void take(Femtoseconds at, Reports reports);
  Femtoseconds after(Femtoseconds at) const { return at < kEndOfTime - period_ ? at + period_ : kNever; }

  const Units& units_;
  Femtoseconds period_;
  Take take_;
  Femtoseconds next_;            ///< the first time that has not been taken
  std::deque<Reports> pending_;  ///< from then on
};

}  // namespace gputlm
