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

// The time that a context has the execution engine, at worst: it waits, has it for a slice, waits again, and so on.

/// The slots of a context in a round of a runlist, from one to the next. Where other contexts have no work their slots are
/// passed over, so this is the least that a context gets (Andersson, Tovar and Pereira, "Analysing TDMA with Slot
/// Skipping", RTSS 2005); as a supply bound function, see Shin and Lee, "Periodic Resource Model for Compositional Real-Time
/// Guarantees", RTSS 2003, and Lipari and Bini, "Resource Partitioning among Real-Time Applications", ECRTS 2003.
struct Supply {
  Cycle slice = kNever;          ///< of each slot; kNever: as long as it has work
  std::vector<Cycle> gaps = {};  ///< before each of its slots in a round; none: no one else is there
  Cycle late = 0;                ///< the first gap may be longer by this

  /// The latest end of `demand` cycles of work, counted from when it came: whatever slot came before.
  Cycle end_of(Cycle demand) const;
  /// Of the time, in the long run.
  double share() const;
};

/// What an application has on a runlist.
struct RunlistEntry {
  Cycle slice = 1;
  unsigned slots = 1;  ///< in a round
  Cycle leaves = 0;    ///< its blocks, from the end of its slot until the next can begin, at most
  Cycle comes = 0;     ///< its blocks, from then until its own slot begins
};

/// The supply of each, in their order (models/work_distributor/time_sliced.cpp: all are in the first pass of a round, those
/// with a second slot in the second, and so on).
std::vector<Supply> runlist_supplies(const std::vector<RunlistEntry>& entries);

}  // namespace gputlm
