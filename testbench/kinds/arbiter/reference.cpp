#include "testbench/kinds/arbiter/reference.h"

#include <utility>

namespace gputlm {

ArbiterReference::ArbiterReference(const ArbiterSize& size, SchedulerMaker make_schedulers)
    : size_(size), make_schedulers_(std::move(make_schedulers)) {
  reset(0);
}

void ArbiterReference::reset(unsigned hit_cap) {
  hit_cap_ = size_.has_cap ? hit_cap : 0;
  schedulers_ = make_schedulers_({size_.banks, size_.entries, hit_cap_});
  banks_.assign(size_.banks, {});
  for (Bank& bank : banks_) bank.last_served = size_.applications - 1;
  waiting_ = 0;
}

ArbiterExpected ArbiterReference::expect(const ArbiterInputs& inputs) const {
  ArbiterExpected expected;
  expected.req_ready = waiting_ < size_.entries;
  const Bank& bank = banks_[inputs.ask_bank];
  if (!inputs.ask_valid || bank.pending.empty()) return expected;
  expected.grant_valid = true;
  expected.index = schedulers_[inputs.ask_bank]->pick({bank.pending.data(), bank.pending.size()}, bank.open_row);
  expected.request = bank.pending[expected.index];
  expected.grant_hit = expected.request.row == bank.open_row;
  return expected;
}

// Events of one cycle in an order that gives what the ports' contract says: a request that leaves was granted on the
// old state, an ACTIVATE sets the count of served requests to 0, a request that enters sees the new row.
void ArbiterReference::rise(const ArbiterInputs& inputs, const ArbiterExpected& expected) {
  if (!inputs.rst_n) {
    reset(inputs.hit_cap);
    return;
  }
  if (expected.grant_valid && inputs.grant_ready) {
    Bank& bank = banks_[inputs.ask_bank];
    bank.pending.erase(bank.pending.begin() + static_cast<std::ptrdiff_t>(expected.index));
    schedulers_[inputs.ask_bank]->served(expected.request);
    ++bank.served;
    bank.never_served = false;
    bank.last_served = expected.request.application;
    --waiting_;
  }
  if (inputs.row_valid) {
    Bank& bank = banks_[inputs.row_bank];
    bank.open_row = inputs.row_open ? Row{inputs.row_row} : kNoRow;
    if (inputs.row_open) {
      bank.served = 0;
      schedulers_[inputs.row_bank]->activated(bank.open_row);
    } else {
      schedulers_[inputs.row_bank]->precharged();
    }
  }
  if (inputs.req_valid && expected.req_ready) {
    Bank& bank = banks_[inputs.req_bank];
    bank.pending.push_back(
        {Row{inputs.req_row}, arrivals_++, inputs.req_id, static_cast<ApplicationId>(inputs.req_app), false});
    schedulers_[inputs.req_bank]->arrived(bank.pending.back());
    ++waiting_;
  }
}

}  // namespace gputlm
