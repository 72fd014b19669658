/// How many jobs of a task can be released in a time, wherever the time begins: an arrival curve (Le Boudec and Thiran,
/// "Network Calculus", 2001), kept as the least distance between so many releases (Richter, "Compositional Scheduling
/// Analysis Using Standard Event Models", 2005). It does not change when all releases are shifted.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

class ArrivalCurve {
 public:
  /// A release every `period` cycles, at least 1, for ever.
  static ArrivalCurve periodic(Cycle period);
  /// Of these releases, in ascending order, at least one. `goes_on`: what the list has happens again and again behind it,
  /// the first release of the repetition in the place of the last; a single release, or releases all at once, do not.
  static ArrivalCurve of(const std::vector<Cycle>& releases, bool goes_on);

  /// In cycles of a clock, of one in femtoseconds, wherever the releases are between the clock's edges.
  ArrivalCurve in_cycles(const Clock& clock) const;
  /// What both allow: the nearer releases of the two, and the more of them.
  void add(const ArrivalCurve& other);

  /// From a release to the `n`-1-th after it, at least; kNever if there are never so many. `n` is at least 1.
  Cycle distance(std::uint64_t n) const;
  /// Releases in any half-open window of this length, at most.
  std::uint64_t most(Cycle window) const;
  /// Least time from a release to the next; kNever if there is none.
  Cycle separation() const { return distance(2); }
  /// Releases a cycle in the long run, at most; 0 if there is an end of them.
  double rate() const;
  /// Jobs that take `each` cycles, one after the other, get no further and further behind.
  bool sustained(Cycle each) const { return ends() || each * (least_.size() - 1) <= least_.back(); }
  bool ends() const { return all_ != kNever; }  ///< there is a last release

 private:
  /// Distances of more releases follow from these, as distance(a + b - 1) is no less than distance(a) + distance(b).
  static constexpr std::size_t kMostKept = 256;

  std::vector<Cycle> least_;    ///< of 1, 2, 3 ... releases; the first is 0
  std::uint64_t all_ = kNever;  ///< releases that there are; kNever: without end
};

}  // namespace gputlm
