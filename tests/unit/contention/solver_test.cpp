#include "models/contention/solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace gputlm {
namespace {

constexpr double kSmsOfGpu = 16;

ContentionSolver::Memory memory() {
  MemoryCapacities has;
  has.port = {{{50, 250}, {500, 260}, {1000, 500}}};
  has.l2 = {{{1000, 0}, {8000, 20}, {12000, 300}}};
  has.dram = {{{500, 300}, {3000, 350}, {4000, 900}}};
  has.mixed = 3200;
  has.written = 3600;
  has.turns = {{1, 60}, {4, 480}, {8, 960}};
  return {has, 131072};
}

/// Memory for a warp order in which every warp issues once in turn.
ContentionSolver::Memory in_turn() {
  ContentionSolver::Memory fair = memory();
  fair.has.turns = {{1, 2}, {4, 8}, {8, 16}};
  return fair;
}

SmCapacities sm() {
  SmCapacities has;
  has.pipe.fill(2);
  return has;
}

/// A block that only reads `dram` and `l2` sectors and issues instructions; two are on an SM, alone.
BlockNeeds block(double dram, double l2, double instructions, double cycles = 10000) {
  BlockNeeds needs;
  needs.cycles = cycles;
  needs.blocks_alone = 2 * kSmsOfGpu;
  needs.sms_alone = kSmsOfGpu;
  needs.warps = 8;
  needs.instructions = instructions;
  needs.of_pipe[static_cast<std::size_t>(Pipe::kFp32)] = instructions / 2;
  needs.reads = dram + l2;
  needs.dram_reads = dram;
  needs.hits = l2;
  return needs;
}

/// All of `footprint` is read again in turn.
void read_again(BlockNeeds& needs, double footprint) {
  needs.footprint = footprint;
  needs.reuse = footprint * needs.cycles / (needs.blocks_alone * needs.hits);
}

BlockNeeds random_block(std::mt19937_64& random) {
  const auto up_to = [&](unsigned most) { return static_cast<double>(random() % (most + 1)); };
  BlockNeeds needs = block(up_to(1) * up_to(1200), up_to(1) * up_to(2000), 100 + up_to(15000));
  needs.of_pipe[static_cast<std::size_t>(Pipe::kLoadStore)] = needs.reads / 4;
  needs.writes = up_to(1) * needs.reads / 3;
  needs.dram_writes = needs.writes;
  needs.in_flight = up_to(1) * up_to(200);
  if (needs.hits > 0) read_again(needs, up_to(1) * 40000);
  return needs;
}

double lost(const ContentionSolver::Rate& rate) { return std::accumulate(rate.lost.begin(), rate.lost.end(), 0.0); }

double pace_alone(const BlockNeeds& needs) {
  ContentionSolver solver(memory(), sm());
  const auto kernel = solver.add(needs, memory());
  return solver.solve({{kSmsOfGpu, {{kernel, 2}}}}).front().pace;
}

TEST(BlocksThatShare, GetOnAsAloneWhereTheyAreAlone) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) EXPECT_NEAR(pace_alone(random_block(random)), 1, 0.01) << i;
}

TEST(BlocksThatShare, LoseWhatTheyDoNotGetOn) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    ContentionSolver solver(memory(), sm());
    std::vector<ContentionSolver::Resident> residents;
    for (int k = 0; k < 3; ++k)
      residents.push_back({solver.add(random_block(random), memory()), 1 + unsigned(random() % 4)});
    for (const auto& rate : solver.solve({{10, residents}, {6, {residents.front()}}})) {
      EXPECT_NEAR(rate.pace + lost(rate), 1, 1e-9);
      EXPECT_GT(rate.pace, 0);
    }
  }
}

TEST(BlocksThatShare, AreEqualIfTheyAskForTheSame) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100; ++i) {
    ContentionSolver solver(memory(), sm());
    const BlockNeeds needs = random_block(random);
    const auto one = solver.add(needs, memory()), other = solver.add(needs, memory());
    const auto rates = solver.solve({{kSmsOfGpu, {{one, 1}, {other, 1}}}});
    EXPECT_NEAR(rates[0].pace, rates[1].pace, 1e-6) << i;
  }
}

TEST(BlocksThatShare, DoNotGetOnFasterBesideMore) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 300; ++i) {
    ContentionSolver solver(memory(), sm());
    // Only readers, because writes change how much DRAM moves.
    BlockNeeds needs[2] = {random_block(random), random_block(random)};
    for (BlockNeeds& its : needs) its.writes = its.dram_writes = 0;
    const auto one = solver.add(needs[0], memory()), other = solver.add(needs[1], memory());
    const double alone = solver.solve({{kSmsOfGpu, {{one, 2}}}}).front().pace;
    double before = alone;
    for (unsigned blocks = 1; blocks <= 4; ++blocks) {
      const double pace = solver.solve({{kSmsOfGpu, {{one, 2}, {other, blocks}}}}).front().pace;
      EXPECT_LE(pace, before * 1.05) << i << ", beside " << blocks;
      before = pace;
    }
  }
}

TEST(BlocksThatShare, TakeAFullMemoryByWhatTheyHaveUnderWay) {
  ContentionSolver solver(memory(), sm());
  BlockNeeds few = block(1200, 0, 100), many = few;
  few.in_flight = 150, many.in_flight = 450;
  const auto a = solver.add(few, memory()), b = solver.add(many, memory());
  const auto rates = solver.solve({{kSmsOfGpu, {{a, 2}, {b, 2}}}});
  EXPECT_NEAR(rates[1].pace / rates[0].pace, 3, 0.3);
  EXPECT_NEAR(rates[0].pace + rates[1].pace, 4.0 / 3.84, 0.1) << "sectors that DRAM moves, over those of one alone";
  EXPECT_GT(rates[0].lost[static_cast<std::size_t>(Shared::kDram)], 0.5);
}

TEST(BlocksThatShare, OnHalfOfTheSmsReadAFullMemoryAsFast) {
  ContentionSolver solver(memory(), sm());
  BlockNeeds needs = block(1240, 0, 100);
  needs.in_flight = 400;
  const auto kernel = solver.add(needs, memory());
  const double pace = solver.solve({{kSmsOfGpu / 2, {{kernel, 2}}}}).front().pace;
  EXPECT_GT(pace, 1.8);
}

TEST(BlocksThatShare, ShareIssueSlotsByWarpsThatTakeTurns) {
  ContentionSolver solver(in_turn(), sm());
  const auto a = solver.add(block(0, 0, 19000), in_turn()), b = solver.add(block(0, 0, 4000), in_turn());
  const auto rates = solver.solve({{kSmsOfGpu, {{a, 2}, {b, 2}}}});
  const double used = 3.8 * rates[0].pace + 0.8 * rates[1].pace;  // of 4 a cycle
  EXPECT_NEAR(used, 4, 1e-3) << "they want 4.6";
  EXPECT_GT(rates[1].pace, 0.8) << "wants less than its share: it waits for its turns only";
  EXPECT_NEAR(
      rates[0].lost[static_cast<std::size_t>(Shared::kIssue)] + rates[0].lost[static_cast<std::size_t>(Shared::kPipe)],
      1 - rates[0].pace, 1e-6);
}

/// The sub-core's pipeline is half full alone; with four times the warps it is full.
TEST(BlocksThatShare, WaitForThePipelinesThatTheirOwnKindTakes) {
  ContentionSolver solver(memory(), sm());
  const auto kernel = solver.add(block(0, 0, 10000), memory());
  double before = 1;
  for (const unsigned blocks : {2u, 3u, 4u, 8u, 16u}) {
    const double pace = solver.solve({{kSmsOfGpu, {{kernel, blocks}}}}).front().pace;
    EXPECT_LE(pace, before + 1e-3);
    EXPECT_LE(pace * blocks, 8 + 1e-6) << "two blocks issue 2 a cycle, of 4, in a pipeline that is half full";
    before = pace;
  }
  EXPECT_NEAR(before * 16, 4, 0.3) << "which is full";
}

TEST(BlocksThatShare, MissWhatOthersHaveReplaced) {
  ContentionSolver solver(memory(), sm());
  BlockNeeds reader = block(100, 900, 1000);
  read_again(reader, 100000);
  const auto again = solver.add(reader, memory());
  const auto stream = solver.add(block(800, 0, 1000), memory());
  const auto rates = solver.solve({{kSmsOfGpu, {{again, 2}, {stream, 2}}}});
  EXPECT_GT(rates[0].lost[static_cast<std::size_t>(Shared::kL2Capacity)], 0.05);
  EXPECT_NEAR(rates[1].lost[static_cast<std::size_t>(Shared::kL2Capacity)], 0, 1e-9);
}

TEST(BlocksThatShare, KeepLinesThatTheyReadAgainSoon) {
  const auto lost_beside_a_stream = [](double part) {
    ContentionSolver solver(memory(), sm());
    BlockNeeds reader = block(100, 900, 1000);
    read_again(reader, 100000);
    reader.reuse *= part;
    const auto again = solver.add(reader, memory()), stream = solver.add(block(800, 0, 1000), memory());
    const auto rates = solver.solve({{kSmsOfGpu, {{again, 2}, {stream, 2}}}});
    return rates[0].lost[static_cast<std::size_t>(Shared::kL2Capacity)];
  };
  const double in_turn = lost_beside_a_stream(1);
  EXPECT_GT(in_turn, 0.05);
  EXPECT_LT(lost_beside_a_stream(0.1), in_turn / 4);
}

/// Both fill the issue slots alone, with as many warps; one of them loads after every 19 instructions.
TEST(BlocksThatShare, TakeTheIssueSlotsByHowLongTheyGoOn) {
  const auto paces = [](const ContentionSolver::Memory& has) {
    ContentionSolver solver(has, sm());
    BlockNeeds loads = block(0, 0, 19000);
    loads.of_pipe[static_cast<std::size_t>(Pipe::kLoadStore)] = 1000;
    const auto never = solver.add(block(0, 0, 19000), has), often = solver.add(loads, has);
    const auto rates = solver.solve({{kSmsOfGpu, {{never, 2}, {often, 2}}}});
    return std::pair{rates[0].pace, rates[1].pace};
  };
  const auto [never, often] = paces(memory());
  EXPECT_GT(never, 0.8);
  EXPECT_LT(often, 0.3);
  const auto [one, other] = paces(in_turn());
  EXPECT_NEAR(one, other, 0.05);
}

/// There is time enough for both; after each of its loads it waits until runs of the other have ended.
TEST(BlocksThatShare, WaitUntilOthersHaveToWait) {
  const auto pace = [](const ContentionSolver::Memory& has) {
    ContentionSolver solver(has, sm());
    BlockNeeds loads = block(0, 400, 2000);
    loads.of_pipe[static_cast<std::size_t>(Pipe::kLoadStore)] = 100;
    const auto its = solver.add(loads, has), others = solver.add(block(0, 0, 14000), has);
    return solver.solve({{kSmsOfGpu, {{its, 2}, {others, 2}}}}).front().pace;
  };
  EXPECT_GT(pace(in_turn()), 0.8);
  EXPECT_LT(pace(memory()), 0.6);
}

TEST(BlocksThatShare, WaitInFrontOfAnL2WhoseMissesHaveNoRoom) {
  const auto pace_of_hits = [](double dram_sectors) {
    ContentionSolver::Memory has = memory();
    has.dram_sectors = dram_sectors;
    ContentionSolver solver(has, sm());
    BlockNeeds stream = block(1200, 0, 100);
    stream.in_flight = 400;
    const auto hits = solver.add(block(0, 400, 1000), has), misses = solver.add(stream, has);
    return solver.solve({{kSmsOfGpu, {{hits, 2}, {misses, 2}}}}).front().pace;
  };
  EXPECT_GT(pace_of_hits(1e9), 0.9);
  EXPECT_LT(pace_of_hits(5000), 0.5);
}

TEST(BlocksThatShare, DoNotWaitForStores) {
  ContentionSolver solver(memory(), sm());
  BlockNeeds stores = block(0, 0, 2000), stream = block(1200, 0, 100);
  stores.writes = stores.dram_writes = 200;
  stores.of_pipe[static_cast<std::size_t>(Pipe::kLoadStore)] = 50;
  stream.in_flight = 600;
  const auto one = solver.add(stores, memory()), other = solver.add(stream, memory());
  const auto rates = solver.solve({{kSmsOfGpu, {{one, 2}, {other, 4}}}});
  EXPECT_GT(rates[0].pace, 0.95);
}

}  // namespace
}  // namespace gputlm
