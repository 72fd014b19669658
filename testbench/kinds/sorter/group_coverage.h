/// Functional coverage of the groups and their turns: algorithm 1 of qaws (section IV-A), line by line, and what comes
/// with groups that come and end. g0 is the group whose turn it is; numbers in the points' names are the listing's lines.
#pragma once

#include <optional>
#include <vector>

#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class GroupCoverage {
 public:
  GroupCoverage(const SorterSize& size, CoveragePoints& points);
  /// A cycle, before its rising edge.
  void sample(const SorterInputs& inputs, const SorterExpected& expected, const SorterReference& state,
              CoveragePoints& points);

 private:
  using Id = CoveragePoints::Id;

  /// The group after `from`, in descending order of their budgets, around, that has warps; `from` if no other has.
  static unsigned next_group(const SorterReference& state, unsigned from);
  void sample_issue(const SorterInputs& inputs, unsigned slot, const SorterReference& state, CoveragePoints& points);
  void sample_turn_end(const SorterInputs& inputs, const SorterReference& state, CoveragePoints& points);
  void sample_coming(const SorterInputs& inputs, const SorterReference& state, CoveragePoints& points);
  void sample_ending(const SorterInputs& inputs, const SorterReference& state, CoveragePoints& points);

  SorterSize size_;
  Id alone_, head_, counted_, passes_, stalled_, stalled_skips_, stalled_wraps_;
  Id passes_around_, passes_empty_, passes_to_ending_, passes_as_one_comes_, passes_back_;
  Id head_is_greedy_, head_is_oldest_, greedy_out_of_turn_, head_leaves_;
  Id comes_first_, comes_larger_, comes_smaller_, comes_larger_late_, comes_next_, comes_with_first_issue_;
  Id ends_in_turn_, ends_in_turn_counted_, ends_in_turn_around_, ends_in_turn_without_history_, ends_in_turn_issuing_;
  Id ends_out_of_turn_, ends_next_, ends_last_but_turn_, count_outlasts_alone_, alone_spent_;
  Id turn_of_one_, turn_of_most_, history_ends_, reset_in_later_turn_, reset_counted_;
  std::vector<Id> groups_granted_, group_counts_, budget_bits_, turns_;  ///< turns_: from * groups + to

  unsigned switches_ = 0;              ///< counted in this turn
  bool was_alone_ = false;             ///< g0, with switches counted in this turn
  bool emptied_with_history_ = false;  ///< the sorter, at last
  std::optional<unsigned> g0_;         ///< if there are warps
};

}  // namespace gputlm
