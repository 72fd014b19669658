// The SM that runs blocks: resident blocks proceed at the rate of the table, rescaled whenever a block comes or goes.

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

/// Durations of blocks that share an SM as they share its pipelines: n of them take n times as long.
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

/// One kernel whose blocks take 4000 cycles with replies after 200, and 8000 with replies after 600.
DurationTable table_of_requests() {
  DurationTable table;
  table.delay = 400;
  table.kernels = {{"a",
                    "a",
                    11,
                    0,
                    {},
                    {{1, 4000, 4000}, {16, 4000, 4000}},
                    10,
                    {{1, 8000, 8000}, {16, 8000, 8000}},
                    {{1, 200, 200}, {16, 200, 200}}}};
  return table;
}

SmConfig of_requests() {
  SmConfig config = of_blocks();
  config.model = "blocks_requests";
  return config;
}

/// Ten loads of lines of its own for each block.
class BlockSmOfRequests : public testing::Test {
 protected:
  explicit BlockSmOfRequests(std::uint64_t blocks = 1) : a(blocks, 1, {std::vector<Instruction>(10, load_from(0, 4))}) {
    for (std::uint32_t i = 0; i < 10; ++i) a.codes[0][i].operand = i * 128;
    a.address = [](const Instruction& in, const WarpPosition& at, unsigned lane) {
      return Address{at.block} * 4096 + in.operand + Address{lane} * 4;
    };
    durations.add(a, 0);
  }
  /// A run with replies after `latency` cycles.
  std::unique_ptr<SmHarness> run(Cycle latency, SmConfig config = of_requests()) {
    Surroundings around;
    around.latency = [latency](const Access&) { return latency; };
    auto sm = std::make_unique<SmHarness>(config, noc(), around, &durations);
    sm->launch(a, 0, 0);
    EXPECT_TRUE(sm->run());
    return sm;
  }
  /// Cycles of the first block, and from its beginning to each request.
  BlockDurations durations{table_of_requests()};
  HandKernel a;
};

TEST_F(BlockSmOfRequests, RepliesAsWhenItWasMeasuredMakeNoDifference) {
  const auto sm = run(200);
  const Ended& block = sm->ended.at(0);
  EXPECT_NEAR(static_cast<double>(block.end - block.start), 4000, 20);
  ASSERT_EQ(sm->left.size(), 10u * 1);
  EXPECT_EQ(block.counters.memory_requests, 10u);
  EXPECT_EQ(block.counters.global_loads, 10u);
  EXPECT_EQ(block.counters.l1_sector_misses, 40u);
  EXPECT_NEAR(static_cast<double>(sm->left.back().at), 3800 * 0.9, 200) << "evenly over all but the last latency";
}

TEST_F(BlockSmOfRequests, ABlockIsAsMuchLongerAsItsRequestsAreLater) {
  for (const Cycle latency : {100, 300, 400, 600, 900}) {
    const auto sm = run(latency);
    const Ended& block = sm->ended.at(0);
    EXPECT_NEAR(static_cast<double>(block.end - block.start), 4000 + 10.0 * (static_cast<double>(latency) - 200),
                2 * static_cast<double>(latency) - 100)
        << "replies after " << latency;
  }
}

TEST_F(BlockSmOfRequests, ABlockEndsWithItsLastReply) {
  const auto sm = run(20000);
  const Ended& block = sm->ended.at(0);
  EXPECT_GE(block.end, sm->left.back().at + 20000);
}

TEST_F(BlockSmOfRequests, DoWhatWarpsAskFor) {
  const auto sm = run(200);
  SmConfig config = of_requests();
  config.model = "warps";
  const auto warps = run(200, config);
  const auto asked = [](const SmHarness& of) {
    std::multiset<std::pair<Address, unsigned>> all;
    for (const Left& access : of.left) all.emplace(access.address, access.bytes);
    return all;
  };
  EXPECT_EQ(asked(*sm), asked(*warps));
}

TEST_F(BlockSmOfRequests, GoesOnWithWhatIsLeftWhenItsBlocksAreBack) {
  Surroundings around;
  around.latency = [](const Access&) { return Cycle{200}; };
  SmHarness sm(of_requests(), noc(), around, &durations);
  sm.launch(a, 0, 0);
  sm.preempt(1000, 9000);
  ASSERT_TRUE(sm.run());
  const Ended& block = sm.ended.at(0);
  EXPECT_NEAR(static_cast<double>(block.end - block.start - block.stall(Stall::kPreempted)), 4000, 30);
  EXPECT_EQ(block.counters.memory_requests, 10u);
  EXPECT_EQ(sm.accesses_in_use(), 0u);
}

class BlockSmOfManyRequests : public BlockSmOfRequests {
 protected:
  BlockSmOfManyRequests() : BlockSmOfRequests(40) {}
};

TEST_F(BlockSmOfManyRequests, GoesNoFasterThanItsRequestsAreTaken) {
  Surroundings around;
  around.service = 200;  // ten requests of a block of 4000 cycles, and there are places for 16
  SmHarness sm(of_requests(), noc(), around, &durations);
  sm.launch(a, 0, 0);
  ASSERT_TRUE(sm.run());
  Cycle last = 0;
  for (const Ended& block : sm.ended) last = std::max(last, block.end);
  EXPECT_GE(last, 40u * 10 * 200 - 64 * 200) << "but for what is in the queue";
}

TEST_F(BlockSmOfManyRequests, DoesTheSameForEveryWindow) {
  std::mt19937 random(3);
  for (int round = 0; round < 10; ++round) {
    const Cycle spread = 1 + random() % 900;
    const auto run = [&](const std::function<Cycle()>& window) {
      Surroundings around;
      around.latency = [spread](const Access& access) { return 50 + access.address / 128 * 37 % spread; };
      around.service = 1 + spread % 8;
      SmConfig config = of_requests();
      config.l1.mshrs = 8;
      config.lsu_queue = 2;
      SmHarness sm(config, noc(), around, &durations);
      sm.launch(a, 0, 10);
      sm.preempt(900, 4000);
      EXPECT_TRUE(sm.run(window));
      EXPECT_EQ(sm.accesses_in_use(), 0u);
      return std::make_tuple(sm.ended, sm.switched, sm.left);
    };
    const auto longest = run([] { return Cycle{20}; });
    EXPECT_EQ(longest, run([] { return Cycle{1}; }));
    EXPECT_EQ(longest, run([&] { return 1 + random() % 20; }));
  }
}

}  // namespace
}  // namespace gputlm::test
