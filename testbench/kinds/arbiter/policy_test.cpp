// The arbiters of rtl/ as memory-request policies: they pick the same as the C++ policies, for random actions of a controller.

#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "models/dram/scheduler.h"
#include "testbench/lockstep/random_traffic.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// A queue with two sets of schedulers that receive the same events; their picks must agree.
class TwoMinds {
 public:
  TwoMinds(const std::string& policy, const SchedulerSetup& setup)
      : model_(make_request_schedulers(policy, setup)), rtl_(make_request_schedulers(policy + "@rtl", setup)),
        banks_(setup.banks), entries_(setup.entries) {}

  bool full() const { return waiting_ == entries_; }
  bool has_requests(unsigned bank) const { return !banks_[bank].pending.empty(); }
  bool is_open(unsigned bank) const { return banks_[bank].open_row != kNoRow; }

  void arrive(unsigned bank, Row row, ApplicationId application) {
    banks_[bank].pending.push_back({row, arrivals_++, 0, application, false});
    model_[bank]->arrived(banks_[bank].pending.back());
    rtl_[bank]->arrived(banks_[bank].pending.back());
    ++waiting_;
  }

  std::size_t pick(unsigned bank) {
    const Bank& of = banks_[bank];
    const RequestView candidates(of.pending.data(), of.pending.size());
    const std::size_t expected = model_[bank]->pick(candidates, of.open_row);
    EXPECT_EQ(rtl_[bank]->pick(candidates, of.open_row), expected) << "bank " << bank;
    return expected;
  }

  /// Issues the next command for the bank's pick.
  void work(unsigned bank) {
    Bank& of = banks_[bank];
    const std::size_t index = pick(bank);
    const Request request = of.pending[index];
    if (of.open_row == request.row) {
      of.pending.erase(of.pending.begin() + static_cast<std::ptrdiff_t>(index));
      model_[bank]->served(request);
      rtl_[bank]->served(request);
      --waiting_;
    } else if (of.open_row != kNoRow) {
      precharge(bank);
    } else {
      of.open_row = request.row;
      model_[bank]->activated(request.row);
      rtl_[bank]->activated(request.row);
    }
  }

  void precharge(unsigned bank) {
    banks_[bank].open_row = kNoRow;
    model_[bank]->precharged();
    rtl_[bank]->precharged();
  }

 private:
  struct Bank {
    std::vector<Request> pending;
    Row open_row = kNoRow;
  };
  RequestSchedulers model_, rtl_;
  std::vector<Bank> banks_;
  unsigned entries_;
  unsigned waiting_ = 0;
  std::uint64_t arrivals_ = 0;
};

using Setup = std::tuple<std::string, SchedulerSetup>;
class RtlPolicy : public testing::TestWithParam<Setup> {};

TEST_P(RtlPolicy, PicksWhatTheModelPicks) {
  const auto& [policy, setup] = GetParam();
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    TwoMinds queue(policy, setup);
    RandomNumbers random(seed);
    // Bursts of events of one kind, so that the queue fills and drains, and banks wait for each other.
    for (int episode = 0; episode < 300 && !HasFailure(); ++episode) {
      const unsigned kind = random.below(8);
      for (unsigned events = 1 + random.below(setup.entries); events > 0; --events) {
        const unsigned bank = random.below(setup.banks);
        if (kind < 3) {
          // The requests of an access arrive together, with no pick between them.
          for (unsigned bursts = 1 + random.below(4); bursts > 0 && !queue.full(); --bursts) {
            queue.arrive(random.below(setup.banks), random.one_of<Row>({0, 1, 0xffffffff}),
                         random.one_of({0, 1, 2, 7}));
          }
        } else if (kind < 7) {
          if (queue.has_requests(bank)) queue.work(bank);
        } else if (queue.is_open(bank) && random.chance(20)) {
          queue.precharge(bank);  // without a pick: a refresh, or a closed page
        } else if (queue.has_requests(bank)) {
          queue.pick(bank);
        }
      }
    }
  }
}

std::vector<Setup> setups() {
  std::vector<Setup> all;
  for (const char* policy : {"fr_fcfs", "fr_rr_fcfs"}) {
    for (const SchedulerSetup& setup :
         {SchedulerSetup{1, 4, 0}, SchedulerSetup{4, 8, 2}, SchedulerSetup{16, 64, 0}, SchedulerSetup{16, 64, 255},
          SchedulerSetup{32, 64, 3}, SchedulerSetup{64, 128, 0}}) {
      all.emplace_back(policy, setup);
    }
  }
  return all;
}

std::string name_of_setup(const testing::TestParamInfo<Setup>& instance) {
  const auto& [policy, setup] = instance.param;
  return policy + "_" + std::to_string(setup.banks) + "_banks_" + std::to_string(setup.entries) + "_entries_cap_" +
         std::to_string(setup.row_hit_cap);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RtlPolicy, testing::ValuesIn(setups()), name_of_setup);

void expect_error(const std::string& parts, const std::function<void()>& action) {
  try {
    action();
    FAIL() << "no error with " << parts;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(parts), std::string::npos) << error.what();
  }
}

TEST(RtlPolicyErrors, WhatTheHardwareHasNoRoomForIsAnInputError) {
  for (const std::string policy : {"fr_fcfs@rtl", "fr_rr_fcfs@rtl"}) {
    expect_error("dram.queue: found 129, allowed with dram.scheduler=" + policy + " is at most 128", [&] {
      make_request_schedulers(policy, {1, 129, 0});
    });
    expect_error("dram.banks: found 128", [&] { make_request_schedulers(policy, {128, 64, 0}); });
    expect_error("dram.row_hit_cap: found 256", [&] { make_request_schedulers(policy, {16, 64, 256}); });
    const auto bank = std::move(make_request_schedulers(policy, {1, 64, 0}).front());
    expect_error("row of a DRAM access: found 4294967296", [&] { bank->arrived({Row{1} << 32, 0, 0, 0, false}); });
    expect_error("application of a DRAM access: found 8", [&] { bank->arrived({0, 0, 0, 8, false}); });
  }
}

TEST(RtlPolicyErrors, ServingWhatWasNotPickedIsAFaultOfTheController) {
  const auto bank = std::move(make_request_schedulers("fr_fcfs@rtl", {1, 64, 0}).front());
  const std::vector<Request> pending{{5, 0, 0, 0, false}, {6, 1, 0, 0, false}};
  for (const Request& request : pending) bank->arrived(request);
  ASSERT_EQ(bank->pick({pending.data(), pending.size()}, kNoRow), 0u);
  EXPECT_THROW(bank->served(pending[1]), std::logic_error);
}

}  // namespace
}  // namespace gputlm
