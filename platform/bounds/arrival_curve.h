/// An arrival curve: the maximum number of jobs that a task releases in a time of given length, wherever it begins (Le Boudec
/// and Thiran, "Network Calculus", 2001). It is stored as the minimum distance between n releases (Richter, "Compositional
/// Scheduling Analysis Using Standard Event Models", 2005). It is invariant to a shift of all releases.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

class ArrivalCurve {
 public:
  /// A release every `period` cycles, at least 1, without end.
  static ArrivalCurve periodic(Cycle period);
  /// The curve of these releases, in ascending order, at least one. `goes_on`: the list repeats without end; the first
  /// release of a repetition coincides with the last of the previous one. A single release, or simultaneous releases, do not
  /// repeat.
  static ArrivalCurve of(const std::vector<Cycle>& releases, bool goes_on);

  /// Converts a curve in femtoseconds to cycles of a clock, wherever releases fall between its edges.
  ArrivalCurve in_cycles(const Clock& clock) const;
  /// The maximum of both curves: the smaller distances, and the larger number of releases.
  void add(const ArrivalCurve& other);

  /// Minimum distance from a release to the `n`-1-th after it; kNever if there are never `n` releases. `n` is at least 1.
  Cycle distance(std::uint64_t n) const;
  /// Maximum number of releases in any half-open window of this length.
  std::uint64_t most(Cycle window) const;
  /// Maximum long-term number of releases per cycle; 0 if they end.
  double rate() const;
  /// Whether jobs of `each` cycles, executed one after the other, keep up.
  bool sustained(Cycle each) const { return ends() || each * (least_.size() - 1) <= least_.back(); }
  bool ends() const { return all_ != kNever; }  ///< there is a last release

 private:
  /// Distances of more releases are derived from these, since distance(a + b - 1) is at least distance(a) + distance(b).
  static constexpr std::size_t kMostKept = 256;

  std::vector<Cycle> least_;    ///< minimum distance from first to last of 1, 2, 3 ... releases; the first entry is 0
  std::uint64_t all_ = kNever;  ///< total number of releases; kNever: without end
};

// The worst-case supply of the execution engine to a context: it waits, has the engine for a slice, waits again, and so on.

/// The slots of a context in a round of a runlist. Slots of contexts without work are skipped, so this is the minimum that a
/// context gets (Andersson, Tovar and Pereira, "Analysing TDMA with Slot Skipping", RTSS 2005). As a supply bound function,
/// see Shin and Lee, "Periodic Resource Model for Compositional Real-Time Guarantees", RTSS 2003, and Lipari and Bini,
/// "Resource Partitioning among Real-Time Applications", ECRTS 2003.
struct Supply {
  Cycle slice = kNever;          ///< length of each slot; kNever: as long as the context has work
  std::vector<Cycle> gaps = {};  ///< gaps before each of its slots in a round; empty: there are no other contexts
  Cycle late = 0;                ///< time by which the first gap may be longer

  /// The latest end of `demand` cycles of work after its arrival, at any point of the round.
  Cycle end_of(Cycle demand) const;
  /// Long-term share of the time.
  double share() const;
};

/// An application's entry in a runlist.
struct RunlistEntry {
  Cycle slice = 1;
  unsigned slots = 1;  ///< number of slots per round
  Cycle leaves = 0;    ///< maximum time from the end of its slot until the next can begin, for its blocks to leave
  Cycle comes = 0;     ///< maximum time from then to the start of its own slot, for its blocks to come back
};

/// The supply of each application, in order (models/work_distributor/time_sliced.cpp: the first pass of a round serves all,
/// the second those with a second slot, and so on).
std::vector<Supply> runlist_supplies(const std::vector<RunlistEntry>& entries);

}  // namespace gputlm
