#include "tlm/base/time.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gputlm {
namespace {

/// Periods from 1 fs to a microsecond: the corners, real clocks and random ones.
std::vector<Femtoseconds> periods() {
  std::vector<Femtoseconds> all = {1, 2, 3, 7, 999'999, 1'000'000, 1'000'001, 732'601, 571'429, 1'000'000'000};
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) all.push_back(1 + random() % 10'000'000);
  return all;
}

/// Times around the edges of a clock, up to hours.
template <class Check>
void for_times(Femtoseconds period, Check check) {
  std::mt19937_64 random(period);
  for (int i = 0; i < 200; ++i) {
    const Femtoseconds edge = random() % (Femtoseconds{1} << (8 + random() % 55)) / period * period;
    for (const Femtoseconds t : {edge, edge + 1, edge + period - 1, edge + period / 2}) check(t);
  }
}

TEST(Clock, ConvertsItsEdgesToCyclesAndBackExactly) {
  for (const Femtoseconds period : periods()) {
    const Clock clock(period);
    for_times(period, [&](Femtoseconds t) {
      const Cycle n = t / period;
      ASSERT_EQ(clock.at_or_before(clock.edge(n)), n) << period;
      ASSERT_EQ(clock.at_or_after(clock.edge(n)), n) << period;
    });
  }
}

TEST(Clock, FindsTheLastEdgeAtOrBeforeATime) {
  for (const Femtoseconds period : periods()) {
    const Clock clock(period);
    for_times(period, [&](Femtoseconds t) { ASSERT_EQ(clock.at_or_before(t), t / period) << t << " by " << period; });
  }
}

TEST(Clock, FindsTheFirstEdgeAtOrAfterATime) {
  for (const Femtoseconds period : periods()) {
    const Clock clock(period);
    for_times(period, [&](Femtoseconds t) {
      ASSERT_EQ(clock.at_or_after(t), t / period + (t % period ? 1 : 0)) << t << " by " << period;
    });
  }
}

TEST(Clock, IsExactToTheLastTime) {
  std::mt19937_64 random(2);
  for (const Femtoseconds period : periods()) {
    const Clock clock(period);
    for (int i = 0; i < 200; ++i) {
      const Femtoseconds t = i == 0 ? kEndOfTime : kNever - 1 - random() % (i < 100 ? 4 * period : kNever / 2);
      ASSERT_EQ(clock.at_or_before(t), t / period) << t << " by " << period;
      ASSERT_EQ(clock.at_or_after(t), t / period + (t % period ? 1 : 0)) << t << " by " << period;
    }
  }
}

TEST(Clock, KeepsNeverAsNever) {
  const Clock clock = Clock::from_mhz(1365);
  EXPECT_EQ(clock.edge(kNever), kNever);
  EXPECT_EQ(clock.at_or_after(kNever), kNever);
}

TEST(Clock, RoundsAFrequencyToTheNearestFemtosecond) {
  EXPECT_EQ(Clock::from_mhz(1365).period(), 732'601u);
  EXPECT_EQ(Clock::from_mhz(1000).period(), 1'000'000u);
  EXPECT_EQ(Clock::from_mhz(1750).period(), 571'429u);
}

}  // namespace
}  // namespace gputlm
