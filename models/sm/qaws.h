/// QoS-aware warp scheduling (qaws, section IV-A, algorithm 1), for any number of groups.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sm/warp_ages.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {

/// Warps whose kernels were launched with the same budget form a group. The group whose turn it is comes first; the others
/// follow in descending, circular order of their budgets. Within a group the warp that issued last comes first, then the
/// oldest (GTO). A context switch is an issue by a warp of the group whose turn it is that is not the first in the order. A
/// group's turn ends with the switch that exceeds its budget, and the next group's begins.
///
/// Line numbers are those of algorithm 1, whose g0 is the group whose turn it is. With two groups this is algorithm 1. Where
/// it is ambiguous:
///   - A cycle in which no warp issues changes nothing: "the budget sets a limit on the number of context switches and not
///     the number of warp stalls" (section IV-A). Read literally, lines 13 to 17 would count every such cycle.
///   - A switch is counted when it happens. The listing counts it when it sorts for the next cycle, which differs if a
///     group comes or ends in between.
///   - A group whose last warp leaves during its turn passes the turn on and loses its count.
///   - "No history" (then the largest budget has the turn): no warp has issued since the sub-core was last empty.
///
/// Bound on waiting, for N groups with budgets b_i that always have warps: between two turns of a group there are at most
/// sum of (b_j + 1) context switches over the other groups j, each by the group that has the turn. A warp that never stalls
/// is never switched from, but it ends eventually.
class Qaws final : public WarpScheduler {
 public:
  struct Counters {
    std::uint64_t context_switches = 0, turns = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::context_switches, "context_switches", "issues",
                "Issues by a warp of the current group that is not the first in the order");
      v.counter(&Counters::turns, "turns", "turns", "Turns that ended because the group's budget was used up");
    }
  };

  Qaws();
  unsigned pick(std::uint64_t candidates) const override;
  void issued(unsigned slot) override;
  void assigned(unsigned slot, unsigned budget) override;
  void released(unsigned slot) override;
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

  struct Group {
    unsigned budget;
    unsigned switches;    ///< switches counted in its turn so far (ncs), at most its budget; 0 unless it has the turn
    std::uint64_t warps;  ///< set of its slots, never empty
  };
  /// The groups, in descending order of their budgets.
  const std::vector<Group>& groups() const { return groups_; }
  /// Index in groups() of the group whose turn it is.
  std::size_t turn() const { return turn_; }

 private:
  unsigned first_of(std::uint64_t warps) const;

  std::vector<Group> groups_;
  std::size_t turn_ = 0;
  WarpAges ages_;
  unsigned greedy_ = kNoWarp;  ///< the warp that issued last, while it is present
  bool history_ = false;
  Counters counters_;
};

}  // namespace gputlm
