/// The time that a context has the execution engine, at worst: it waits, has it for a slice, waits again, and so on.
#pragma once

#include <vector>

#include "tlm/time.h"

namespace gputlm {

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
