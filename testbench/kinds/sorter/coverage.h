/// Functional coverage of a sorter's run: what traffic has to reach for the run to mean something.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "testbench/kinds/sorter/group_coverage.h"
#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class SorterCoverage {
 public:
  /// The points that a design of this size and policy can reach.
  SorterCoverage(const SorterSize& size, std::string_view policy);

  /// A cycle, before its rising edge, with the inputs as they are at the edge.
  void sample(const SorterInputs& inputs, const SorterExpected& expected, const SorterReference& state);

  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;

  void sample_reset(const SorterInputs& inputs, const SorterReference& state);
  void sample_event(const SorterInputs& inputs, const SorterExpected& expected, const SorterReference& state);
  void sample_grant(const SorterInputs& inputs, const SorterExpected& expected, const SorterReference& state);
  void sample_ages(const SorterInputs& inputs, unsigned slot, const SorterReference& state);
  void sample_slot_turns(const SorterInputs& inputs, unsigned slot);

  SorterSize size_;
  CoveragePoints points_;
  bool slots_take_turns_;
  std::optional<GroupCoverage> groups_;

  Id enters_empty_, fills_, drains_, issuer_drains_, reused_, reused_after_issue_;
  Id nothing_there_, nothing_ready_, all_ready_, held_back_, back_to_back_;
  Id issues_as_one_enters_, issues_as_another_leaves_, issues_and_leaves_, leaves_without_issue_;
  Id greedy_over_older_, greedy_stalls_, greedy_leaves_, older_in_higher_slot_, youngest_of_several_;
  Id turn_wraps_, turn_skips_, turn_alone_, first_turn_, turn_outlasts_its_warp_, turn_outlasts_all_;
  Id reset_with_warps_, reset_full_, reset_with_everything_;
  std::vector<Id> slots_, places_, counts_;

  std::vector<std::uint64_t> arrival_;  ///< of the warp in each slot, in their order
  std::uint64_t arrivals_ = 0;
  std::optional<unsigned> last_;  ///< slot of the last issue since reset, whether or not its warp is still there
  bool empty_since_ = false;      ///< the sorter was empty after that issue
  bool issued_before_ = false;    ///< in the last cycle
  std::optional<unsigned> left_before_;
  bool left_issuing_ = false;
};

}  // namespace gputlm
