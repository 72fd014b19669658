#include "testbench/kinds/sorter/played.h"

#include <algorithm>

#include "testbench/lockstep/played_limit.h"

namespace gputlm {

PlayedSorter::PlayedSorter(const SorterSize& size, const SorterRecording& recording)
    : size_(size), recording_(&recording), playback_(recording.events) {
  for (const SorterEvent& event : recording.events) {
    played_at_most("slot", event.slot, size.warps - 1);
    if (recording.with_budgets) played_at_most("budget", event.budget, (1u << size.budget_bits) - 1);
  }
}

SorterInputs PlayedSorter::next(const SorterReference& state) {
  issued_ = nullptr;
  inputs_.event_valid = inputs_.issue = false;
  inputs_.ready = 0;
  inputs_.rst_n = playback_.step([&](const SorterEvent& event) { return add(event, state); });
  return inputs_;
}

/// False if it has to wait for the next cycle.
bool PlayedSorter::add(const SorterEvent& event, const SorterReference& state) {
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
  const unsigned budget = recording_->with_budgets ? event.budget : 1;
  inputs_.event_group = group_for(budget, state);
  const unsigned place = inputs_.event_group * size_.budget_bits;
  const std::uint64_t mask = ((std::uint64_t{1} << size_.budget_bits) - 1) << place;
  inputs_.budget = (inputs_.budget & ~mask) | std::uint64_t{budget} << place;
  return true;
}

/// Warps with the same budget are one group; one without warps is free.
unsigned PlayedSorter::group_for(unsigned budget, const SorterReference& state) const {
  const auto& groups = state.groups();
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const SorterReference::Group& g) { return g.warps != 0 && g.budget == budget; });
  if (group == groups.end()) {
    group = std::find_if(groups.begin(), groups.end(), [](const SorterReference::Group& g) { return g.warps == 0; });
  }
  if (group == groups.end()) played_at_most("number of different budgets", groups.size() + 1, groups.size());
  return static_cast<unsigned>(group - groups.begin());
}

bool PlayedSorter::issues(const SorterExpected& expected) {
  if (!issued_) return false;
  if (expected.slot) ++playback_.counts.answers;
  if (expected.slot != issued_->slot) ++playback_.counts.others;
  return expected.slot.has_value();
}

}  // namespace gputlm
