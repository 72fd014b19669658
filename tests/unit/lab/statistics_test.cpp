// Means over seeds, and their confidence.

#include "platform/lab/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gputlm {
namespace {

TEST(Estimate, OfASingleValueHasNoInterval) {
  const Estimate e = estimate({7});
  EXPECT_EQ(e.count, 1u);
  EXPECT_EQ(e.mean, 7);
  EXPECT_FALSE(e.deviation);
  EXPECT_FALSE(e.half_width);
}

/// Two-sided 95 % quantiles of Student's t distribution, as tables have them.
TEST(Estimate, HasTheIntervalOfStudentsTables) {
  struct Row {
    int count;
    double quantile;
  };
  for (const Row& row : {Row{2, 12.706}, Row{3, 4.303}, Row{5, 2.776}, Row{10, 2.262}, Row{31, 2.042}}) {
    std::vector<double> values;
    for (int i = 0; i < row.count; ++i) values.push_back(i);
    const Estimate e = estimate(values);
    const double n = row.count, deviation = std::sqrt(n * (n + 1) / 12);  // of 0, 1, ... n - 1
    EXPECT_DOUBLE_EQ(e.mean, (n - 1) / 2);
    EXPECT_NEAR(*e.deviation, deviation, 1e-9);
    EXPECT_NEAR(*e.half_width / (deviation / std::sqrt(n)), row.quantile, 5e-4) << row.count;
    EXPECT_DOUBLE_EQ(*e.high() - e.mean, e.mean - *e.low());
  }
}

TEST(Estimate, OfEqualValuesIsThatValueAndNothingBeside) {
  const Estimate e = estimate({3, 3, 3});
  EXPECT_EQ(e.low(), 3);
  EXPECT_EQ(e.high(), 3);
}

/// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I: score
/// method without continuity correction.
TEST(Wilson, HasTheIntervalsOfNewcombesTable) {
  struct Row {
    unsigned times, of;
    double low, high;
  };
  for (const Row& row : {Row{81, 263, 0.2553, 0.3662}, Row{15, 148, 0.0624, 0.1605}, Row{0, 20, 0, 0.1611},
                         Row{1, 29, 0.0061, 0.1718}}) {
    const ShareInterval interval = wilson(row.times, row.of);
    EXPECT_NEAR(interval.low, row.low, 5e-5) << row.times;
    EXPECT_NEAR(interval.high, row.high, 5e-5) << row.times;
  }
}

TEST(Wilson, IsNotOfLengthZeroWhereAllHaveHappened) {
  EXPECT_LT(wilson(8, 8).low, 0.8);
  EXPECT_EQ(wilson(8, 8).high, 1);
}

}  // namespace
}  // namespace gputlm
