// Means over seeds, and how sure they are.

#include "platform/lab/statistics.h"

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

}  // namespace
}  // namespace gputlm
