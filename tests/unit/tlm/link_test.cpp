#include "tlm/link.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace gputlm {
namespace {

struct Flits {
  unsigned flits = 1;
};

TEST(Ring, BehavesLikeAQueueAcrossManyWraps) {
  std::mt19937 random(1);
  for (std::size_t capacity = 1; capacity <= 33; ++capacity) {
    Ring<int> ring(capacity);
    std::deque<int> model;
    for (int i = 0; i < 1000; ++i) {
      if (model.size() < capacity && random() % 2) {
        ring.push(i);
        model.push_back(i);
      } else if (!model.empty()) {
        ASSERT_EQ(ring.pop(), model.front());
        model.pop_front();
      }
      ASSERT_EQ(ring.size(), model.size());
      ASSERT_EQ(ring.empty(), model.empty());
      if (model.empty()) continue;
      ASSERT_EQ(ring.front(), model.front());
      ASSERT_EQ(ring.back(), model.back());
      const std::size_t any = random() % model.size();
      ASSERT_EQ(ring[any], model[any]);
    }
  }
}

TEST(Ring, IsFullAtItsCapacityAndNotBefore) {
  for (std::size_t capacity = 1; capacity <= 33; ++capacity) {
    Ring<int> ring(capacity);
    for (std::size_t i = 0; i < capacity; ++i) {
      ASSERT_FALSE(ring.full());
      ring.push(0);
    }
    ASSERT_TRUE(ring.full());
  }
}

TEST(Outbox, SendsWidthFlitsACycle) {
  for (unsigned width = 1; width <= 4; ++width) {
    for (unsigned flits = 1; flits <= 5; ++flits) {
      Outbox<Flits> outbox(width, 1000);
      Flits item{flits};
      for (unsigned i = 0; i < 100; ++i) {
        ASSERT_EQ(outbox.ready_at(), i * flits / width);
        outbox.send(outbox.ready_at(), item);
        ASSERT_EQ(outbox.departures().back().slot, i * flits);  // back to back
      }
      EXPECT_EQ(outbox.flits(), 100 * flits);
    }
  }
}

TEST(Outbox, StartsAtTheCycleOfTheSendWhenTheLinkIsIdle) {
  Outbox<Flits> outbox(4, 10);
  Flits item{3};
  outbox.send(7, item);
  outbox.send(7, item);
  outbox.send(20, item);
  EXPECT_EQ(outbox.departures()[0].slot, 28u);
  EXPECT_EQ(outbox.departures()[1].slot, 31u);
  EXPECT_EQ(outbox.departures()[2].slot, 80u);
  const std::vector<Cycle> cycles = {outbox.departures()[0].cycle, outbox.departures()[1].cycle,
                                     outbox.departures()[2].cycle};
  EXPECT_EQ(cycles, (std::vector<Cycle>{7, 7, 20}));
}

TEST(Outbox, SendsNothingWithoutACredit) {
  Outbox<Flits> outbox(1, 2);
  Flits item;
  outbox.send(0, item);
  outbox.send(1, item);
  EXPECT_EQ(outbox.ready_at(), kNever);
  EXPECT_TRUE(outbox.starved());
  outbox.credit(50, 1);
  EXPECT_FALSE(outbox.starved());
  EXPECT_EQ(outbox.ready_at(), 50u);
  outbox.send(50, item);
  EXPECT_TRUE(outbox.starved());
}

TEST(Outbox, UsesEachCreditOnceAndNotBeforeItsCycle) {
  std::mt19937 random(3);
  for (unsigned credits = 1; credits <= 8; ++credits) {
    Outbox<Flits> outbox(2, credits);
    Flits item{1};
    std::deque<std::pair<Cycle, unsigned>> under_way;
    unsigned free = credits, unreturned = 0;
    Cycle now = 0;
    for (int i = 0; i < 500; ++i) {
      const bool may_return = unreturned > 0 && (outbox.ready_at() == kNever || random() % 3 == 0);
      if (may_return) {
        const unsigned count = 1 + static_cast<unsigned>(random()) % unreturned;
        const Cycle at = std::max(now, under_way.empty() ? 0 : under_way.back().first) + random() % 5;
        outbox.credit(at, count);
        under_way.emplace_back(at, count);
        unreturned -= count;
      } else {
        now = std::max(now, outbox.ready_at());
        while (free == 0) {
          ASSERT_FALSE(under_way.empty());
          ASSERT_GE(now, under_way.front().first);
          free += under_way.front().second;
          under_way.pop_front();
        }
        outbox.send(now, item);
        --free;
        ++unreturned;
      }
    }
  }
}

TEST(Inbox, GivesItemsInOrderOnceTheirCycleHasCome) {
  Inbox<Flits> inbox(4);
  Flits first, second;
  EXPECT_EQ(inbox.next(), kNever);
  inbox.push(5, first);
  inbox.push(9, second);
  EXPECT_FALSE(inbox.ready(4));
  EXPECT_TRUE(inbox.ready(5));
  EXPECT_EQ(&inbox.pop(6), &first);
  EXPECT_EQ(inbox.next(), 9u);
  EXPECT_EQ(&inbox.pop(9), &second);
  EXPECT_EQ(inbox.freed_slots(), (std::vector<Cycle>{6, 9}));
}

TEST(Inbox, KeepsTheSlotOfATakenItemUntilItIsFreed) {
  Inbox<Flits> inbox(4);
  Flits item;
  inbox.push(1, item);
  EXPECT_EQ(&inbox.take(), &item);
  EXPECT_TRUE(inbox.freed_slots().empty());
  inbox.freed(12);
  EXPECT_EQ(inbox.freed_slots(), (std::vector<Cycle>{12}));
}

TEST(Inbox, ReportsFreedSlotsInBatchesWhateverTheListsAre) {
  Inbox<Flits> inbox(8);
  inbox.report_in_batches_of(3);
  for (Cycle at = 1; at <= 7; ++at) inbox.freed(at);
  EXPECT_EQ(inbox.freed_slots(), (std::vector<Cycle>{3, 6}));
  inbox.fill(1);
  inbox.freed(8);
  EXPECT_TRUE(inbox.freed_slots().empty());
  inbox.freed(8);
  EXPECT_EQ(inbox.freed_slots(), (std::vector<Cycle>{8}));
  inbox.freed(9, 2);
  EXPECT_EQ(inbox.freed_slots(), (std::vector<Cycle>{8}));
  inbox.freed(10, 7);
  EXPECT_EQ(inbox.freed_slots(), (std::vector<Cycle>{8, 10, 10, 10}));
}

}  // namespace
}  // namespace gputlm
