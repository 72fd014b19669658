#include "models/noc/cycle_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace gputlm {
namespace {

std::vector<Cycle> taken(CycleSorter& sorter, Cycle until) {
  std::vector<Cycle> all;
  sorter.take(until, [&](Cycle cycle, unsigned count) { all.insert(all.end(), count, cycle); });
  return all;
}

TEST(CycleSorter, GivesWhatASortGives) {
  std::mt19937 random(1);
  CycleSorter sorter;
  for (int window = 0; window < 2000; ++window) {
    const Cycle until = window % 3 == 0 ? 1 + random() % 100 : 1'000'000 + random() % 1000;  // also shorter than 64
    const Cycle longest = std::min<Cycle>(until, window % 5 == 0 ? 500 : 20);
    std::vector<Cycle> cycles(random() % 40);
    for (Cycle& cycle : cycles) {
      cycle = until - 1 - random() % longest;
      sorter.add(cycle, until);
    }
    EXPECT_EQ(sorter.empty(), cycles.empty());
    std::sort(cycles.begin(), cycles.end());
    ASSERT_EQ(taken(sorter, until), cycles);
    EXPECT_TRUE(sorter.empty());
  }
}

TEST(CycleSorter, CountsCyclesThatComeOftenAndTellsTheLast64FromTheOneBefore) {
  CycleSorter sorter;
  for (int i = 0; i < 300; ++i) sorter.add(99, 100);
  for (const Cycle cycle : {36, 35, 37, 0}) sorter.add(cycle, 100);
  std::vector<Cycle> expected = {0, 35, 36, 37};
  expected.insert(expected.end(), 300, 99);
  EXPECT_EQ(taken(sorter, 100), expected);
}

}  // namespace
}  // namespace gputlm
