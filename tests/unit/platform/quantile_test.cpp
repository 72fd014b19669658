#include "platform/probes/response_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace gputlm {
namespace {

constexpr Quantile kMedian{1, 2}, kP90{9, 10}, kP999{999, 1000};

TEST(Quantile, RanksOfTheMedianAreThoseOfTables) {
  // Tables of the sign test at 5 %, two sides: of 10 values the 2nd and the 9th, of 20 the 6th and the 15th, of 25 the 8th
  // and the 18th.
  for (const auto& [count, low, high] : {std::tuple{6u, 1u, 6u}, {10u, 2u, 9u}, {20u, 6u, 15u}, {25u, 8u, 18u}}) {
    const auto ranks = quantile_ranks(count, kMedian, 0.95);
    ASSERT_TRUE(ranks) << count;
    EXPECT_EQ(ranks->low, low) << count;
    EXPECT_EQ(ranks->high, high) << count;
  }
}

TEST(Quantile, TooFewValuesSayNothingOfIt) {
  EXPECT_FALSE(quantile_ranks(5, kMedian, 0.95)) << "one in 32 samples of five is wholly on one side";
  EXPECT_EQ(values_needed(kMedian, 0.95), 6u);
  EXPECT_EQ(values_needed(kP999, 0.95), 3688u) << "0.999^3687 is a little more than 0.025, 0.999^3688 less";
  EXPECT_FALSE(quantile_ranks(3687, kP999, 0.95));
  EXPECT_EQ(quantile_ranks(3688, kP999, 0.95)->high, 3688u) << "all values are needed";
}

TEST(Quantile, IsBetweenItsRanksAsOftenAsPromised) {
  std::mt19937_64 random(1);
  constexpr unsigned kTrials = 4000, kValues = 300;
  const RankInterval ranks = *quantile_ranks(kValues, kP90, 0.95);
  unsigned low = 0, high = 0;
  std::vector<std::uint64_t> values(kValues);
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    for (auto& value : values) value = random() % 1'000'000;
    std::sort(values.begin(), values.end());
    low += values[ranks.low - 1] > 900'000;
    high += values[ranks.high - 1] < 900'000;
  }
  for (const unsigned beyond : {low, high}) {
    EXPECT_LE(beyond, kTrials * 30 / 1000) << "2.5 %, and three standard deviations of chance";
    EXPECT_GE(beyond, kTrials * 8 / 1000) << "the interval is no longer than it has to be";
  }
}

TEST(Quantile, NearestRankIsTheLeastWithEnoughValues) {
  EXPECT_EQ(nearest_rank(100, {99, 100}), 99u);
  EXPECT_EQ(nearest_rank(101, {99, 100}), 100u);
  EXPECT_EQ(nearest_rank(1, kP999), 1u);
}

}  // namespace
}  // namespace gputlm
