// The metrics by hand.

#include "platform/lab/metrics.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

TEST(Metrics, OfFrRrFcfsAreItsEquations) {  // section 2.3
  const std::vector<double> speeds{relative_speed(98, 100), relative_speed(1, 10)};
  EXPECT_DOUBLE_EQ(speeds[0], 0.98);
  EXPECT_DOUBLE_EQ(speeds[1], 0.1);
  EXPECT_DOUBLE_EQ(weighted_speedup(speeds), 1.08);
  EXPECT_DOUBLE_EQ(instruction_throughput({98, 1}), 99);
  EXPECT_DOUBLE_EQ(fairness_index(speeds), 9.8);
  EXPECT_DOUBLE_EQ(fairness_index({speeds[1], speeds[0]}), 9.8) << "regardless of the order";
}

TEST(Metrics, OfSrtfAreItsDefinitions) {  // section 6.1
  const std::vector<double> slowdowns{slowdown(200, 100), slowdown(500, 400)};
  EXPECT_DOUBLE_EQ(stp(slowdowns), 100.0 / 200 + 400.0 / 500);
  EXPECT_DOUBLE_EQ(antt(slowdowns), (2 + 1.25) / 2);
  EXPECT_DOUBLE_EQ(strictf(slowdowns), 1.25 / 2);
  EXPECT_DOUBLE_EQ(strictf({slowdowns[1], slowdowns[0]}), 1.25 / 2);
}

TEST(Metrics, OfWhatRunsAsFastAsAloneAreTheirBestValues) {
  EXPECT_DOUBLE_EQ(stp({1, 1, 1}), 3);
  EXPECT_DOUBLE_EQ(antt({1, 1, 1}), 1);
  EXPECT_DOUBLE_EQ(strictf({1, 1, 1}), 1);
  EXPECT_DOUBLE_EQ(weighted_speedup({1, 1, 1}), 3);
  EXPECT_DOUBLE_EQ(fairness_index({1, 1, 1}), 1);
}

TEST(Metrics, OfMoreThanTwoLookAtTheExtremes) {
  EXPECT_DOUBLE_EQ(fairness_index({0.5, 0.2, 0.8}), 4);
  EXPECT_DOUBLE_EQ(strictf({2, 5, 1.25}), 0.25);
}

TEST(Metrics, JainsIndexIsTheShareOfThoseWhoWouldHaveItAllEqually) {
  EXPECT_DOUBLE_EQ(jain_index({3, 3, 3}), 1);
  EXPECT_DOUBLE_EQ(jain_index({1, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index({2, 2, 0, 0}), 0.5);
  EXPECT_DOUBLE_EQ(jain_index({1, 2}), 9.0 / 10);
}

TEST(Metrics, Means) {
  EXPECT_DOUBLE_EQ(mean({1, 2, 6}), 3);
  EXPECT_NEAR(geometric_mean({2, 8}), 4, 1e-12);
  EXPECT_NEAR(geometric_mean({1, 10, 100}), 10, 1e-12);
  EXPECT_DOUBLE_EQ(ratio(1, 4), 0.25);
  EXPECT_DOUBLE_EQ(ratio(1, 0), 0);
}

}  // namespace
}  // namespace gputlm
