/// Functional coverage of an arbiter: situations that traffic must reach for the run to be meaningful.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

inline std::size_t requests_to(const ArbiterReference::Bank& bank, Row row) {
  return static_cast<std::size_t>(
      std::count_if(bank.pending.begin(), bank.pending.end(), [&](const Request& r) { return r.row == row; }));
}

/// Position of a one-hot grant.
inline unsigned position_of(const ArbiterOutputs& outputs) {
  return static_cast<unsigned>(outputs.grant[0] != 0 ? __builtin_ctzll(outputs.grant[0])
                                                     : 64 + __builtin_ctzll(outputs.grant[1]));
}

class ArbiterCoverage {
 public:
  /// Adds the points that a design of this size can reach; with a single application, none that need several, and so on.
  ArbiterCoverage(const ArbiterSize& size, const std::string& policy) : size_(size) {
    // A policy outside the tree gets neither.
    const bool round_robin = options_owner(policy) == "fr_rr_fcfs";  // the applications take turns
    const bool hits_first =
        round_robin || options_owner(policy) == "fr_fcfs";  // row hits are served before older requests
    const bool several_applications = size.applications > 1;
    const bool turns = round_robin && several_applications;
    const bool revises = hits_first || turns;
    const bool cap = size.has_cap;

    enters_empty_ = points_.add(true, "a request enters the empty queue");
    fills_ = points_.add(true, "a request fills the queue");
    refused_ = points_.add(true, "a request meets a full queue");
    refused_while_one_leaves_ = points_.add(true, "a request meets a full queue that another leaves in the same cycle");
    drains_ = points_.add(true, "the last request leaves");

    nothing_asked_ = points_.add(true, "no decision is asked for while requests wait");
    asked_bank_empty_ = points_.add(size.banks > 1, "a decision for a bank without requests while others have some");
    held_back_ = points_.add(true, "a grant is not taken");
    revised_by_arrival_ = points_.add(revises, "an arrival revises a grant that was not taken");
    revised_by_row_ = points_.add(hits_first, "a row command revises a grant that was not taken");
    back_to_back_ = points_.add(true, "grants are taken in consecutive cycles");

    hit_over_older_ = points_.add(hits_first, "a row hit passes an older request");
    oldest_of_hits_ = points_.add(true, "one of several row hits is granted");
    oldest_bank_closed_ = points_.add(true, "several requests at a bank without an open row");
    oldest_other_row_ = points_.add(true, "several requests, none to the open row");
    hit_of_another_application_ =
        points_.add(several_applications, "a row hit of another application than the bank's last");

    activate_closed_ = points_.add(true, "ACTIVATE of a closed bank");
    activate_over_open_ = points_.add(true, "ACTIVATE of another row than the open one");
    activate_same_ = points_.add(true, "ACTIVATE of the open row");
    precharge_open_ = points_.add(true, "PRECHARGE of an open bank");
    precharge_closed_ = points_.add(true, "PRECHARGE of a closed bank");
    makes_hits_ = points_.add(true, "a row command makes waiting requests hits");
    takes_hits_ = points_.add(true, "a row command makes hits misses");
    enters_as_activated_ = points_.add(true, "a request enters while its row is opened");
    enters_as_missed_ = points_.add(true, "a request enters while another row takes the place of its own");
    enters_as_precharged_ = points_.add(true, "a request enters while its row is closed");
    activate_with_grant_ = points_.add(true, "ACTIVATE of a bank in the cycle of its grant");
    precharge_with_grant_ = points_.add(true, "PRECHARGE of a bank in the cycle of its grant");
    all_at_once_ = points_.add(true, "request, row command and grant in one cycle");
    all_at_one_bank_ = points_.add(true, "request, row command and grant in one cycle at one bank");

    turn_over_older_ = points_.add(turns, "a turn passes an older request of another application");
    turn_skips_ = points_.add(round_robin && size.applications > 2, "a turn skips an application without requests");
    turn_wraps_ = points_.add(turns, "the turns start over");
    turn_alone_ = points_.add(turns, "an application has the turn again: no other has requests");
    first_turn_ = points_.add(turns, "the first turn after reset, with requests of application 0 and of others");

    hits_up_to_cap_ = points_.add(cap, "the last row hit that the cap allows");
    capped_ = points_.add(cap, "hits wait, the cap is reached, another request is granted");
    capped_without_hit_ = points_.add(cap, "the cap is reached, no hit waits");
    cap_ends_by_activate_ = points_.add(cap, "ACTIVATE of a bank that has reached the cap");
    activate_with_counted_grant_ = points_.add(cap, "ACTIVATE of a bank in the cycle of its grant, with a cap");
    saturated_ = points_.add(cap, "more requests served than the counter counts, with hits waiting");
    uncapped_ = points_.add(cap, "row hits without a cap");

    reset_with_requests_ = points_.add(true, "reset with requests waiting");
    reset_full_ = points_.add(true, "reset of a full queue");
    reset_with_everything_ = points_.add(true, "reset in the cycle of a request, a row command and a grant");

    banks_ = points_.add_each(true, "a grant of bank", size.banks);
    applications_ = points_.add_each(true, "a grant of application", size.applications);
    ids_ = points_.add_each(true, "a grant of id", size.entries);
    positions_ = points_.add_each(true, "a grant of position", size.entries);
    row_bits_set_ = points_.add_each(true, "a grant of a row with bit", size.row_bits);
    for (unsigned from = 0; from < size.applications; ++from) {
      for (unsigned to = 0; to < size.applications; ++to) {
        turns_.push_back(
            points_.add(turns, "a turn from application " + std::to_string(from) + " to " + std::to_string(to)));
      }
    }
  }

  /// Samples a cycle before its rising edge. `found` contains the position of a grant in the design's queue.
  void sample(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterOutputs& found,
              const ArbiterReference& state) {
    if (!inputs.rst_n) {
      sample_reset(inputs, expected, state);
      held_.reset();
      taken_before_ = false;
      return;
    }
    sample_request(inputs, expected, state);
    sample_row_command(inputs, expected, state);
    sample_grant(inputs, expected, state);
    const bool taken = expected.grant_valid && inputs.grant_ready;
    if (taken) points_.hit(positions_[position_of(found)]);
    points_.hit(back_to_back_, taken && taken_before_);
    taken_before_ = taken;
    const bool enters = inputs.req_valid && expected.req_ready;
    points_.hit(all_at_once_, enters && inputs.row_valid && taken);
    points_.hit(all_at_one_bank_, enters && inputs.row_valid && taken && inputs.req_bank == inputs.row_bank &&
                                      inputs.row_bank == inputs.ask_bank);
  }

  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;

  void sample_request(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state) {
    const bool taken = expected.grant_valid && inputs.grant_ready;
    const bool enters = inputs.req_valid && expected.req_ready;
    points_.hit(enters_empty_, enters && state.waiting() == 0);
    points_.hit(fills_, enters && !taken && state.waiting() == size_.entries - 1);
    points_.hit(refused_, inputs.req_valid && !expected.req_ready);
    points_.hit(refused_while_one_leaves_, inputs.req_valid && !expected.req_ready && taken);
    points_.hit(drains_, taken && !enters && state.waiting() == 1);
    if (!enters || !inputs.row_valid || inputs.row_bank != inputs.req_bank) return;
    const bool was_open = state.bank(inputs.req_bank).open_row == inputs.req_row;
    const bool opens_it = inputs.row_open && inputs.row_row == inputs.req_row;
    points_.hit(enters_as_activated_, !was_open && opens_it);
    points_.hit(enters_as_missed_, was_open && inputs.row_open && !opens_it);
    points_.hit(enters_as_precharged_, was_open && !inputs.row_open);
  }
  void sample_row_command(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state) {
    if (!inputs.row_valid) return;
    const ArbiterReference::Bank& bank = state.bank(inputs.row_bank);
    const bool closed = bank.open_row == kNoRow;
    const bool same = inputs.row_open && bank.open_row == inputs.row_row;
    points_.hit(activate_closed_, inputs.row_open && closed);
    points_.hit(activate_over_open_, inputs.row_open && !closed && !same);
    points_.hit(activate_same_, same);
    points_.hit(precharge_open_, !inputs.row_open && !closed);
    points_.hit(precharge_closed_, !inputs.row_open && closed);
    points_.hit(makes_hits_, inputs.row_open && !same && requests_to(bank, inputs.row_row) > 0);
    points_.hit(takes_hits_, !same && !closed && requests_to(bank, bank.open_row) > 0);
    points_.hit(cap_ends_by_activate_, inputs.row_open && state.capped(bank));
    if (expected.grant_valid && inputs.grant_ready && inputs.ask_bank == inputs.row_bank) {
      points_.hit(activate_with_grant_, inputs.row_open);
      points_.hit(precharge_with_grant_, !inputs.row_open);
      points_.hit(activate_with_counted_grant_, inputs.row_open && state.hit_cap() != 0);
    }
  }
  void sample_grant(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state) {
    points_.hit(nothing_asked_, !inputs.ask_valid && state.waiting() > 0);
    points_.hit(asked_bank_empty_, inputs.ask_valid && !expected.grant_valid && state.waiting() > 0);
    if (held_ && expected.grant_valid && held_->bank == inputs.ask_bank && held_->age != expected.request.age) {
      points_.hit(revised_by_arrival_, held_->arrival && !held_->row);
      points_.hit(revised_by_row_, held_->row && !held_->arrival);
    }
    const bool taken = expected.grant_valid && inputs.grant_ready;
    if (expected.grant_valid) {
      const ArbiterReference::Bank& bank = state.bank(inputs.ask_bank);
      points_.hit(held_back_, !taken);
      const std::size_t hits = requests_to(bank, bank.open_row);
      const bool hit_granted = expected.grant_hit && !state.capped(bank);
      points_.hit(hit_over_older_, hit_granted && expected.index > 0);
      points_.hit(oldest_of_hits_, hit_granted && hits > 1);
      points_.hit(hit_of_another_application_, hit_granted && expected.request.application != bank.last_served);
      points_.hit(oldest_bank_closed_, bank.pending.size() > 1 && bank.open_row == kNoRow);
      points_.hit(oldest_other_row_, bank.pending.size() > 1 && bank.open_row != kNoRow && hits == 0);
      if (!hit_granted) sample_turn(expected, bank, taken);
      sample_cap(inputs, expected, state, taken);
      if (taken) {
        points_.hit(banks_[inputs.ask_bank]);
        points_.hit(applications_[expected.request.application]);
        points_.hit(ids_[expected.request.slot]);
        for (unsigned bit = 0; bit < size_.row_bits; ++bit)
          points_.hit(row_bits_set_[bit], expected.request.row >> bit & 1);
      }
    }
    if (expected.grant_valid && !taken) {
      held_ = Held{inputs.ask_bank, expected.request.age, false, false};
    } else if (taken && held_ && held_->bank == inputs.ask_bank) {
      held_.reset();
    }
    if (!held_) return;
    held_->arrival |= inputs.req_valid && expected.req_ready && inputs.req_bank == held_->bank;
    held_->row |= inputs.row_valid && inputs.row_bank == held_->bank;
  }
  void sample_turn(const ArbiterExpected& expected, const ArbiterReference::Bank& bank, bool taken) {
    const unsigned last = bank.last_served;
    const unsigned next = expected.request.application;
    const bool others = std::any_of(bank.pending.begin(), bank.pending.end(),
                                    [&](const Request& request) { return request.application != next; });
    const unsigned distance = (next + size_.applications - last - 1) % size_.applications;
    points_.hit(turn_over_older_, expected.index > 0);
    points_.hit(turn_skips_, distance > 0 && next != last);
    points_.hit(turn_wraps_, taken && next < last && others);
    points_.hit(turn_alone_, next == last && !others);
    points_.hit(first_turn_, bank.never_served && next == 0 && others && expected.index > 0);
    if (taken) points_.hit(turns_[last * size_.applications + next]);
  }
  void sample_cap(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state,
                  bool taken) {
    const ArbiterReference::Bank& bank = state.bank(inputs.ask_bank);
    const bool hit_waits = bank.open_row != kNoRow && requests_to(bank, bank.open_row) > 0;
    points_.hit(uncapped_, state.hit_cap() == 0 && expected.grant_hit && taken);
    points_.hit(hits_up_to_cap_,
                state.hit_cap() != 0 && bank.served + 1 == state.hit_cap() && expected.grant_hit && taken);
    points_.hit(capped_, state.capped(bank) && hit_waits && !expected.grant_hit);
    points_.hit(capped_without_hit_, state.capped(bank) && bank.open_row != kNoRow && !hit_waits);
    points_.hit(saturated_, state.capped(bank) && bank.served > kHighestHitCap && hit_waits && !expected.grant_hit);
  }
  void sample_reset(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state) {
    points_.hit(reset_with_requests_, state.waiting() > 0);
    points_.hit(reset_full_, state.waiting() == size_.entries);
    points_.hit(reset_with_everything_, inputs.req_valid && expected.req_ready && inputs.row_valid &&
                                            expected.grant_valid && inputs.grant_ready);
  }

  ArbiterSize size_;
  CoveragePoints points_;

  Id enters_empty_, fills_, refused_, refused_while_one_leaves_, drains_;
  Id nothing_asked_, asked_bank_empty_, held_back_, revised_by_arrival_, revised_by_row_, back_to_back_;
  Id hit_over_older_, oldest_of_hits_, oldest_bank_closed_, oldest_other_row_, hit_of_another_application_;
  Id activate_closed_, activate_over_open_, activate_same_, precharge_open_, precharge_closed_;
  Id makes_hits_, takes_hits_, enters_as_activated_, enters_as_missed_, enters_as_precharged_;
  Id activate_with_grant_, precharge_with_grant_, all_at_once_, all_at_one_bank_;
  Id turn_over_older_, turn_skips_, turn_wraps_, turn_alone_, first_turn_;
  Id hits_up_to_cap_, capped_, capped_without_hit_, cap_ends_by_activate_, activate_with_counted_grant_, saturated_;
  Id uncapped_;
  Id reset_with_requests_, reset_full_, reset_with_everything_;
  std::vector<Id> banks_, applications_, ids_, positions_, row_bits_set_, turns_;  ///< turns_[from * applications + to]

  /// The last grant that was not taken, while it can still change.
  struct Held {
    std::uint32_t bank;
    std::uint64_t age;
    bool arrival, row;  ///< a request or a row command has arrived at the bank since
  };
  std::optional<Held> held_;
  bool taken_before_ = false;
};

}  // namespace gputlm
