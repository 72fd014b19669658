// Interpolation between the measurements of a table, and the work of a block.

#include <gtest/gtest.h>

#include <set>

#include "models/sm/blocks/durations.h"
#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

DurationTable table() {
  DurationTable table;
  table.kernels = {{"a", "a", 100, 1000, {}, {{1, 1500, 1000}, {4, 2400, 1600}}},
                   {"b", "b", 100, 0, {}, {{1, 500, 500}}},
                   {"c", "c", 100, 0, {}, {{1, 500, 500}}}};
  PairDurations pair;
  pair.kernels[1] = 1;
  pair.beside = {{{1, 1}, {1200, 1000}}, {{1, 3}, {1800, 1000}}, {{3, 1}, {1400, 1000}}};
  table.pairs = {pair};
  pair.kernels[1] = 2;
  pair.beside = {{{1, 1}, {1500, 1000}}};
  table.pairs.push_back(pair);
  return table;
}

/// Cycles of a mean block of the first.
double cycles(const BlockDurations& durations, const std::vector<BlockDurations::Resident>& all) {
  return static_cast<double>(kWork) / static_cast<double>(durations.rate(all, 0));
}

TEST(BlockDurations, AreLinearBetweenWhatWasMeasured) {
  const BlockDurations durations(table());
  EXPECT_NEAR(cycles(durations, {{0, 1}}), 1000, 0.1);
  EXPECT_NEAR(cycles(durations, {{0, 3}}), 1400, 0.1);
  EXPECT_NEAR(cycles(durations, {{0, 4}}), 1600, 0.1);
  EXPECT_NEAR(cycles(durations, {{0, 8}}), 3200, 0.1) << "as many blocks a cycle as the most that were measured";
}

TEST(BlockDurations, BlocksThatComeFirstHaveTheirOwn) {
  const BlockDurations durations(table());
  for (const unsigned blocks : {1u, 2u, 4u}) {
    const double first = static_cast<double>(kWork) / static_cast<double>(durations.rate({{0, blocks}}, 0, true));
    EXPECT_NEAR(first, 1500 + 300 * (blocks - 1), 0.1) << blocks;
  }
}

/// A kernel of 50 requests, whose blocks take 1000 cycles with replies after 200 and 2000 with replies after 600.
TEST(BlockDurations, WhatABlockWaitsForRepliesFollowsTheirLatency) {
  DurationTable requests = table();
  requests.pairs.clear();
  requests.kernels = {{"a",
                       "a",
                       100,
                       0,
                       {},
                       {{1, 1000, 1000}, {2, 2000, 2000}},
                       50,
                       {{1, 2000, 2000}, {2, 4000, 4000}},
                       {{1, 200, 200}, {2, 300, 250}}}};
  requests.delay = 400;
  const BlockDurations durations(requests);
  const auto cycles = [](Wait wait) {
    return static_cast<double>(wait) / static_cast<double>(Wait{1} << kWaitFraction);
  };
  const BlockDurations::Requests one = durations.requests({{0, 1}}, 0), two = durations.requests({{0, 2}}, 0);
  EXPECT_NEAR(50 * 400 * cycles(one.exposed), 1000, 1) << "as much as with delayed replies";
  EXPECT_NEAR(50 * 400 * cycles(two.exposed), 2000, 1);
  EXPECT_EQ(one.later, 200u);
  EXPECT_EQ(two.first, 300u);
  EXPECT_EQ(two.later, 250u);
  const BlockDurations::Waits waits = durations.waits(0, kWork, false);
  EXPECT_NEAR(static_cast<double>(waits.all) / static_cast<double>(kWork), 2000.0 / 400 * 250 / 2000, 1e-6);
  EXPECT_NEAR(static_cast<double>(waits.last) / static_cast<double>(kWork), 250.0 / 2000, 1e-6) << "a latency";
  EXPECT_EQ(waits.each, (waits.all - waits.last) / 50);
  EXPECT_EQ(waits.at_once, 20u) << "of one block alone: 20 at a time, 50 wait for two latencies and a half";
}

TEST(BlockDurations, SlowdownsAreLinearInTheBlocksOfBoth) {
  const BlockDurations durations(table());
  EXPECT_NEAR(cycles(durations, {{0, 1}, {1, 1}}), 1200, 0.1);
  EXPECT_NEAR(cycles(durations, {{0, 1}, {1, 2}}), 1500, 0.1);
  EXPECT_NEAR(cycles(durations, {{0, 3}, {1, 1}}), 1400 * 1.4, 0.1);
  EXPECT_NEAR(cycles(durations, {{0, 2}, {1, 1}}), 1200 * 1.3, 0.1);
  EXPECT_NEAR(cycles(durations, {{0, 1}, {1, 4}}), 1000 * (1 + 0.8 * 4 / 3), 0.1) << "beyond: as much a block";
}

TEST(BlockDurations, SlowdownsBySeveralMultiply) {
  const BlockDurations durations(table());
  EXPECT_NEAR(cycles(durations, {{0, 1}, {1, 1}, {2, 1}}), 1000 * 1.2 * 1.5, 0.1);
}

TEST(BlockDurations, WorkFollowsInstructionsAsFarAsTheKernelDoes) {
  const BlockDurations durations(table());
  const auto work = [&](BlockDurations::Profile kernel, std::uint64_t instructions) {
    return static_cast<double>(durations.work(kernel, 0, {instructions, 0, 0, false})) / static_cast<double>(kWork);
  };
  EXPECT_NEAR(work(0, 100), 1, 1e-6);
  EXPECT_NEAR(work(0, 150), 1.5, 1e-6);
  EXPECT_NEAR(static_cast<double>(durations.work(0, 0, {100, 0, 0, false}, true)), 1.5 * kWork, 1e-6 * kWork) << "cold";
  EXPECT_NEAR(work(1, 150), 1, 1e-6);
  EXPECT_NEAR(work(0, 0), 1, 1e-6) << "not known";
}

TEST(BlockDurations, TheSpreadOfBlocksIsThatOfTheQuantiles) {
  DurationTable spread = table();
  spread.kernels[0].spread = {500, 1000, 1500, 1000};
  const BlockDurations durations(spread);
  double sum = 0;
  std::set<Work> met;
  for (std::uint32_t block = 0; block < 4000; ++block) {
    const Work work = durations.work(0, block, {100, 0, 0, false});
    EXPECT_EQ(work, durations.work(0, block, {100, 0, 0, false}));
    sum += static_cast<double>(work) / static_cast<double>(kWork);
    met.insert(work);
  }
  EXPECT_EQ(met, (std::set<Work>{kWork / 2, kWork, kWork / 2 * 3}));
  EXPECT_NEAR(sum / 4000, 1, 0.03);
}

TEST(BlockWork, CountsWhatWarpsIssueLoopsIncluded) {
  HandKernel kernel(1, 3, {{}});
  kernel.codes = {{arithmetic(Pipe::kFp32, 1), arithmetic(Pipe::kFp32, 2), arithmetic(Pipe::kFp32, 3),
                   control(Op::kLoopEnd, 0), control(Op::kLoopEnd, 1), control(Op::kExit)}};
  kernel.loops = {{2, 5, 1}, {1, 3, 0}};  // the inner one of one instruction, the outer one of two
  kernel.codes[0][0].mask = 0xff;
  const BlockWork work = BlockWorkReader().read(*kernel.code(0), 3, 0);
  EXPECT_EQ(work.instructions, 3u * (1 + 3 * (1 + 5) + 1));
  EXPECT_EQ(work.thread_instructions, 3u * (8 + 32 * (3 * (1 + 5) + 1)));
  EXPECT_FALSE(work.only_spins);
}

TEST(BlockWork, TheLongestSpinIsTheBlocks) {
  HandKernel kernel(1, 2, {{control(Op::kSpin, 500), control(Op::kSpin, 300)}, {control(Op::kSpin, 400)}});
  const BlockWork work = BlockWorkReader().read(*kernel.code(0), 2, 0);
  EXPECT_EQ(work.spin, 500u);
  EXPECT_TRUE(work.only_spins);
}

}  // namespace
}  // namespace gputlm::test
