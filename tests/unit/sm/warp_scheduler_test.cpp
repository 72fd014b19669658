#include "models/sm/warp_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

TEST(WarpScheduler, EveryNameMakesAPolicyAndOthersAreRefused) {
  for (const auto& policy : warp_schedulers())
    EXPECT_NE(make_warp_scheduler(policy.name, {48}), nullptr) << policy.name;
  EXPECT_THROW(make_warp_scheduler("fifo"), InputError);
}

TEST(WarpScheduler, PicksOnlyCandidatesAndPickingChangesNothing) {
  std::mt19937_64 random(1);
  for (const auto& policy : warp_schedulers()) {
    const std::string name = policy.name;
    const auto scheduler = make_warp_scheduler(name, {48});
    for (unsigned slot = 0; slot < 48; ++slot) scheduler->assigned(slot, 1 + slot % 3);
    for (int i = 0; i < 10000; ++i) {
      const std::uint64_t candidates = random() & random() & (random() | random()) & ((std::uint64_t{1} << 48) - 1);
      if (!candidates) continue;
      const unsigned slot = scheduler->pick(candidates);
      ASSERT_EQ(scheduler->pick(candidates), slot) << name;
      if (slot == kNoWarp) continue;
      ASSERT_TRUE(candidates >> slot & 1) << name;
      if (random() % 2) scheduler->issued(slot);
    }
  }
}

TEST(LooseRoundRobin, TakesTheFirstCandidateAfterTheLastIssuerInSlotOrder) {
  std::mt19937_64 random(2);
  const auto scheduler = make_warp_scheduler("lrr");
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
  const auto scheduler = make_warp_scheduler("lrr");
  const std::uint64_t candidates = 0x8000000000010015;
  std::array<unsigned, 64> issues{};
  for (int i = 0; i < 500; ++i) {
    const unsigned slot = scheduler->pick(candidates);
    ++issues[slot];
    scheduler->issued(slot);
  }
  for (unsigned slot = 0; slot < 64; ++slot) EXPECT_EQ(issues[slot], candidates >> slot & 1 ? 100u : 0u);
}

TEST(GreedyRoundRobin, StaysWithTheLastIssuerAndElseTakesTheNextInSlotOrder) {
  std::mt19937_64 random(4);
  const auto scheduler = make_warp_scheduler("lrr_greedy");
  unsigned last = 63;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t candidates = random() & random() & random();
    if (!candidates) continue;
    unsigned expected = i == 0 ? 0 : last;
    while (!(candidates >> expected & 1)) expected = (expected + 1) % 64;
    const unsigned slot = scheduler->pick(candidates);
    ASSERT_EQ(slot, expected) << "after slot " << last;
    scheduler->issued(last = slot);
  }
}

TEST(GreedyRoundRobin, TakesTheNextWarpWhenTheLastIssuerHasLeftItsSlotToAnother) {
  const auto scheduler = make_warp_scheduler("lrr_greedy");
  for (const unsigned slot : {0u, 1u, 2u}) scheduler->assigned(slot, 1);
  scheduler->issued(1);
  EXPECT_EQ(scheduler->pick(0b111), 1u);
  scheduler->released(1);
  scheduler->assigned(1, 1);
  EXPECT_EQ(scheduler->pick(0b111), 2u);
}

/// Stays with the last issuer, and else takes the warp that was assigned first, or last.
void expect_greedy_by_age(const char* policy, bool oldest_first) {
  std::mt19937_64 random(3);
  const auto scheduler = make_warp_scheduler(policy);
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
        const auto can = [&](unsigned s) { return candidates >> s & 1; };
        const unsigned next = oldest_first ? *std::find_if(by_age.begin(), by_age.end(), can)
                                           : *std::find_if(by_age.rbegin(), by_age.rend(), can);
        const unsigned expected = greedy != kNobody && can(greedy) ? greedy : next;
        ASSERT_EQ(scheduler->pick(candidates), expected);
        scheduler->issued(expected);
        greedy = expected;
      }
    }
  }
}

TEST(GreedyThenOldest, StaysWithTheLastIssuerAndElseTakesTheFirstAssigned) { expect_greedy_by_age("gto", true); }

TEST(GreedyThenYoungest, StaysWithTheLastIssuerAndElseTakesTheLastAssigned) { expect_greedy_by_age("gty", false); }

TEST(GreedyThenOldest, AWarpInAReusedSlotIsTheYoungest) {
  const auto scheduler = make_warp_scheduler("gto");
  for (unsigned slot : {0u, 1u, 2u}) scheduler->assigned(slot, 0);
  scheduler->issued(0);
  scheduler->released(0);
  scheduler->assigned(0, 1);
  EXPECT_EQ(scheduler->pick(0b111), 1u);
  EXPECT_EQ(scheduler->pick(0b101), 2u);
}

TEST(GreedyThenYoungest, AWarpInAReusedSlotIsTheYoungest) {
  const auto scheduler = make_warp_scheduler("gty");
  for (unsigned slot : {0u, 1u, 2u}) scheduler->assigned(slot, 0);
  scheduler->issued(0);
  scheduler->released(0);
  scheduler->assigned(0, 1);
  EXPECT_EQ(scheduler->pick(0b111), 0u) << "not as the one that issued last";
  scheduler->issued(1);
  EXPECT_EQ(scheduler->pick(0b110), 1u);
  EXPECT_EQ(scheduler->pick(0b101), 0u);
}

/// Two-level, as its rules say, on lists.
struct ActiveAndPending {
  std::size_t most;
  std::vector<unsigned> active, pending;
  unsigned last = 63;

  static bool in(const std::vector<unsigned>& list, unsigned slot) {
    return std::find(list.begin(), list.end(), slot) != list.end();
  }
  static void take(std::vector<unsigned>& list, unsigned slot) {
    list.erase(std::remove(list.begin(), list.end(), slot), list.end());
  }
  unsigned pick(std::uint64_t candidates) const {
    std::vector<unsigned> eligible;
    for (const unsigned slot : active) {
      if (candidates >> slot & 1) eligible.push_back(slot);
    }
    std::size_t room = most - active.size();
    for (const unsigned slot : pending) {
      if (room == 0 || !(candidates >> slot & 1)) continue;
      eligible.push_back(slot);
      --room;
    }
    for (unsigned k = 1; k <= 64; ++k) {
      if (in(eligible, (last + k) % 64)) return (last + k) % 64;
    }
    return kNoWarp;
  }
};

TEST(TwoLevel, OnlyActiveWarpsIssueAndTheOnesThatWaitMakeRoom) {
  for (const unsigned most : {1u, 2u, 6u, 64u}) {
    std::mt19937_64 random(most);
    const auto scheduler = make_warp_scheduler("two_level", {64, {{"two_level.active_warps", most}}});
    ActiveAndPending rules{most, {}, {}};
    std::uint64_t present = 0, waiting = 0;
    unsigned refused = 0;
    for (int i = 0; i < 40000; ++i) {
      const auto slot = static_cast<unsigned>(random() % 24);
      const std::uint64_t warp = std::uint64_t{1} << slot;
      switch (random() % 8) {
        case 0:
          if (present & warp) break;
          scheduler->assigned(slot, 1);
          rules.pending.push_back(slot);
          present |= warp;
          break;
        case 1:
          if (!(present & warp)) break;
          scheduler->released(slot);
          ActiveAndPending::take(rules.active, slot);
          ActiveAndPending::take(rules.pending, slot);
          present &= ~warp;
          waiting &= ~warp;
          break;
        case 2:
          if (!(present & warp)) break;
          scheduler->blocked(slot);
          waiting |= warp;
          if (!ActiveAndPending::in(rules.active, slot)) break;
          ActiveAndPending::take(rules.active, slot);
          rules.pending.push_back(slot);
          break;
        case 3: waiting &= ~warp; break;
        default: {
          const std::uint64_t candidates = present & ~waiting & random();
          if (!candidates) break;
          const unsigned expected = rules.pick(candidates);
          ASSERT_EQ(scheduler->pick(candidates), expected) << "step " << i << ", " << most << " active";
          if (expected == kNoWarp) {
            ++refused;
            break;
          }
          scheduler->issued(expected);
          rules.last = expected;
          if (ActiveAndPending::in(rules.active, expected)) break;
          ActiveAndPending::take(rules.pending, expected);
          rules.active.push_back(expected);
        }
      }
    }
    EXPECT_EQ(refused > 0, most < 24) << most;
  }
}

TEST(TwoLevel, CountsTheWarpsThatBecomeActiveAndThoseThatWait) {
  const auto scheduler = make_warp_scheduler("two_level", {64, {{"two_level.active_warps", 1u}}});
  scheduler->assigned(0, 1);
  scheduler->assigned(1, 1);
  scheduler->issued(0);
  scheduler->blocked(0);
  scheduler->issued(1);
  scheduler->issued(1);
  PolicyCounts counts;
  scheduler->count(counts);
  EXPECT_EQ(counts.values(), (std::vector<std::uint64_t>{2, 1}));
}

}  // namespace
}  // namespace gputlm
