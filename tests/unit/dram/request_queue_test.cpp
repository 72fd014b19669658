#include "models/dram/request_queue.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace gputlm {
namespace {

/// Compares with a vector, from which any element may be erased: mostly one of the oldest, as schedulers pick.
TEST(RequestQueue, HoldsWhatHasComeAndNotLeftInItsOrder) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    RequestQueue queue;
    std::vector<std::uint64_t> expected;  // ages
    std::uint64_t age = 0;
    for (int step = 0; step < 2000; ++step) {
      // It fills and empties by turns.
      const bool fills = step / 200 % 2 == 0;
      if (expected.empty() || random() % 5 < (fills ? 3u : 2u)) {
        EXPECT_EQ(queue.push_back({7 * age, age, 0, 0, false}).age, age);
        expected.push_back(age++);
      } else {
        const std::size_t among = random() % 4 == 0 ? expected.size() : std::min<std::size_t>(2, expected.size());
        const std::size_t i = random() % among;
        queue.erase(i);
        expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
      }
      ASSERT_EQ(queue.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(queue[i].age, expected[i]);
        ASSERT_EQ(queue[i].row, 7 * expected[i]);
      }
    }
  }
}

}  // namespace
}  // namespace gputlm
