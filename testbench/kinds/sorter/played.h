/// What the sorter of a sub-core saw in a run, as traffic: one issue and one warp that moves in or out a cycle.
/// The warps of a block move in one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sm/decisions.h"
#include "models/sm/rtl_sorter.h"
#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/played.h"

namespace gputlm {

struct SorterRecording {
  std::vector<SorterEvent> events;  ///< of one sub-core
  bool with_budgets = true;         ///< false: the sorter does not heed them
};

class PlayedSorter {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size cannot hold what was recorded.
  PlayedSorter(const SorterSize& size, const SorterRecording& recording);

  /// Throws InputError when warps have more different budgets than the design has groups.
  SorterInputs next(const SorterReference& state);
  bool issues(const SorterExpected& expected);

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  bool add(const SorterEvent& event, const SorterReference& state);
  unsigned group_for(unsigned budget, const SorterReference& state) const;

  SorterSize size_;
  const SorterRecording* recording_;
  Playback<SorterEvent> playback_;
  SorterInputs inputs_;
  const SorterEvent* issued_ = nullptr;  ///< in this cycle
};

}  // namespace gputlm
