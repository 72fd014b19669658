#include "models/noc/calendar.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <vector>

namespace gputlm {
namespace {

struct Item {
  int number = 0;
  Item* next = nullptr;
};

/// Numbers of the items of a cycle, which the calendar has come to.
std::vector<int> taken(Calendar<Item>& calendar, Cycle at) {
  Item* const last = &calendar.take(at);
  std::vector<int> numbers;
  const Item* item = last;
  do {
    item = item->next;
    numbers.push_back(item->number);
  } while (item != last);
  return numbers;
}

TEST(Calendar, GivesWhatAMapGives) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    Calendar<Item> calendar;
    std::map<Cycle, std::vector<int>> expected;
    std::deque<Item> items;
    Cycle begin = 0;
    for (int step = 0; step < 3000; ++step) {
      if (random() % 2) {
        // Mostly within what the lists reach; some far behind it, in cycles that others are added to later, from nearer by.
        const Cycle at = begin + (random() % 8 == 0 ? random() % 500 : random() % 64);
        items.push_back({step});
        calendar.add(at, items.back());
        expected[at].push_back(step);
      }
      const Cycle next = expected.empty() ? kNever : expected.begin()->first;
      ASSERT_EQ(calendar.next(), next) << "seed " << seed << ", step " << step;
      if (random() % 3) continue;
      begin = std::min(next, begin + random() % 100);
      calendar.begin_at(begin);
      ASSERT_EQ(calendar.next(), next);
      if (begin != next) continue;
      ASSERT_EQ(taken(calendar, begin), expected.begin()->second) << "seed " << seed << ", step " << step;
      expected.erase(expected.begin());
    }
  }
}

TEST(Calendar, KnowsWhichOfTheNext64CyclesHaveItems) {
  Calendar<Item> calendar;
  std::vector<Item> items(5);
  calendar.begin_at(1000);
  const Cycle at[] = {1000, 1007, 1007, 1063, 1064};
  for (std::size_t i = 0; i < items.size(); ++i) calendar.add(at[i], items[i]);
  const std::uint64_t one = 1;
  EXPECT_EQ(calendar.cycles(), one | one << 7 | one << 63);
  calendar.take(1000);
  EXPECT_EQ(calendar.cycles(), one << 7 | one << 63);
  calendar.begin_at(1001);
  EXPECT_EQ(calendar.cycles(), one << 6 | one << 62 | one << 63);  // the last one was too far off
}

}  // namespace
}  // namespace gputlm
