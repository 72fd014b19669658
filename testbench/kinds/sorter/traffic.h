/// Traffic for a sorter, constrained-random or of a recording. The former is realistic traffic of a sub-core, and anything else
/// that the ports allow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/random.h"
#include "models/sm/decisions.h"
#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_traffic.h"

namespace gputlm {

/// In per cent, unless the description says that it is a number.
#define SORTER_KNOBS(K)                                                                                     \
  K(warps, 1, size.warps, "Maximum resident warps, a number")                                               \
  K(groups, 1, size.groups, "Groups that warps come from, a number")                                        \
  K(highest_budget, 1, largest_of(size.budget_bits), "Highest budget of a group, if it suffices, a number") \
  K(arrivals, 1, 100, "Cycles in which a warp arrives, if there is room")                                   \
  K(leaves, 0, 100, "Cycles in which a warp leaves, if there is one")                                       \
  K(issuer_leaves, 0, 100, "Departures of the warp that is granted or issued last")                         \
  K(turnover, 0, 100, "Arrivals and departures that begin or end a group, if they can")                     \
  K(ready, 1, 100, "Warps that can issue")                                                                  \
  K(changes, 1, 100, "Cycles in which it is redrawn whether a warp can issue")                              \
  K(group_stalls, 0, 99, "Groups whose warps are all stalled")                                              \
  K(back_pressure, 0, 99, "Grants that could be taken and are not")                                         \
  K(resets, 0, 1000, "Resets in 10,000 cycles, a number")
GPUTLM_KNOBS(Sorter, SORTER_KNOBS);

class SorterTraffic : public RandomTraffic<SorterSize, SorterKnobs> {
 public:
  SorterTraffic(const SorterSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : RandomTraffic(size, mix(seed), fixed) {}

  SorterInputs reset() const { return {}; }
  SorterInputs next(const SorterReference& state, const SorterExpected&) {
    if (episode_left_-- == 0) new_episode();
    SorterInputs inputs;
    inputs.rst_n = !draw_reset();
    draw_ready(state);
    for (unsigned g = 0; g < size_.groups; ++g) {
      if (!(stalled_groups_ >> g & 1)) inputs.ready |= state.groups()[g].warps & can_issue_;
    }
    draw_event(state, inputs);
    // A group without warps may have any budget, unless a warp enters it.
    for (unsigned g = 0; g < size_.groups; ++g) {
      const bool entered = inputs.event_valid && inputs.event_assign && inputs.event_group == g;
      const unsigned budget = state.groups()[g].warps != 0 ? state.groups()[g].budget
                              : entered                    ? draw_budget(state)
                                        : 1 + random_.below(static_cast<std::uint32_t>(largest_of(size_.budget_bits)));
      inputs.budget.put(g, size_.budget_bits, budget);
    }
    return inputs;
  }
  /// The granted warp issues or not.
  bool answer(SorterInputs& inputs, const SorterExpected& expected) {
    return inputs.issue = expected.slot.has_value() && !random_.chance(knobs_.back_pressure);
  }
  void done(const SorterInputs&, const SorterExpected&) {}

 private:
  /// A new episode. The extremes are frequent: they fill the slots, empty them, and let groups come and end.
  void new_episode() {
    episode_left_ = random_.one_of({200u, 500u, 1000u});
    first_group_ = random_.below(size_.groups);
    knobs_.warps = random_.one_of({2u, 4u, size_.warps / 2, size_.warps, size_.warps});
    knobs_.groups = random_.one_of({1u, 2u, size_.groups, size_.groups, size_.groups});
    knobs_.highest_budget = random_.one_of({1u, 4u, 16u, 255u});
    knobs_.arrivals = random_.one_of({5u, 50u, 100u});
    knobs_.leaves = random_.one_of({0u, 1u, 10u, 50u, 90u});
    knobs_.issuer_leaves = random_.one_of({0u, 20u, 90u});
    knobs_.turnover = random_.one_of({0u, 20u, 70u});
    knobs_.ready = random_.one_of({1u, 5u, 20u, 50u, 90u, 100u});
    knobs_.changes = random_.one_of({10u, 50u, 100u});
    knobs_.group_stalls = random_.one_of({0u, 0u, 20u, 70u});
    knobs_.back_pressure = random_.one_of({0u, 0u, 10u, 50u, 90u});
    knobs_.resets = random_.one_of({0u, 2u, 20u, 100u});
    reset_due_ = random_.chance(20);  // otherwise the warps of the previous episode stay
    const unsigned special = random_.below(100);
    if (special < 5) long_turns();
    if (special >= 70) short_turns();
    const auto highest_budget = static_cast<unsigned>(largest_of(size_.budget_bits));
    knobs_.highest_budget = std::min(knobs_.highest_budget, highest_budget);
    fix(knobs_, SorterKnobs::all(size_), fixed_);
  }
  /// Long-lived groups, so that turns end after the maximum number of switches.
  void long_turns() {
    episode_left_ = 3000;
    knobs_.warps = size_.warps;
    knobs_.groups = size_.groups;
    knobs_.highest_budget = ~0u;
    knobs_.arrivals = knobs_.changes = 100;
    knobs_.leaves = knobs_.group_stalls = knobs_.back_pressure = knobs_.resets = 0;
    knobs_.ready = 50;
    reset_due_ = true;
  }
  /// Few warps and the lowest budgets, so that turns end because groups come and end.
  void short_turns() {
    reset_due_ = true;
    knobs_.warps = 3 + random_.below(5);
    knobs_.groups = std::min(random_.one_of({2u, 3u, size_.groups, size_.groups}), size_.groups);
    knobs_.highest_budget = 1;
    knobs_.arrivals = 50;
    knobs_.leaves = random_.one_of({5u, 20u});
    knobs_.turnover = 70;
    knobs_.issuer_leaves = knobs_.group_stalls = knobs_.back_pressure = 0;
    knobs_.ready = 60;
    knobs_.changes = 100;
  }
  void draw_ready(const SorterReference& state) {
    for (unsigned slot = 0; slot < size_.warps; ++slot) {
      if (!random_.chance(knobs_.changes)) continue;
      const std::uint64_t warp = std::uint64_t{1} << slot;
      can_issue_ = random_.chance(knobs_.ready) ? can_issue_ | warp : can_issue_ & ~warp;
    }
    if (random_.chance(knobs_.changes)) {
      stalled_groups_ = 0;
      for (const SorterReference::Group& group : state.groups()) {
        if (random_.chance(knobs_.group_stalls))
          stalled_groups_ |= std::uint64_t{1} << (&group - state.groups().data());
      }
    }
  }
  void draw_event(const SorterReference& state, SorterInputs& inputs) {
    const unsigned resident = static_cast<unsigned>(__builtin_popcountll(state.warps()));
    const bool comes = resident < knobs_.warps && random_.chance(knobs_.arrivals);
    // Warps beyond the limit of this episode leave.
    const bool leaves = resident > 0 && random_.chance(resident > knobs_.warps ? 50 : knobs_.leaves);
    if (!comes && !leaves) return;
    inputs.event_valid = true;
    inputs.event_assign = comes && (!leaves || random_.chance(50));
    if (inputs.event_assign) {
      const std::uint64_t slots = ~std::uint64_t{0} >> (64 - size_.warps);
      inputs.event_slot = slot_of(slots & ~state.warps());
      inputs.event_group = draw_group(state);
    } else {
      inputs.event_slot = draw_leaving(state, inputs);
    }
  }
  /// A budget that no group with warps has; at most knobs_.highest_budget if such a one is free.
  unsigned draw_budget(const SorterReference& state) {
    const auto taken = [&](unsigned budget) {
      return std::any_of(state.groups().begin(), state.groups().end(), [=](const SorterReference::Group& group) {
        return group.warps != 0 && group.budget == budget;
      });
    };
    // The highest budget is frequent: the counter is sized for a turn of that budget.
    unsigned budget = random_.chance(20) ? knobs_.highest_budget : 1 + random_.below(knobs_.highest_budget);
    const auto highest_budget = static_cast<unsigned>(largest_of(size_.budget_bits));
    while (taken(budget)) budget = budget == highest_budget ? 1 : budget + 1;
    return budget;
  }
  /// The group of the arriving warp.
  unsigned draw_group(const SorterReference& state) {
    const unsigned first = random_.below(knobs_.groups);
    const auto group = [&](unsigned place) {
      place += first;
      if (place >= knobs_.groups) place -= knobs_.groups;
      return (first_group_ + place) % size_.groups;
    };
    if (random_.chance(knobs_.turnover)) {
      for (unsigned place = 0; place < knobs_.groups; ++place) {
        if (state.groups()[group(place)].warps == 0) return group(place);
      }
    }
    return group(0);
  }
  /// The slot of the leaving warp.
  unsigned draw_leaving(const SorterReference& state, const SorterInputs& inputs) {
    if (random_.chance(knobs_.issuer_leaves)) {
      const SorterExpected expected = state.expect(inputs);
      if (expected.slot && random_.chance(70)) return *expected.slot;
      if (state.greedy() != kNoWarp) return state.greedy();
    } else if (random_.chance(knobs_.turnover)) {
      std::uint64_t lonely = 0;
      for (const SorterReference::Group& group : state.groups()) {
        if ((group.warps & (group.warps - 1)) == 0) lonely |= group.warps;
      }
      if (lonely != 0) return slot_of(lonely);
    }
    return slot_of(state.warps());
  }
  /// One of these warps, uniformly distributed.
  unsigned slot_of(std::uint64_t warps) {
    for (unsigned skip = random_.below(static_cast<std::uint32_t>(__builtin_popcountll(warps))); skip > 0; --skip) {
      warps &= warps - 1;
    }
    return static_cast<unsigned>(__builtin_ctzll(warps));
  }

  unsigned first_group_ = 0;
  std::uint64_t can_issue_ = 0;  ///< slots whose warp can issue, a bit each, even without a warp
  std::uint64_t stalled_groups_ = 0;
};

/// The traffic that the sorter of a sub-core had in a run: per cycle at most one issue, and one warp that arrives or leaves.
/// The warps of a block arrive one after the other.
class PlayedSorter : public Playback<SorterEvent> {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedSorter(const SorterSize& size, const std::vector<SorterEvent>& recording, bool with_budgets)
      : Playback(recording), size_(size), with_budgets_(with_budgets) {
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
    inputs_.rst_n = step([&](const SorterEvent& event) { return add(event, state); });
    return inputs_;
  }
  bool answer(SorterInputs& inputs, const SorterExpected& expected) {
    if (!issued_) return false;
    if (expected.slot) ++counts_.answers;
    if (expected.slot != issued_->slot) ++counts_.others;
    return inputs.issue = expected.slot.has_value();
  }
  void done(const SorterInputs&, const SorterExpected&) {}

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
  SorterInputs inputs_;
  const SorterEvent* issued_ = nullptr;  ///< warp that issues in this cycle
};

}  // namespace gputlm
