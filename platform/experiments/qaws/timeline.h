/// The setting of figure 3 of qaws: one sub-core with two warps of each of two kernels, all with the same nine instructions
/// of fixed latency; records which warp issues in each cycle under a warp scheduler.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/sm/warp_scheduler.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr unsigned kTimelineInstructions = 9;
/// Minimum cycles from the issue of an instruction to that of the warp's next one.
using Latencies = std::array<Cycle, kTimelineInstructions - 1>;

/// Warps 0 and 1 belong to K1 with budget 1, present from cycle 0 on; 2 and 3 belong to K2 and can issue from cycle 1 on.
struct Timeline {
  std::string name;
  std::vector<int> warps;           ///< the warp that issued, by cycle; -1: none
  std::array<Cycle, 4> last_issue;  ///< cycle of each warp's last issue

  bool of_k2(Cycle cycle) const { return cycle < warps.size() && warps[cycle] >= 2; }
  /// Cycles from 0 to the end of kernel 1 or 2.
  Cycle end(unsigned kernel) const;
  /// Cycles between the ends of the kernels.
  Cycle apart() const { return end(1) < end(2) ? end(2) - end(1) : end(1) - end(2); }
  double mean_end() const { return static_cast<double>(end(1) + end(2)) / 2; }
};

/// The scheduler learns of K2 at the start of cycle `k2_arrives`, 0 or 1.
Timeline issue_timeline(WarpScheduler& scheduler, const Latencies& latencies, unsigned k2_budget, Cycle k2_arrives = 1);

/// The events that the paper describes for QAWS, in cycles; kNever if they do not happen.
struct TimelineEvents {
  Cycle takeover = kNever;       ///< w1 issues instead of w0
  Cycle next_stall = kNever;     ///< w1 stops issuing
  Cycle back_at_4 = kNever;      ///< budget 4: K1 issues again, after only K2 issued since K1's next stall
  Cycle alone_at_4 = kNever;     ///< budget 4: w3 stalls, and w2 has ended
  Cycle reissued_at_4 = kNever;  ///< budget 4: w3 issues again, before any warp of K2
  Cycle back_at_6 = kNever;      ///< budget 6: as back_at_4
};
/// `alone_from`: the stall of w3 is the first in this cycle or later.
TimelineEvents events_of(const Timeline& budget_4, const Timeline& budget_6, Cycle alone_from);

}  // namespace gputlm
