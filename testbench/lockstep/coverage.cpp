#include "testbench/lockstep/coverage.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr unsigned kMostCounted = 255;  // served requests, of eight bits

std::size_t requests_to(const Reference::Bank& bank, Row row) {
  return static_cast<std::size_t>(
      std::count_if(bank.pending.begin(), bank.pending.end(), [&](const Request& r) { return r.row == row; }));
}

}  // namespace

Coverage::Coverage(const ArbiterSize& size, bool round_robin) : size_(size) {
  const bool several_applications = size.applications > 1;
  const bool turns = round_robin && several_applications;
  const bool cap = size.has_cap;

  enters_empty_ = add(true, "a request enters the empty queue");
  fills_ = add(true, "a request fills the queue");
  refused_ = add(true, "a request meets a full queue");
  refused_while_one_leaves_ = add(true, "a request meets a full queue that another leaves in the same cycle");
  drains_ = add(true, "the last request leaves");

  nothing_asked_ = add(true, "no decision is asked for while requests wait");
  asked_bank_empty_ = add(size.banks > 1, "a decision for a bank without requests while others have some");
  held_back_ = add(true, "a grant is not taken");
  revised_by_arrival_ = add(true, "an arrival revises a grant that was not taken");
  revised_by_row_ = add(true, "a row command revises a grant that was not taken");
  back_to_back_ = add(true, "grants are taken in consecutive cycles");

  hit_over_older_ = add(true, "a row hit passes an older request");
  oldest_of_hits_ = add(true, "one of several row hits is granted");
  oldest_bank_closed_ = add(true, "several requests at a bank without an open row");
  oldest_other_row_ = add(true, "several requests, none to the open row");
  hit_of_another_application_ = add(several_applications, "a row hit of another application than the bank's last");

  activate_closed_ = add(true, "ACTIVATE of a closed bank");
  activate_over_open_ = add(true, "ACTIVATE of another row than the open one");
  activate_same_ = add(true, "ACTIVATE of the open row");
  precharge_open_ = add(true, "PRECHARGE of an open bank");
  precharge_closed_ = add(true, "PRECHARGE of a closed bank");
  makes_hits_ = add(true, "a row command makes waiting requests hits");
  takes_hits_ = add(true, "a row command makes hits misses");
  enters_as_activated_ = add(true, "a request enters while its row is opened");
  enters_as_missed_ = add(true, "a request enters while another row takes the place of its own");
  enters_as_precharged_ = add(true, "a request enters while its row is closed");
  activate_with_grant_ = add(true, "ACTIVATE of a bank in the cycle of its grant");
  precharge_with_grant_ = add(true, "PRECHARGE of a bank in the cycle of its grant");
  all_at_once_ = add(true, "request, row command and grant in one cycle");
  all_at_one_bank_ = add(true, "request, row command and grant in one cycle at one bank");

  turn_over_older_ = add(turns, "a turn passes an older request of another application");
  turn_skips_ = add(round_robin && size.applications > 2, "a turn skips an application without requests");
  turn_wraps_ = add(turns, "the turns begin anew");
  turn_alone_ = add(turns, "an application has the turn again: no other has requests");
  first_turn_ = add(turns, "the first turn after reset, with requests of application 0 and of others");

  hits_up_to_cap_ = add(cap, "the last row hit that the cap allows");
  capped_ = add(cap, "hits wait, the cap is reached, another request is granted");
  capped_without_hit_ = add(cap, "the cap is reached, no hit waits");
  cap_ends_by_activate_ = add(cap, "ACTIVATE of a bank that has reached the cap");
  activate_with_counted_grant_ = add(cap, "ACTIVATE of a bank in the cycle of its grant, with a cap");
  saturated_ = add(cap, "more requests served than the counter counts, with hits waiting");
  uncapped_ = add(cap, "row hits without a cap");

  reset_with_requests_ = add(true, "reset with requests waiting");
  reset_full_ = add(true, "reset of a full queue");
  reset_with_everything_ = add(true, "reset in the cycle of a request, a row command and a grant");

  banks_ = add_each(true, "a grant of bank", size.banks);
  applications_ = add_each(true, "a grant of application", size.applications);
  ids_ = add_each(true, "a grant of id", size.entries);
  positions_ = add_each(true, "a grant of position", size.entries);
  row_bits_set_ = add_each(true, "a grant of a row with bit", size.row_bits);
  for (unsigned from = 0; from < size.applications; ++from) {
    for (unsigned to = 0; to < size.applications; ++to) {
      turns_.push_back(add(turns, "a turn from application " + std::to_string(from) + " to " + std::to_string(to)));
    }
  }
}

Coverage::Id Coverage::add(bool possible, const std::string& name) {
  if (!possible) return kNone;
  points_.push_back({name});
  return points_.size() - 1;
}

std::vector<Coverage::Id> Coverage::add_each(bool possible, const std::string& what, unsigned count) {
  std::vector<Id> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(add(possible, what + " " + std::to_string(i)));
  return all;
}

std::size_t Coverage::reached() const { return points_.size() - missing().size(); }

std::vector<std::string> Coverage::missing() const {
  std::vector<std::string> names;
  for (const Point& point : points_) {
    if (point.hits == 0) names.push_back(point.name);
  }
  return names;
}

void Coverage::sample(const ArbiterInputs& inputs, const Expected& expected, const Reference& state,
                      unsigned granted_position) {
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
  if (taken) hit(positions_[granted_position]);
  hit(back_to_back_, taken && taken_before_);
  taken_before_ = taken;
  const bool enters = inputs.req_valid && expected.req_ready;
  hit(all_at_once_, enters && inputs.row_valid && taken);
  hit(all_at_one_bank_,
      enters && inputs.row_valid && taken && inputs.req_bank == inputs.row_bank && inputs.row_bank == inputs.ask_bank);
}

void Coverage::sample_reset(const ArbiterInputs& inputs, const Expected& expected, const Reference& state) {
  hit(reset_with_requests_, state.waiting() > 0);
  hit(reset_full_, state.waiting() == size_.entries);
  hit(reset_with_everything_,
      inputs.req_valid && expected.req_ready && inputs.row_valid && expected.grant_valid && inputs.grant_ready);
}

void Coverage::sample_request(const ArbiterInputs& inputs, const Expected& expected, const Reference& state) {
  const bool taken = expected.grant_valid && inputs.grant_ready;
  const bool enters = inputs.req_valid && expected.req_ready;
  hit(enters_empty_, enters && state.waiting() == 0);
  hit(fills_, enters && !taken && state.waiting() == size_.entries - 1);
  hit(refused_, inputs.req_valid && !expected.req_ready);
  hit(refused_while_one_leaves_, inputs.req_valid && !expected.req_ready && taken);
  hit(drains_, taken && !enters && state.waiting() == 1);
  if (!enters || !inputs.row_valid || inputs.row_bank != inputs.req_bank) return;
  const bool was_open = state.bank(inputs.req_bank).open_row == inputs.req_row;
  const bool opens_it = inputs.row_open && inputs.row_row == inputs.req_row;
  hit(enters_as_activated_, !was_open && opens_it);
  hit(enters_as_missed_, was_open && inputs.row_open && !opens_it);
  hit(enters_as_precharged_, was_open && !inputs.row_open);
}

void Coverage::sample_row_command(const ArbiterInputs& inputs, const Expected& expected, const Reference& state) {
  if (!inputs.row_valid) return;
  const Reference::Bank& bank = state.bank(inputs.row_bank);
  const bool closed = bank.open_row == kNoRow;
  const bool same = inputs.row_open && bank.open_row == inputs.row_row;
  hit(activate_closed_, inputs.row_open && closed);
  hit(activate_over_open_, inputs.row_open && !closed && !same);
  hit(activate_same_, same);
  hit(precharge_open_, !inputs.row_open && !closed);
  hit(precharge_closed_, !inputs.row_open && closed);
  hit(makes_hits_, inputs.row_open && !same && requests_to(bank, inputs.row_row) > 0);
  hit(takes_hits_, !same && !closed && requests_to(bank, bank.open_row) > 0);
  hit(cap_ends_by_activate_, inputs.row_open && state.capped(bank));
  if (expected.grant_valid && inputs.grant_ready && inputs.ask_bank == inputs.row_bank) {
    hit(activate_with_grant_, inputs.row_open);
    hit(precharge_with_grant_, !inputs.row_open);
    hit(activate_with_counted_grant_, inputs.row_open && state.hit_cap() != 0);
  }
}

void Coverage::sample_grant(const ArbiterInputs& inputs, const Expected& expected, const Reference& state) {
  hit(nothing_asked_, !inputs.ask_valid && state.waiting() > 0);
  hit(asked_bank_empty_, inputs.ask_valid && !expected.grant_valid && state.waiting() > 0);
  if (held_ && expected.grant_valid && held_->bank == inputs.ask_bank && held_->age != expected.request.age) {
    hit(revised_by_arrival_, held_->arrival && !held_->row);
    hit(revised_by_row_, held_->row && !held_->arrival);
  }
  const bool taken = expected.grant_valid && inputs.grant_ready;
  if (expected.grant_valid) {
    const Reference::Bank& bank = state.bank(inputs.ask_bank);
    hit(held_back_, !taken);
    const std::size_t hits = requests_to(bank, bank.open_row);
    const bool hit_granted = expected.grant_hit && !state.capped(bank);
    hit(hit_over_older_, hit_granted && expected.index > 0);
    hit(oldest_of_hits_, hit_granted && hits > 1);
    hit(hit_of_another_application_, hit_granted && expected.request.application != bank.last_served);
    hit(oldest_bank_closed_, bank.pending.size() > 1 && bank.open_row == kNoRow);
    hit(oldest_other_row_, bank.pending.size() > 1 && bank.open_row != kNoRow && hits == 0);
    if (!hit_granted) sample_turn(expected, bank, taken);
    sample_cap(inputs, expected, state, taken);
    if (taken) {
      hit(banks_[inputs.ask_bank]);
      hit(applications_[expected.request.application]);
      hit(ids_[expected.request.slot]);
      for (unsigned bit = 0; bit < size_.row_bits; ++bit) hit(row_bits_set_[bit], expected.request.row >> bit & 1);
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

void Coverage::sample_turn(const Expected& expected, const Reference::Bank& bank, bool taken) {
  const unsigned last = bank.last_served;
  const unsigned next = expected.request.application;
  const bool others = std::any_of(bank.pending.begin(), bank.pending.end(),
                                  [&](const Request& request) { return request.application != next; });
  const unsigned distance = (next + size_.applications - last - 1) % size_.applications;
  hit(turn_over_older_, expected.index > 0);
  hit(turn_skips_, distance > 0 && next != last);
  hit(turn_wraps_, taken && next < last && others);
  hit(turn_alone_, next == last && !others);
  hit(first_turn_, bank.never_served && next == 0 && others && expected.index > 0);
  if (taken) hit(turns_[last * size_.applications + next]);
}

void Coverage::sample_cap(const ArbiterInputs& inputs, const Expected& expected, const Reference& state, bool taken) {
  const Reference::Bank& bank = state.bank(inputs.ask_bank);
  const bool hit_waits = bank.open_row != kNoRow && requests_to(bank, bank.open_row) > 0;
  hit(uncapped_, state.hit_cap() == 0 && expected.grant_hit && taken);
  hit(hits_up_to_cap_, state.hit_cap() != 0 && bank.served + 1 == state.hit_cap() && expected.grant_hit && taken);
  hit(capped_, state.capped(bank) && hit_waits && !expected.grant_hit);
  hit(capped_without_hit_, state.capped(bank) && bank.open_row != kNoRow && !hit_waits);
  hit(saturated_, state.capped(bank) && bank.served > kMostCounted && hit_waits && !expected.grant_hit);
}

}  // namespace gputlm
