/// The traffic that the sorter of a sub-core had in a run: per cycle at most one issue, and one warp that arrives or leaves.
/// The warps of a block arrive one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/sm/decisions.h"
#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/played_limit.h"

namespace gputlm {

class PlayedSorter {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedSorter(const SorterSize& size, const std::vector<SorterEvent>& recording, bool with_budgets)
      : size_(size), with_budgets_(with_budgets), playback_(recording) {
    for (const SorterEvent& event : recording) {
      played_at_most("slot", event.slot, size.warps - 1);
      if (with_budgets) played_at_most("budget", event.budget, largest_of(size.budget_bits));
    }
  }
  /// With budgets only if the policy uses them.
  PlayedSorter(const SorterSize& size, const std::vector<SorterEvent>& recording, const std::string& policy)
      : PlayedSorter(size, recording, warp_schedulers().policy(policy).has(Property::kHeedsBudgets)) {}

  SorterInputs reset() const { return {}; }
  /// Throws InputError if warps have more distinct budgets than the design has groups.
  SorterInputs next(const SorterReference& state, const SorterExpected&) {
    issued_ = nullptr;
    inputs_.event_valid = inputs_.issue = false;
    inputs_.ready = 0;
    inputs_.rst_n = playback_.step([&](const SorterEvent& event) { return add(event, state); });
    return inputs_;
  }
  bool answer(SorterInputs& inputs, const SorterExpected& expected) {
    if (!issued_) return false;
    if (expected.slot) ++playback_.counts.answers;
    if (expected.slot != issued_->slot) ++playback_.counts.others;
    return inputs.issue = expected.slot.has_value();
  }
  void done(const SorterInputs&, const SorterExpected&) {}

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  /// False if it must wait for the next cycle.
  bool add(const SorterEvent& event, const SorterReference& state) {
    if (event.kind == SorterEvent::Kind::kIssues) {
      if (issued_ || inputs_.event_valid) return false;
      issued_ = &event;
      inputs_.ready = event.candidates;
      return true;
    }
    if (inputs_.event_valid) return false;
    inputs_.event_valid = true;
    inputs_.event_assign = event.kind == SorterEvent::Kind::kAssigned;
    inputs_.event_slot = event.slot;
    if (!inputs_.event_assign) return true;
    const unsigned budget = with_budgets_ ? event.budget : 1;
    inputs_.event_group = group_for(budget, state);
    inputs_.budget.put(inputs_.event_group, size_.budget_bits, budget);
    return true;
  }
  /// Warps with the same budget form a group; a group without warps is free.
  unsigned group_for(unsigned budget, const SorterReference& state) const {
    const auto& groups = state.groups();
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const SorterReference::Group& g) { return g.warps != 0 && g.budget == budget; });
    if (group == groups.end()) {
      group = std::find_if(groups.begin(), groups.end(), [](const SorterReference::Group& g) { return g.warps == 0; });
    }
    if (group == groups.end()) played_at_most("number of different budgets", groups.size() + 1, groups.size());
    return static_cast<unsigned>(group - groups.begin());
  }

  SorterSize size_;
  bool with_budgets_;
  Playback<SorterEvent> playback_;
  SorterInputs inputs_;
  const SorterEvent* issued_ = nullptr;  ///< in this cycle
};

}  // namespace gputlm
