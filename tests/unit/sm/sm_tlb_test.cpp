// The TLB of an SM, in front of its load/store unit and L1.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

using Code = std::vector<Instruction>;

constexpr Cycle kAnswer = 200;

Surroundings with_mmu() {
  Surroundings surroundings;
  surroundings.translation = [](std::uint64_t) { return kAnswer; };
  return surroundings;
}

/// Lanes a page apart.
Address page_a_lane(const Instruction& in, const WarpPosition&, unsigned lane) {
  return in.operand + lane * std::uint32_t{kPageBytes};
}

TEST(SmTlb, ALineWaitsForItsTranslationAndALaterOneOfThePageDoesNot) {
  Instruction then = load_from(256, 2);
  then.source[then.sources++] = 1;  // waits for the first load
  HandKernel kernel(1, 1, {{load_from(0, 1), then}});
  SmHarness sm(one_sub_core(), {}, with_mmu());
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 2u);
  EXPECT_THAT(sm.asked, ElementsAre(Pair(2, 0)));
  EXPECT_EQ(sm.left[0].at, 2 + kAnswer);
  EXPECT_EQ(sm.left[1].at, sm.left[0].at + 100 + one_sub_core().l1.fill_latency + 1) << "issue, and then at once";
  const SmTlbStatistics& s = sm.core.tlb()->statistics();
  EXPECT_EQ(s.misses, 1u);
  EXPECT_EQ(s.replayed, 1u);
  EXPECT_EQ(s.hits, 1u);
  EXPECT_EQ(s.waited, kAnswer);
}

TEST(SmTlb, AccessesOfOneWarpToOnePageAskForItOnce) {
  HandKernel kernel(1, 1, {{load_from(0, 1)}});
  kernel.address = [](const Instruction& in, const WarpPosition&, unsigned lane) {
    return Address{in.operand} + lane * kLineBytes;  // the 32 lines of a page
  };
  SmHarness sm(one_sub_core(), {}, with_mmu());
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.asked.size(), 1u);
  EXPECT_EQ(sm.core.tlb()->statistics().merged, 31u);
  ASSERT_EQ(sm.left.size(), 32u);
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(sm.left[i].address, i * kLineBytes);
    EXPECT_EQ(sm.left[i].at, 2 + kAnswer + i) << "replayed in their order, one a cycle";
  }
}

TEST(SmTlb, OtherInstructionsPassTheOneThatWaits) {
  Code first{load_from(0, 1)}, second{load_from(1 << 20, 1)};
  Surroundings surroundings = with_mmu();
  surroundings.translation = [](std::uint64_t page) { return page == 0 ? Cycle{5000} : Cycle{100}; };
  HandKernel kernel(1, 2, {first, second});
  SmHarness sm(one_sub_core(), {}, surroundings);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 2u);
  EXPECT_EQ(sm.left[0].address, 1u << 20);
  EXPECT_LT(sm.left[0].at, 200u);
  EXPECT_GE(sm.left[1].at, 5000u);
}

TEST(SmTlb, ReplaysGoBeforeTheLinesOfTheInstructionBeingServed) {
  Instruction lines = load_from(kPageBytes + 4, 2);
  lines.source[lines.sources++] = 1;  // when its page is known
  HandKernel kernel(1, 2, {{load_from(0, 1)}, {load_from(kPageBytes, 1), lines}});
  kernel.address = [](const Instruction& in, const WarpPosition&, unsigned lane) {
    return Address{in.operand} + (in.operand == kPageBytes + 4 ? lane * 128 : 0);
  };
  Surroundings surroundings = with_mmu();
  surroundings.translation = [](std::uint64_t page) { return page == 0 ? Cycle{235} : Cycle{100}; };
  SmHarness sm(one_sub_core(), {}, surroundings);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  const auto replayed = std::find_if(sm.left.begin(), sm.left.end(), [](const Left& l) { return l.address == 0; });
  ASSERT_NE(replayed, sm.left.end());
  EXPECT_EQ(replayed->at, 2 + 235u);
  EXPECT_GT(replayed - sm.left.begin(), 3) << "lines of the second instruction went before,";
  EXPECT_GT(sm.left.end() - replayed, 3) << "and others after it";
}

TEST(SmTlb, LoadsStoresAndAtomicsThatWaitedAreMadeOnceAndTheBlockWaitsForThem) {
  HandKernel kernel(2, 2, {{load_from(0, 1), store_to(8192), atomic_on(16384, 3)}});
  kernel.address = page_a_lane;
  SmHarness sm(one_sub_core(), {}, with_mmu()), plain(one_sub_core(), {});
  for (SmHarness* const each : {&sm, &plain}) {
    each->launch(kernel);
    ASSERT_TRUE(each->run());
    EXPECT_EQ(each->accesses_in_use(), 0u);
  }
  const auto what = [](const SmHarness& harness) {
    std::vector<std::tuple<Address, unsigned, unsigned, bool, bool>> list;
    for (const Left& l : harness.left) list.emplace_back(l.address, l.block, l.warp, l.write, l.atomic);
    std::sort(list.begin(), list.end());
    return list;
  };
  // Loads of two blocks merge in the L1 when they come together, so stores and atomics alone are compared.
  const auto changes = [&](const SmHarness& harness) {
    auto list = what(harness);
    list.erase(
        std::remove_if(list.begin(), list.end(), [](const auto& l) { return !std::get<3>(l) && !std::get<4>(l); }),
        list.end());
    return list;
  };
  EXPECT_EQ(changes(sm), changes(plain));
  EXPECT_EQ(changes(sm).size(), 2u * 2 * (32 + 32));
  for (const Ended& block : sm.ended) {
    EXPECT_GE(block.end, 2 + kAnswer + 100);
    EXPECT_EQ(block.counters.global_loads, 2u * 2);
  }
}

TEST(SmTlb, WhenItHoldsAsManyMissesAsItCanTheUnitWaitsForAnAnswer) {
  SmConfig config = one_sub_core();
  config.tlb.misses = 2;
  HandKernel kernel(1, 1, {{load_from(0, 1)}});
  kernel.address = page_a_lane;
  SmHarness sm(config, {}, with_mmu());
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.asked.size(), 32u);
  for (unsigned i = 2; i < 32; ++i) EXPECT_GE(sm.asked[i].first, sm.asked[i - 2].first + kAnswer) << i;
  EXPECT_GE(sm.core.tlb()->statistics().full, 15 * (kAnswer - 4));
}

TEST(SmTlb, PagesBeyondItsReachAreAskedForAgain) {
  SmConfig config = one_sub_core();
  for (const unsigned entries : {4u, 8u}) {
    config.tlb.entries = config.tlb.ways = entries;
    Code code;
    for (unsigned i = 0; i < 24; ++i) {
      // Another line each time, of six pages in a circle, each load after the one before.
      code.push_back(load_from(i % 6 * std::uint32_t{kPageBytes} + i * 128, 1));
      code.back().source[code.back().sources++] = 1;
    }
    HandKernel kernel(1, 1, {code});
    SmHarness sm(config, {}, with_mmu());
    sm.launch(kernel);
    ASSERT_TRUE(sm.run());
    EXPECT_EQ(sm.asked.size(), entries == 4 ? 24u : 6u);
  }
}

TEST(SmTlb, AShootdownMakesItForgetPagesAndIsAcknowledged) {
  Instruction then = load_from(512, 2);
  then.source[then.sources++] = 1;
  HandKernel kernel(1, 1, {{load_from(0, 1), then}});
  SmHarness sm(one_sub_core(), {}, with_mmu());
  sm.shoot_down(250, 0, 16);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_THAT(sm.shot_down, ElementsAre(250));
  EXPECT_EQ(sm.asked.size(), 2u) << "the second line asks again";
}

TEST(SmTlb, AnAnswerOfTheSameCycleAsItsShootdownServesWhoWaitedAndIsForgotten) {
  Instruction then = load_from(512, 2);
  then.source[then.sources++] = 1;
  HandKernel kernel(1, 1, {{load_from(0, 1), then}});
  SmHarness sm(one_sub_core(), {}, with_mmu());
  sm.shoot_down(2 + kAnswer, 0, 16);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.left[0].at, 2 + kAnswer);
  EXPECT_EQ(sm.asked.size(), 2u);
}

TEST(SmTlb, DoesTheSameHoweverTimeIsCut) {
  SmConfig config = one_sub_core();
  config.tlb = {4, 2, 3, 5};
  config.l1.queue = 4;
  config.l1.mshrs = 4;
  std::mt19937 random(5);
  Code code;
  for (unsigned i = 0; i < 60; ++i) {
    const auto address = static_cast<std::uint32_t>(random() % (8 * kPageBytes) / 4 * 4);
    const unsigned kind = random() % 4;
    code.push_back(kind == 0   ? store_to(address)
                   : kind == 1 ? atomic_on(address, static_cast<std::uint8_t>(1 + random() % 8))
                   : kind == 2 ? load_from(address % 1024, 9, Space::kShared)
                               : load_from(address, static_cast<std::uint8_t>(1 + random() % 8)));
  }
  HandKernel kernel(6, 4, {code});
  kernel.address = [](const Instruction& in, const WarpPosition& at, unsigned lane) {
    if (in.space == Space::kShared) return Address{in.operand} + lane * 4;
    return (Address{in.operand} + at.warp * 1000 + lane * (in.operand % 3 ? 4 : 1100)) / 4 * 4;
  };
  Surroundings surroundings = with_mmu();
  surroundings.translation = [](std::uint64_t page) { return 60 + page % 7 * 50; };
  const auto run = [&](const std::function<Cycle()>& window) {
    SmHarness sm(config, {}, surroundings);
    for (Cycle at = 300; at < 20000; at += 300) sm.shoot_down(at, at % 8, 2);
    sm.launch(kernel);
    EXPECT_TRUE(sm.run(window));
    EXPECT_GT(sm.core.tlb()->statistics().full, 0u);
    return std::make_tuple(sm.ended, sm.left, sm.asked);
  };
  const auto whole = run([] { return Cycle{20}; });
  EXPECT_EQ(run([] { return Cycle{1}; }), whole);
  std::mt19937 cuts(3);
  EXPECT_EQ(run([&] { return 1 + cuts() % 20; }), whole);
}

}  // namespace
}  // namespace gputlm::test
