// The sorters of rtl/ as warp schedulers: the same picks as the C++ policies, for random actions of a sub-core.

#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <stdexcept>
#include <tuple>

#include "models/kernel/random.h"
#include "models/sm/warp_scheduler.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// A sub-core with two schedulers that hear the same events; picks must agree.
class TwoMinds {
 public:
  TwoMinds(const std::string& policy, unsigned slots)
      : model_(make_warp_scheduler(policy, {slots})), rtl_(make_warp_scheduler(policy + "@rtl", {slots})) {}

  std::uint64_t warps() const { return warps_; }

  void assign(unsigned slot, unsigned budget) {
    warps_ |= std::uint64_t{1} << slot;
    model_->assigned(slot, budget);
    rtl_->assigned(slot, budget);
  }
  void release(unsigned slot) {
    warps_ &= ~(std::uint64_t{1} << slot);
    model_->released(slot);
    rtl_->released(slot);
  }
  unsigned pick(std::uint64_t candidates) {
    const unsigned expected = model_->pick(candidates);
    EXPECT_EQ(rtl_->pick(candidates), expected);
    return expected;
  }
  void issue(unsigned slot) {
    model_->issued(slot);
    rtl_->issued(slot);
  }

 private:
  std::unique_ptr<WarpScheduler> model_, rtl_;
  std::uint64_t warps_ = 0;
};

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t bits() { return random_bits(seed_, 0, 0, 0, position_++); }
  unsigned below(unsigned n) { return static_cast<unsigned>(uniform_below(bits(), n)); }

 private:
  std::uint64_t seed_, position_ = 0;
};

unsigned nth_bit(std::uint64_t bits, unsigned n) {
  while (n-- > 0) bits &= bits - 1;
  return static_cast<unsigned>(__builtin_ctzll(bits));
}

using Case = std::tuple<std::string, unsigned>;
class RtlWarpScheduler : public testing::TestWithParam<Case> {};

TEST_P(RtlWarpScheduler, PicksWhatTheModelPicks) {
  const auto& [policy, slots] = GetParam();
  const std::uint64_t all = slots == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << slots) - 1;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    TwoMinds sub_core(policy, slots);
    RandomNumbers random(seed);
    // Eight budgets at most, the smallest and the largest among them; fewer make larger groups.
    constexpr std::array<unsigned, 8> kBudgets{1, 255, 2, 3, 7, 128, 4, 31};
    const unsigned budgets = 1 + random.below(kBudgets.size());
    for (int episode = 0; episode < 400 && !HasFailure(); ++episode) {
      // Phases in which warps come, stay, and go, down to none.
      const unsigned kind = random.below(8);
      for (unsigned events = 1 + random.below(2 * slots); events > 0; --events) {
        const std::uint64_t here = sub_core.warps(), free = all & ~here;
        if (kind < 2 && free) {
          sub_core.assign(nth_bit(free, random.below(static_cast<unsigned>(std::bitset<64>(free).count()))),
                          kBudgets[random.below(budgets)]);
        } else if (kind == 2 && here) {
          sub_core.release(nth_bit(here, random.below(static_cast<unsigned>(std::bitset<64>(here).count()))));
        } else {
          const std::uint64_t ready = here & random.bits() & (random.below(3) ? ~std::uint64_t{0} : random.bits());
          if (!ready) continue;
          const unsigned slot = sub_core.pick(ready);
          if (random.below(8) == 0) continue;  // asked, and nothing comes of it
          sub_core.issue(slot);
          if (random.below(16) == 0) sub_core.release(slot);  // at the same edge
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RtlWarpScheduler,
                         testing::Combine(testing::Values("lrr", "gto", "qaws"),
                                          testing::Values(1u, 8u, 16u, 17u, 48u)),
                         [](const auto& instance) {
                           return std::get<0>(instance.param) + "_" + std::to_string(std::get<1>(instance.param));
                         });

class RtlWarpSchedulerMisused : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<WarpScheduler> scheduler_ = make_warp_scheduler(GetParam() + "@rtl", {16});
};

TEST_P(RtlWarpSchedulerMisused, RefusesAnIssueThatWasNotTheLastPick) {
  scheduler_->assigned(3, 1);
  scheduler_->assigned(5, 1);
  EXPECT_THROW(scheduler_->issued(3), std::logic_error);
  ASSERT_EQ(scheduler_->pick(1u << 3 | 1u << 5), 3u);
  EXPECT_THROW(scheduler_->issued(5), std::logic_error);
  scheduler_->assigned(6, 1);
  EXPECT_THROW(scheduler_->issued(3), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Policies, RtlWarpSchedulerMisused, testing::Values("lrr", "gto", "qaws"),
                         [](const auto& instance) { return instance.param; });

TEST(RtlWarpSchedulerLimits, OnlyQawsCountsBudgets) {
  for (const char* policy : {"lrr@rtl", "gto@rtl"}) {
    const auto scheduler = make_warp_scheduler(policy, {16});
    for (unsigned slot = 0; slot < 16; ++slot) scheduler->assigned(slot, 250 + slot);
    EXPECT_EQ(scheduler->pick(0x8000), 15u) << policy;
  }
  const auto qaws = make_warp_scheduler("qaws@rtl", {16});
  EXPECT_THROW(qaws->assigned(0, 256), InputError);
  for (unsigned slot = 0; slot < 8; ++slot) qaws->assigned(slot, 1 + slot);
  EXPECT_THROW(qaws->assigned(8, 9), InputError);
  qaws->released(3);
  qaws->assigned(8, 9);  // in the place of the group that has ended
  EXPECT_EQ(qaws->pick(0x1ff), 8u);
}

TEST(RtlWarpSchedulerLimits, ASubCoreHasAtMost48Warps) {
  EXPECT_NO_THROW(make_warp_scheduler("qaws@rtl", {48}));
  EXPECT_THROW(make_warp_scheduler("qaws@rtl", {49}), InputError);
}

}  // namespace
}  // namespace gputlm
