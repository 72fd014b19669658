/// The expected behaviour of an arbiter of rtl/, cycle by cycle: a queue, the banks' rows, and the C++ policy that decides.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/dram/scheduler.h"
#include "testbench/kinds/arbiter/ports.h"

namespace gputlm {

/// Makes the schedulers of a queue, as make_request_schedulers() does for a name.
using SchedulerMaker = std::function<RequestSchedulers(const SchedulerSetup&)>;

/// The required outputs while the inputs are stable. Without a grant, only its absence is required.
struct ArbiterExpected {
  bool req_ready = false;
  bool grant_valid = false;
  bool grant_hit = false;
  std::size_t index = 0;  ///< index of the granted request among those of its bank
  Request request{};      ///< the granted request; `slot` is its id
};

class ArbiterReference {
 public:
  struct Bank {
    std::vector<Request> pending;  ///< pending requests, oldest first
    Row open_row = kNoRow;
    unsigned served = 0;       ///< number of requests served since the last ACTIVATE or reset
    unsigned last_served = 0;  ///< application that was served last; after a reset the highest-numbered one
    bool never_served = true;  ///< no request has been served since the reset
  };

  /// Starts in the reset state.
  ArbiterReference(const ArbiterSize& size, SchedulerMaker make_schedulers)
      : size_(size), make_schedulers_(std::move(make_schedulers)) {
    reset(0);
  }
  ArbiterReference(const ArbiterSize& size, const std::string& policy)
      : ArbiterReference(size,
                         [policy](const SchedulerSetup& setup) { return make_request_schedulers(policy, setup); }) {}

  ArbiterExpected expect(const ArbiterInputs& inputs) const {
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
  /// The rising edge, with `expected` from before it. A reset loads the cap from the inputs.
  void rise(const ArbiterInputs& inputs, const ArbiterExpected& expected) {
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

  const ArbiterSize& size() const { return size_; }
  const Bank& bank(unsigned index) const { return banks_[index]; }
  unsigned waiting() const { return waiting_; }
  unsigned hit_cap() const { return hit_cap_; }
  /// Whether the bank has served as many requests since its row was opened as the cap allows.
  bool capped(const Bank& bank) const { return hit_cap_ != 0 && bank.served >= hit_cap_; }

 private:
  void reset(unsigned hit_cap) {
    hit_cap_ = size_.has_cap ? hit_cap : 0;
    schedulers_ = make_schedulers_({size_.banks, size_.entries, hit_cap_});
    banks_.assign(size_.banks, {});
    for (Bank& bank : banks_) bank.last_served = size_.applications - 1;
    waiting_ = 0;
  }

  ArbiterSize size_;
  SchedulerMaker make_schedulers_;
  RequestSchedulers schedulers_;
  std::vector<Bank> banks_;
  unsigned waiting_ = 0;
  unsigned hit_cap_ = 0;
  std::uint64_t arrivals_ = 0;
};

}  // namespace gputlm
