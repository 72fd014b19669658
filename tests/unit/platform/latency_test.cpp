#include "platform/run/memory_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/kernel/random.h"

namespace gputlm {
namespace {

/// The definition, on all values sorted.
Cycle value_of_rank(const std::vector<Cycle>& sorted, unsigned per_cent) {
  std::size_t rank = 1;
  while (rank * 100 < sorted.size() * per_cent) ++rank;
  return sorted[rank - 1];
}

TEST(LatencyDistribution, IsExactForValuesOfEverySize) {
  for (std::uint64_t set = 0; set < 60; ++set) {
    LatencyDistribution latency;
    std::vector<Cycle> values;
    const std::uint64_t count = 1 + derive(1, set) % 400;
    for (std::uint64_t i = 0; i < count; ++i) {
      // Values of one to forty bits: inside and outside the table.
      values.push_back(derive(set, i) >> (64 - 1 - (set + i % 3 * 7) % 40));
      latency.add(values.back());
    }
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (const Cycle value : values) sum += static_cast<double>(value);
    EXPECT_EQ(latency.count(), count);
    EXPECT_DOUBLE_EQ(latency.mean(), sum / static_cast<double>(count));
    EXPECT_EQ(latency.least(), values.front());
    EXPECT_EQ(latency.most(), values.back());
    for (const unsigned per_cent : {1, 50, 90, 99, 100}) {
      EXPECT_EQ(latency.quantile(per_cent, 100), value_of_rank(values, per_cent)) << set << ", " << per_cent << " %";
    }
  }
}

TEST(LatencyDistribution, OfTwoTogetherIsThatOfAllTheirValues) {
  LatencyDistribution a, b, both;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Cycle value = derive(2, i) % 40000;
    (i % 3 ? a : b).add(value);
    both.add(value);
  }
  a.add(b);
  EXPECT_EQ(a.table(), both.table());
  EXPECT_EQ(a.count(), both.count());
  EXPECT_DOUBLE_EQ(a.mean(), both.mean());
}

TEST(LatencyDistribution, OfNothingIsZero) {
  const LatencyDistribution none;
  EXPECT_EQ(none.count(), 0u);
  EXPECT_EQ(none.mean(), 0.0);
  EXPECT_EQ(none.quantile(99, 100), 0u);
}

}  // namespace
}  // namespace gputlm
