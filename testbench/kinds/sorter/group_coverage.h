/// Functional coverage of groups and their turns: algorithm 1 of qaws (section IV-A), line by line, and groups that come and
/// end. g0 is the group whose turn it is; numbers in the points' names are the listing's lines.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

using Group = SorterReference::Group;

inline std::size_t with_warps(const SorterReference& state) {
  return static_cast<std::size_t>(
      std::count_if(state.groups().begin(), state.groups().end(), [](const Group& group) { return group.warps != 0; }));
}

inline bool is_largest(const SorterReference& state, unsigned budget) {
  return std::all_of(state.groups().begin(), state.groups().end(),
                     [=](const Group& group) { return group.warps == 0 || group.budget <= budget; });
}

/// Whether `budget` comes after `from` and before `to` in cyclic descending order.
inline bool between(unsigned from, unsigned budget, unsigned to) {
  return from > to ? from > budget && budget > to : from > budget || budget > to;
}

class GroupCoverage {
 public:
  GroupCoverage(const SorterSize& size, CoveragePoints& points) : size_(size) {
    const bool third = size.groups > 2;
    alone_ = points.add(true, "8, 9: one group only, another than its first warp issues");
    head_ = points.add(true, "11, 12: the first warp of the order issues");
    counted_ = points.add(true, "15 to 17: another warp of g0 issues below its budget");
    passes_ = points.add(true, "18 to 20: another warp of g0 issues at its budget");
    stalled_ = points.add(true, "22, 23: all of g0 stalls, another group issues");
    stalled_skips_ = points.add(third, "all of g0 and of the group after it stalls, a third one issues");
    stalled_wraps_ = points.add(true, "all of g0 stalls, one with a larger budget issues");

    passes_around_ = points.add(true, "the turn goes from the smallest to the largest budget");
    passes_empty_ = points.add(third, "the turn passes a group without warps whose budget would have been next");
    passes_to_ending_ = points.add(third, "the turn goes to a group that ends at that edge, a third one gets it");
    passes_back_ = points.add(true, "the turn goes to the only other group, which ends at that edge");
    passes_as_one_comes_ = points.add(third, "the turn goes on as a group comes that would have been next");

    head_is_greedy_ = points.add(true, "the first warp is the last one that issued");
    head_is_oldest_ =
        points.add(true, "the first warp is the oldest of g0, the last one that issued is in another group");
    greedy_out_of_turn_ = points.add(true, "the last one that issued goes first in a group without the turn");
    head_leaves_ = points.add(true, "the first warp leaves without an issue, others of g0 stay");

    comes_first_ = points.add(true, "a group comes where none is");
    comes_larger_ = points.add(true, "a group of the largest budget comes before any warp has issued");
    comes_smaller_ = points.add(true, "a group of a smaller budget comes before any warp has issued");
    comes_larger_late_ = points.add(true, "a group of the largest budget comes after warps have issued");
    comes_next_ = points.add(third, "a group comes between g0 and the one after it");
    comes_with_first_issue_ = points.add(true, "a group of the largest budget comes as the first warp issues");

    ends_in_turn_ = points.add(true, "g0 ends");
    ends_in_turn_counted_ = points.add(true, "g0 ends with switches counted");
    ends_in_turn_around_ = points.add(third, "g0 ends, had the smallest budget of several, and the largest is next");
    ends_in_turn_without_history_ = points.add(true, "g0 ends before any warp has issued");
    ends_in_turn_issuing_ = points.add(true, "the last warp of g0 issues and leaves");
    ends_out_of_turn_ = points.add(true, "a group ends without the turn");
    ends_next_ = points.add(third, "the group after g0 ends");
    ends_last_but_turn_ = points.add(true, "the only other group ends with switches of g0 counted");
    count_outlasts_alone_ = points.add(true, "a group comes, switches of g0 are counted from before it was alone");
    alone_spent_ = points.add(true, "g0 is alone with its budget reached, another than its first warp issues");

    turn_of_one_ = points.add(true, "a turn of budget 1 ends");
    turn_of_most_ = points.add(true, "a turn of the highest budget that a counter counts ends");
    history_ends_ = points.add(true, "a group comes after the sorter was empty and warps had issued");
    reset_in_later_turn_ = points.add(true, "reset in the turn of another group than the one of the largest budget");
    reset_counted_ = points.add(true, "reset with switches counted");

    groups_granted_ = points.add_each(true, "an issue of group", size.groups);
    for (unsigned n = 1; n <= size.groups; ++n) {
      group_counts_.push_back(points.add(true, "number of groups: " + std::to_string(n)));
    }
    budget_bits_ = points.add_each(true, "a turn ends of a budget with bit", size.budget_bits);
    for (unsigned from = 0; from < size.groups; ++from) {
      for (unsigned to = 0; to < size.groups; ++to) {
        turns_.push_back(
            points.add(from != to, "the turn goes from group " + std::to_string(from) + " to " + std::to_string(to)));
      }
    }
  }
  /// Samples a cycle before its rising edge.
  void sample(const SorterInputs& inputs, const SorterExpected& expected, const SorterReference& state,
              CoveragePoints& points) {
    const std::optional<unsigned> g0 =
        state.warps() != 0 ? std::optional(state.group_of(state.order().front())) : std::nullopt;
    if (g0 != g0_) {
      switches_ = 0;
      was_alone_ = false;
    }
    g0_ = g0;
    if (!inputs.rst_n) {
      points.hit(reset_in_later_turn_, g0 && !is_largest(state, state.groups()[*g0].budget));
      points.hit(reset_counted_, switches_ > 0);
      g0_.reset();
      switches_ = 0;
      was_alone_ = false;
      emptied_with_history_ = false;
      return;
    }
    if (with_warps(state) > 0) points.hit(group_counts_[with_warps(state) - 1]);
    if (with_warps(state) == 1 && switches_ > 0) was_alone_ = true;
    if (inputs.event_valid) {
      const bool opens = state.groups()[inputs.event_group].warps == 0;
      const Group& of_slot = state.groups()[state.group_of(inputs.event_slot)];
      if (inputs.event_assign && opens) sample_coming(inputs, state, points);
      if (!inputs.event_assign) {
        points.hit(head_leaves_, !inputs.issue && inputs.event_slot == state.order().front() &&
                                     (of_slot.warps & (of_slot.warps - 1)) != 0);
        if ((of_slot.warps & (of_slot.warps - 1)) == 0) sample_ending(inputs, state, points);
      }
    }
    if (inputs.issue) sample_issue(inputs, *expected.slot, state, points);
  }

 private:
  using Id = CoveragePoints::Id;

  /// The next group with warps after `from` in cyclic descending order of budgets; `from` if there is no other.
  unsigned next_group(const SorterReference& state, unsigned from) {
    const std::vector<Group>& groups = state.groups();
    unsigned next = from;
    for (unsigned g = 0; g < groups.size(); ++g) {
      if (g == from || groups[g].warps == 0) continue;
      if (next == from || between(groups[from].budget, groups[g].budget, groups[next].budget)) next = g;
    }
    return next;
  }
  void sample_issue(const SorterInputs& inputs, unsigned slot, const SorterReference& state, CoveragePoints& points) {
    const std::vector<Group>& groups = state.groups();
    const unsigned head = state.order().front();
    const unsigned group = state.group_of(slot);
    const unsigned budget = groups[*g0_].budget;
    points.hit(groups_granted_[group]);
    points.hit(head_is_greedy_, slot == head && slot == state.greedy());
    points.hit(head_is_oldest_, slot == head && state.greedy() != kNoWarp && state.group_of(state.greedy()) != *g0_);
    points.hit(greedy_out_of_turn_, slot == state.greedy() && group != *g0_ &&
                                        (inputs.ready & groups[group].warps & ~(std::uint64_t{1} << slot)) != 0);
    if (with_warps(state) == 1) {
      points.hit(alone_, slot != head);
      points.hit(alone_spent_, slot != head && switches_ == budget);
    } else if (group != *g0_) {
      points.hit(stalled_);
      points.hit(stalled_skips_, group != next_group(state, *g0_));
      points.hit(stalled_wraps_, groups[group].budget > budget);
    } else if (slot == head) {
      points.hit(head_);
    } else if (switches_ < budget) {
      points.hit(counted_);
      ++switches_;
    } else {
      points.hit(passes_);
      sample_turn_end(inputs, state, points);
      switches_ = 0;
      was_alone_ = false;
    }
  }
  void sample_turn_end(const SorterInputs& inputs, const SorterReference& state, CoveragePoints& points) {
    const std::vector<Group>& groups = state.groups();
    const unsigned next = next_group(state, *g0_);
    const unsigned budget = groups[*g0_].budget;
    points.hit(turns_[*g0_ * size_.groups + next]);
    points.hit(passes_around_, groups[next].budget > budget);
    points.hit(turn_of_one_, budget == 1);
    points.hit(turn_of_most_, budget == largest_of(size_.budget_bits));
    for (unsigned bit = 0; bit < size_.budget_bits; ++bit) points.hit(budget_bits_[bit], budget >> bit & 1);
    for (unsigned g = 0; g < size_.groups; ++g) {
      const std::uint32_t shown = inputs.budget.at(g, size_.budget_bits);
      const bool comes = inputs.event_valid && inputs.event_assign && inputs.event_group == g;
      const bool would_be_next = groups[g].warps == 0 && between(budget, shown, groups[next].budget);
      points.hit(passes_empty_, would_be_next && !comes);
      points.hit(passes_as_one_comes_, would_be_next && comes);
    }
    const bool next_ends =
        inputs.event_valid && !inputs.event_assign && groups[next].warps == std::uint64_t{1} << inputs.event_slot;
    points.hit(passes_to_ending_, next_ends && with_warps(state) > 2);
    points.hit(passes_back_, next_ends && with_warps(state) == 2);
  }
  /// A group that the event creates, with its first warp.
  void sample_coming(const SorterInputs& inputs, const SorterReference& state, CoveragePoints& points) {
    const std::uint32_t budget = inputs.budget.at(inputs.event_group, size_.budget_bits);
    if (!g0_) {
      points.hit(comes_first_);
      points.hit(history_ends_, emptied_with_history_);
      emptied_with_history_ = false;
      return;
    }
    const bool largest = is_largest(state, budget);
    points.hit(comes_larger_, !state.history() && !inputs.issue && largest);
    points.hit(comes_smaller_, !state.history() && !inputs.issue && !largest);
    points.hit(comes_larger_late_, state.history() && largest);
    points.hit(comes_with_first_issue_, !state.history() && inputs.issue && largest);
    const unsigned next = next_group(state, *g0_);
    points.hit(comes_next_, next != *g0_ && between(state.groups()[*g0_].budget, budget, state.groups()[next].budget));
    points.hit(count_outlasts_alone_, was_alone_ && switches_ > 0);
    was_alone_ = false;
  }
  /// A group whose last warp leaves.
  void sample_ending(const SorterInputs& inputs, const SorterReference& state, CoveragePoints& points) {
    const std::size_t groups = with_warps(state);
    const unsigned group = state.group_of(inputs.event_slot);
    if (groups == 1) {
      emptied_with_history_ = state.history() || inputs.issue;
      return;
    }
    const unsigned next = next_group(state, *g0_);
    if (group == *g0_) {
      points.hit(ends_in_turn_);
      points.hit(ends_in_turn_counted_, switches_ > 0);
      points.hit(ends_in_turn_around_, groups > 2 && state.groups()[next].budget > state.groups()[group].budget);
      points.hit(ends_in_turn_without_history_, !state.history() && !inputs.issue);
      // It can issue only if it is the first in the order.
      points.hit(ends_in_turn_issuing_,
                 inputs.issue && inputs.event_slot == state.order().front() && (inputs.ready >> inputs.event_slot & 1));
    } else {
      points.hit(ends_out_of_turn_);
      points.hit(ends_next_, groups > 2 && group == next);
      points.hit(ends_last_but_turn_, groups == 2 && switches_ > 0);
    }
  }

  SorterSize size_;
  Id alone_, head_, counted_, passes_, stalled_, stalled_skips_, stalled_wraps_;
  Id passes_around_, passes_empty_, passes_to_ending_, passes_as_one_comes_, passes_back_;
  Id head_is_greedy_, head_is_oldest_, greedy_out_of_turn_, head_leaves_;
  Id comes_first_, comes_larger_, comes_smaller_, comes_larger_late_, comes_next_, comes_with_first_issue_;
  Id ends_in_turn_, ends_in_turn_counted_, ends_in_turn_around_, ends_in_turn_without_history_, ends_in_turn_issuing_;
  Id ends_out_of_turn_, ends_next_, ends_last_but_turn_, count_outlasts_alone_, alone_spent_;
  Id turn_of_one_, turn_of_most_, history_ends_, reset_in_later_turn_, reset_counted_;
  std::vector<Id> groups_granted_, group_counts_, budget_bits_, turns_;  ///< turns_[from * groups + to]

  unsigned switches_ = 0;              ///< switches counted in this turn
  bool was_alone_ = false;             ///< g0 was alone, with switches counted in this turn
  bool emptied_with_history_ = false;  ///< the sorter became empty after it had history
  std::optional<unsigned> g0_;         ///< group whose turn it is, if there are warps
};

}  // namespace gputlm
