/// Functional coverage of a sorter: situations that traffic must reach for the run to be meaningful.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "testbench/kinds/sorter/group_coverage.h"
#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

inline unsigned number_of(std::uint64_t warps) { return static_cast<unsigned>(__builtin_popcountll(warps)); }

class SorterCoverage {
 public:
  /// Adds the points that a design of this size and policy can reach.
  SorterCoverage(const SorterSize& size, const std::string& of)
      : size_(size), slots_take_turns_(options_owner(of) == "lrr"), arrival_(size.warps) {
    const std::string_view policy = options_owner(of);
    const bool by_age = policy == "gto" || policy == "qaws";

    enters_empty_ = points_.add(true, "a warp enters the empty sorter");
    fills_ = points_.add(true, "a warp fills the last slot");
    drains_ = points_.add(true, "the last warp leaves");
    issuer_drains_ = points_.add(true, "the last warp issues and leaves");
    reused_ = points_.add(true, "a warp enters the slot that another left in the cycle before");
    reused_after_issue_ =
        points_.add(true, "a warp enters the slot that another left, as it issued, in the cycle before");

    nothing_there_ = points_.add(true, "no warp is there");
    nothing_ready_ = points_.add(true, "warps are there, none is ready");
    all_ready_ = points_.add(true, "every slot has a warp that is ready");
    held_back_ = points_.add(true, "the granted warp does not issue");
    back_to_back_ = points_.add(true, "issues in consecutive cycles");
    issues_as_one_enters_ = points_.add(true, "a warp issues while another enters");
    issues_as_another_leaves_ = points_.add(true, "a warp issues while another leaves");
    issues_and_leaves_ = points_.add(true, "a warp issues and leaves, others stay");
    leaves_without_issue_ = points_.add(true, "the granted warp leaves without an issue");

    greedy_over_older_ = points_.add(by_age, "the warp that issued last issues before an older one of its group");
    greedy_stalls_ = points_.add(by_age, "the warp that issued last is not ready, another issues");
    greedy_leaves_ = points_.add(by_age, "the warp that issued last leaves");
    older_in_higher_slot_ = points_.add(by_age, "the older warp issues, a younger one in a lower slot waits");
    youngest_of_several_ = points_.add(by_age, "the youngest warp issues, which was not the last one that issued");

    turn_wraps_ = points_.add(slots_take_turns_, "the turns start over");
    turn_skips_ = points_.add(slots_take_turns_, "a turn skips a warp that is not ready");
    turn_alone_ = points_.add(slots_take_turns_, "a warp has the turn again: no other is ready");
    first_turn_ = points_.add(slots_take_turns_, "the first turn after reset, with warps ready in slot 0 and others");
    turn_outlasts_its_warp_ = points_.add(slots_take_turns_, "a turn after a slot whose warp has left");
    turn_outlasts_all_ = points_.add(slots_take_turns_, "a turn after an issue before which the sorter was last empty");

    reset_with_warps_ = points_.add(true, "reset with warps");
    reset_full_ = points_.add(true, "reset with a warp in every slot");
    reset_with_everything_ = points_.add(true, "reset in the cycle of an issue and an event");

    slots_ = points_.add_each(true, "an issue of slot", size.warps);
    places_ = points_.add_each(true, "an issue of place", size.warps);
    counts_ = points_.add_each(true, "number of warps:", size.warps + 1);
    if (policy == "qaws") groups_.emplace(size, points_);
  }

  /// Samples a cycle before its rising edge, with the inputs at the edge.
  void sample(const SorterInputs& inputs, const SorterExpected& expected, const SorterOutputs&,
              const SorterReference& state) {
    if (groups_) groups_->sample(inputs, expected, state, points_);
    if (!inputs.rst_n) {
      sample_reset(inputs, state);
      last_.reset();
      empty_since_ = issued_before_ = false;
      left_before_.reset();
      return;
    }
    points_.hit(nothing_there_, state.warps() == 0);
    points_.hit(nothing_ready_, state.warps() != 0 && inputs.ready == 0);
    points_.hit(all_ready_, number_of(inputs.ready) == size_.warps);
    points_.hit(counts_[number_of(state.warps())]);
    if (expected.slot) sample_grant(inputs, expected, state);
    sample_event(inputs, expected, state);
  }

  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;

  void sample_reset(const SorterInputs& inputs, const SorterReference& state) {
    points_.hit(reset_with_warps_, state.warps() != 0);
    points_.hit(reset_full_, number_of(state.warps()) == size_.warps);
    points_.hit(reset_with_everything_, inputs.event_valid && inputs.issue);
  }
  void sample_event(const SorterInputs& inputs, const SorterExpected& expected, const SorterReference& state) {
    const bool enters = inputs.event_valid && inputs.event_assign;
    const bool leaves = inputs.event_valid && !inputs.event_assign;
    const unsigned resident = number_of(state.warps());
    const unsigned slot = inputs.event_slot;
    if (enters) {
      points_.hit(enters_empty_, resident == 0);
      points_.hit(fills_, resident + 1 == size_.warps);
      points_.hit(reused_, left_before_ == slot);
      points_.hit(reused_after_issue_, left_before_ == slot && left_issuing_);
      arrival_[slot] = arrivals_++;
    }
    const bool granted_leaves = leaves && expected.slot == slot;
    if (leaves) {
      points_.hit(drains_, resident == 1);
      points_.hit(issuer_drains_, resident == 1 && inputs.issue);
      points_.hit(greedy_leaves_, state.greedy() == slot && !inputs.issue && resident > 1);
      points_.hit(leaves_without_issue_, granted_leaves && !inputs.issue);
      if (resident == 1) empty_since_ = true;
    }
    if (inputs.issue) {
      points_.hit(issues_as_one_enters_, enters);
      points_.hit(issues_as_another_leaves_, leaves && !granted_leaves);
      points_.hit(issues_and_leaves_, granted_leaves && resident > 1);
      points_.hit(back_to_back_, issued_before_);
    }
    issued_before_ = inputs.issue;
    left_issuing_ = granted_leaves && inputs.issue;
    left_before_ = leaves ? std::optional(slot) : std::nullopt;
  }
  void sample_grant(const SorterInputs& inputs, const SorterExpected& expected, const SorterReference& state) {
    points_.hit(held_back_, !inputs.issue);
    if (!inputs.issue) return;
    const unsigned slot = *expected.slot;
    points_.hit(slots_[slot]);
    const auto place = std::find(state.order().begin(), state.order().end(), slot) - state.order().begin();
    points_.hit(places_[static_cast<std::size_t>(place)]);
    if (slots_take_turns_) {
      sample_slot_turns(inputs, slot);
      points_.hit(turn_outlasts_its_warp_, last_ && !(state.warps() >> *last_ & 1));
      last_ = slot;
      empty_since_ = false;
    } else {
      sample_ages(inputs, slot, state);
    }
  }
  void sample_ages(const SorterInputs& inputs, unsigned slot, const SorterReference& state) {
    bool older_in_group = false, younger_below = false, youngest = true;
    for (unsigned other = 0; other < size_.warps; ++other) {
      if (other == slot || !(state.warps() >> other & 1)) continue;
      const bool older = arrival_[other] < arrival_[slot];
      const bool ready = inputs.ready >> other & 1;
      const bool peer = !groups_ || state.group_of(other) == state.group_of(slot);
      older_in_group |= older && ready && peer;
      younger_below |= !older && ready && peer && other < slot;
      youngest &= older;
    }
    const bool greedy = slot == state.greedy();
    points_.hit(greedy_over_older_, greedy && older_in_group);
    points_.hit(greedy_stalls_, state.greedy() != kNoWarp && !(inputs.ready >> state.greedy() & 1));
    points_.hit(older_in_higher_slot_, !greedy && younger_below);
    points_.hit(youngest_of_several_, !greedy && youngest && number_of(state.warps()) > 1);
  }
  void sample_slot_turns(const SorterInputs& inputs, unsigned slot) {
    const std::uint64_t others = inputs.ready & ~(std::uint64_t{1} << slot);
    points_.hit(turn_wraps_, last_ && slot < *last_);
    points_.hit(turn_alone_, last_ == slot && others == 0);
    points_.hit(first_turn_, !last_ && slot == 0 && others != 0);
    points_.hit(turn_skips_, last_ && slot > *last_ + 1);
    points_.hit(turn_outlasts_all_, last_ && empty_since_ && others != 0);
  }

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

  std::vector<std::uint64_t> arrival_;  ///< arrival number of the warp in each slot
  std::uint64_t arrivals_ = 0;
  std::optional<unsigned> last_;  ///< slot of the last issue since reset, even if its warp has left
  bool empty_since_ = false;      ///< the sorter was empty after that issue
  bool issued_before_ = false;    ///< a warp was issued in the previous cycle
  std::optional<unsigned> left_before_;
  bool left_issuing_ = false;
};

}  // namespace gputlm
