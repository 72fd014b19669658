/// Constrained-random traffic for a sorter: what a sub-core could do, and what none would do but the ports allow.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

/// Per cent, unless it says otherwise.
struct SorterKnobs {
  unsigned warps = 8;            ///< that are there at most, a number
  unsigned groups = 2;           ///< that warps come from, a number
  unsigned highest_budget = 16;  ///< a number
  unsigned arrivals = 50;        ///< of the cycles with a warp that moves in, if there is room
  unsigned leaves = 5;           ///< of the cycles with a warp that leaves, if there is one
  unsigned issuer_leaves = 20;   ///< of the leaves that are of the warp that is granted or issued last
  unsigned turnover = 20;        ///< of the arrivals and leaves that bring or end a group, if they can
  unsigned ready = 50;           ///< of the warps that can issue
  unsigned changes = 50;         ///< chance that a warp's being ready is drawn anew: the lower, the longer a stall
  unsigned group_stalls = 0;     ///< of the groups whose warps are all stalled
  unsigned back_pressure = 10;   ///< of the grants that are not taken
  unsigned resets = 5;           ///< in 10,000 cycles, a number
};

std::vector<KnobOf<SorterKnobs>> sorter_knobs(const SorterSize& size);

class SorterTraffic : public EndlessTraffic {
 public:
  SorterTraffic(const SorterSize& size, std::uint64_t seed, const FixedKnobs& fixed);

  /// The inputs of the next cycle, given what the sorter holds; all but issue.
  SorterInputs next(const SorterReference& state);
  /// Whether the warp that is granted issues.
  bool issues(const SorterExpected& expected);

 private:
  void new_episode();
  void long_turns();
  void short_turns();
  void draw_ready(const SorterReference& state);
  void draw_event(const SorterReference& state, SorterInputs& inputs);
  unsigned draw_budget(const SorterReference& state);
  unsigned draw_group(const SorterReference& state);
  unsigned draw_leaving(const SorterReference& state, const SorterInputs& inputs);
  unsigned slot_of(std::uint64_t warps);

  SorterSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  SorterKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  bool reset_due_ = false;  ///< at the start of the episode
  unsigned first_group_ = 0;
  std::uint64_t can_issue_ = 0;  ///< by slot, whether or not a warp is there
  std::uint64_t stalled_groups_ = 0;
};

}  // namespace gputlm
