#include "models/sm/warp_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "tlm/error.h"

namespace gputlm {
namespace {

TEST(WarpScheduler, EveryNameMakesAPolicyAndOthersAreRefused) {
  for (const auto& policy : warp_schedulers()) EXPECT_NE(make_warp_scheduler(policy.name), nullptr) << policy.name;
  EXPECT_THROW(make_warp_scheduler("fifo"), InputError);
}

TEST(WarpScheduler, PicksOnlyCandidatesAndPickingChangesNothing) {
  std::mt19937_64 random(1);
  for (const auto& policy : warp_schedulers()) {
    const std::string name = policy.name;
    const auto scheduler = make_warp_scheduler(name);
    for (unsigned slot = 0; slot < 64; ++slot) scheduler->assigned(slot, 0);
    for (int i = 0; i < 10000; ++i) {
      const std::uint64_t candidates = random() & random() & (random() | random());
      if (!candidates) continue;
      const unsigned slot = scheduler->pick(candidates);
      ASSERT_LT(slot, 64u);
      ASSERT_TRUE(candidates >> slot & 1) << name;
      ASSERT_EQ(scheduler->pick(candidates), slot) << name;
      if (random() % 2) scheduler->issued(slot);
    }
  }
}

TEST(LooseRoundRobin, TakesTheFirstCandidateAfterTheLastIssuerInSlotOrder) {
  std::mt19937_64 random(2);
  const auto scheduler = make_loose_round_robin();
  unsigned last = 63;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t candidates = random() & random() & random();
    if (!candidates) continue;
    unsigned expected = (last + 1) % 64;
    while (!(candidates >> expected & 1)) expected = (expected + 1) % 64;
    const unsigned slot = scheduler->pick(candidates);
    ASSERT_EQ(slot, expected) << "after slot " << last;
    scheduler->issued(last = slot);
  }
}

TEST(LooseRoundRobin, ServesWarpsThatAreAlwaysReadyEquallyOften) {
  const auto scheduler = make_loose_round_robin();
  const std::uint64_t candidates = 0x8000000000010015;
  std::array<unsigned, 64> issues{};
  for (int i = 0; i < 500; ++i) {
    const unsigned slot = scheduler->pick(candidates);
    ++issues[slot];
    scheduler->issued(slot);
  }
  for (unsigned slot = 0; slot < 64; ++slot) EXPECT_EQ(issues[slot], candidates >> slot & 1 ? 100u : 0u);
}

TEST(GreedyThenOldest, StaysWithTheLastIssuerAndElseTakesTheFirstAssigned) {
  std::mt19937_64 random(3);
  const auto scheduler = make_greedy_then_oldest();
  std::vector<unsigned> by_age;  // oldest first
  constexpr unsigned kNobody = 64;
  unsigned greedy = kNobody;
  for (int i = 0; i < 50000; ++i) {
    const auto slot = static_cast<unsigned>(random() % 64);
    const auto at = std::find(by_age.begin(), by_age.end(), slot);
    switch (random() % 4) {
      case 0:
        if (at != by_age.end()) break;
        scheduler->assigned(slot, 0);
        by_age.push_back(slot);
        break;
      case 1:
        if (at == by_age.end()) break;
        scheduler->released(slot);
        by_age.erase(at);
        if (greedy == slot) greedy = kNobody;
        break;
      default: {
        std::uint64_t candidates = 0;
        for (const unsigned s : by_age) candidates |= (random() % 3 ? std::uint64_t{0} : std::uint64_t{1}) << s;
        if (!candidates) break;
        const auto oldest = std::find_if(by_age.begin(), by_age.end(), [&](unsigned s) { return candidates >> s & 1; });
        const unsigned expected = greedy != kNobody && (candidates >> greedy & 1) ? greedy : *oldest;
        ASSERT_EQ(scheduler->pick(candidates), expected);
        scheduler->issued(expected);
        greedy = expected;
      }
    }
  }
}

TEST(GreedyThenOldest, AWarpInAReusedSlotIsTheYoungest) {
  const auto scheduler = make_greedy_then_oldest();
  for (unsigned slot : {0u, 1u, 2u}) scheduler->assigned(slot, 0);
  scheduler->issued(0);
  scheduler->released(0);
  scheduler->assigned(0, 1);
  EXPECT_EQ(scheduler->pick(0b111), 1u);
  EXPECT_EQ(scheduler->pick(0b101), 2u);
}

}  // namespace
}  // namespace gputlm
