// The SM that runs blocks: what is there gets on at the rate of the table, rescaled whenever a block comes or goes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/sm/blocks/durations.h"
#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;

NocConfig noc() {
  NocConfig config;
  config.queue = 64;
  return config;
}

SmConfig of_blocks() {
  SmConfig config = one_sub_core();
  config.model = "blocks";
  return config;
}

std::vector<Instruction> chain(unsigned count) {
  return std::vector<Instruction>(count, arithmetic(Pipe::kFp32, 4, {4}));
}

/// Of blocks that share an SM as they share its pipelines: n of them take n times as long.
KernelDurations sharing(const std::string& name, Cycle alone) {
  return {name, name, 11, 0, {}, {{1, alone, alone}, {16, 16 * alone, 16 * alone}}};
}

/// Two kernels of which each slows the other as it slows itself.
DurationTable two_that_share(Cycle a, Cycle b) {
  DurationTable table;
  table.kernels = {sharing("a", a), sharing("b", b)};
  PairDurations pair;
  pair.kernels[1] = 1;
  for (unsigned n = 1; n < 16; ++n) {
    for (unsigned m = 1; m + n <= 16; ++m)
      pair.beside.push_back({{n, m}, {(n + m) * kPerMille / n, (n + m) * kPerMille / m}});
  }
  table.pairs = {pair};
  return table;
}

std::vector<Cycle> ends(const SmHarness& sm) {
  std::vector<Cycle> all;
  for (const Ended& block : sm.ended) all.push_back(block.end);
  return all;
}

class BlockSmOfTwo : public testing::Test {
 protected:
  BlockSmOfTwo() {
    durations.add(a, 0);
    durations.add(b, 1);
  }
  BlockDurations durations{two_that_share(1000, 3000)};
  HandKernel a{1, 1, {chain(10)}}, b{1, 1, {chain(10)}};
  SmHarness sm{of_blocks(), noc(), {}, &durations};
};

TEST_F(BlockSmOfTwo, ABlockAloneTakesTheCyclesOfTheTable) {
  sm.launch(a, 0, 7);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.ended.at(0).start, 7u);
  EXPECT_EQ(sm.ended.at(0).end, 1007u);
  EXPECT_EQ(sm.ended.at(0).counters.instructions, 11u) << "ten and the exit";
}

TEST_F(BlockSmOfTwo, WhatIsLeftIsRescaledWhenABlockComesAndWhenItGoes) {
  sm.launch(a, 0, 0);
  sm.launch(a, 1, 500);  // the first has half left, which takes 1000 cycles beside the second
  ASSERT_TRUE(sm.run());
  EXPECT_THAT(ends(sm), ElementsAre(1500, 2000));
}

TEST_F(BlockSmOfTwo, EachKernelIsSlowedByTheOther) {
  sm.launch(a, 0, 0);
  sm.launch(b, 1, 0);  // starts a cycle later: one launch a cycle
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.ended.size(), 2u);
  EXPECT_NEAR(static_cast<double>(sm.ended[0].end), 2000, 2);
  EXPECT_NEAR(static_cast<double>(sm.ended[1].end), 4000, 3) << "a third is done in the 2000 cycles beside the other";
}

TEST_F(BlockSmOfTwo, TheTimeAwayIsPreemptedAndNoWorkIsLost) {
  sm.launch(a, 0, 0);
  sm.preempt(400, 3000);
  ASSERT_TRUE(sm.run());
  const Ended& block = sm.ended.at(0);
  const std::uint64_t away = block.stall(Stall::kPreempted);
  EXPECT_GT(away, 2500u);
  EXPECT_NEAR(static_cast<double>(block.end - block.start - away), 1000, 2);
  ASSERT_EQ(sm.switched.size(), 2u);
  EXPECT_EQ(sm.switched[0].blocks, 1u);
  EXPECT_GT(sm.left.size(), 0u) << "its state goes to memory";
}

TEST(BlockSm, BlocksOfALaunchWaitForItsFetch) {
  DurationTable table;
  table.kernels = {sharing("a", 1000)};
  BlockDurations durations(table);
  HandKernel a(1, 1, {chain(10)});
  durations.add(a, 0);
  SmConfig config = of_blocks();
  config.launch_fetch_latency = 300;
  SmHarness sm(config, noc(), {}, &durations);
  sm.launch(a, 0, 0);
  ASSERT_TRUE(sm.run());
  EXPECT_THAT(ends(sm), ElementsAre(1300));
}

TEST(BlockSm, SpinsEndWhenTheyEndOnAnSmThatRunsWarps) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const unsigned warps = 1 + random() % 4;
    HandKernel kernel(1, warps, {{control(Op::kSpin, 1000 * (5 + random() % 5000) + random() % 1000)}});
    BlockDurations durations{DurationTable()};
    durations.add(kernel, BlockDurations::kOnlySpins);
    SmConfig config = one_sub_core();
    config.sub_cores = 1 + random() % 4;
    SmHarness of_warps(config, noc());
    config.model = "blocks";
    SmHarness sm(config, noc(), {}, &durations);
    const Cycle at = random() % 100;
    of_warps.launch(kernel, 0, at);
    sm.launch(kernel, 0, at);
    ASSERT_TRUE(of_warps.run());
    ASSERT_TRUE(sm.run());
    EXPECT_EQ(ends(sm), ends(of_warps)) << warps << " warps, " << config.sub_cores << " sub-cores";
    EXPECT_EQ(sm.ended[0].counters.instructions, of_warps.ended[0].counters.instructions);
  }
}

TEST(BlockSm, AnSmThatSharesItsTimeIsBusyAsLongAsItsBlocksTakeAlone) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    const Cycle one = 500 + random() % 5000, other = 500 + random() % 5000;
    BlockDurations durations(two_that_share(one, other));
    HandKernel a(1, 1, {chain(10)}), b(1, 1, {chain(10)});
    durations.add(a, 0);
    durations.add(b, 1);
    SmHarness sm(of_blocks(), noc(), {}, &durations);
    const unsigned count = 2 + random() % 14;
    Cycle at = 0, work = 0;
    for (KernelId k = 0; k < count; ++k) {
      const bool first = random() % 2 == 0;
      sm.launch(first ? a : b, k, at);
      at += random() % (work / 2 + 1) * (k > 0);
      work += first ? one : other;
      at = std::min(at, work > 200 ? work - 200 : 0);  // the SM is never idle
    }
    ASSERT_TRUE(sm.run());
    Cycle last = 0;
    for (const Cycle end : ends(sm)) last = std::max(last, end);
    // Rates change at most twice a block, and slowdowns are per mille.
    EXPECT_NEAR(static_cast<double>(last), static_cast<double>(work), 2.0 * count + 0.002 * static_cast<double>(work));
  }
}

TEST(BlockSm, DoesTheSameForEveryWindow) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    BlockDurations durations(two_that_share(300 + random() % 1000, 300 + random() % 1000));
    HandKernel a(10, 2, {chain(10)}), b(20, 1, {chain(10)}), c(4, 1, {{control(Op::kSpin, 700'500)}});
    durations.add(a, 0);
    durations.add(b, 1);
    durations.add(c, BlockDurations::kOnlySpins);
    const auto run = [&](const std::function<Cycle()>& window) {
      SmHarness sm(of_blocks(), noc(), {}, &durations);
      sm.launch(a, 0, 10);
      sm.launch(c, 1, 20);
      sm.launch(b, 2, 400);
      sm.preempt(900, 2000);
      EXPECT_TRUE(sm.run(window));
      return std::make_pair(sm.ended, sm.switched);
    };
    const auto longest = run([] { return Cycle{20}; });
    EXPECT_EQ(longest, run([] { return Cycle{1}; }));
    EXPECT_EQ(longest, run([&] { return 1 + random() % 20; }));
  }
}

}  // namespace
}  // namespace gputlm::test
