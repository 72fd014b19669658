#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/kernel/program_kernel.h"
#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

using Code = std::vector<Instruction>;

constexpr Cycle kStart = 7;  ///< when blocks arrive

/// The blocks of one kernel, run to the end.
std::vector<Ended> run(const SmConfig& config, Kernel& kernel, const NocConfig& noc = {}) {
  SmHarness sm(config, noc);
  sm.launch(kernel, 0, kStart);
  EXPECT_TRUE(sm.run());
  EXPECT_EQ(sm.accesses_in_use(), 0u);
  EXPECT_TRUE(sm.core.waiting().empty());
  return sm.ended;
}
/// Cycles from the start to the end of a block with one warp of this code.
Cycle cycles(const SmConfig& config, Code code) {
  HandKernel kernel(1, 1, {std::move(code)});
  const auto ended = run(config, kernel);
  return ended.at(0).end - ended.at(0).start;
}

/// A warp issues first in the cycle after the block's start, its exit in the cycle after its last instruction, and
/// has finished in the cycle after that.
constexpr Cycle kAround = 3;

TEST(SmCore, ABlockStartsOnArrivalAndAnEmptyWarpTakesTwoCycles) {
  HandKernel kernel(1, 1, {Code{}});
  const auto ended = run(one_sub_core(), kernel);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].start, kStart);
  EXPECT_EQ(ended[0].end, kStart + 2);
  EXPECT_EQ(ended[0].sent, ended[0].end);
  EXPECT_EQ(ended[0].counters.instructions, 1u);
  EXPECT_EQ(ended[0].counters.thread_instructions, 32u);
}

TEST(SmCore, ADependentChainTakesTheLatencyForEachInstruction) {
  const SmConfig config = one_sub_core();
  const std::vector<std::pair<Pipe, PipeConfig>> pipes = {{Pipe::kFp32, config.fp32},
                                                          {Pipe::kInt, config.integer},
                                                          {Pipe::kFp64, config.fp64},
                                                          {Pipe::kSfu, config.sfu},
                                                          {Pipe::kTensor, config.tensor}};
  for (const auto& [pipe, timing] : pipes) {
    for (const unsigned n : {1u, 2u, 10u, 33u}) {
      EXPECT_EQ(cycles(config, Code(n, arithmetic(pipe, 1, {1}))), (n - 1) * timing.latency + kAround);
    }
  }
}

TEST(SmCore, LatenciesBeyondTheWakeWheelAreExact) {
  SmConfig config = one_sub_core();
  for (const unsigned latency : {62u, 63u, 64u, 65u, 127u, 128u, 129u, 500u}) {
    config.fp64.latency = latency;
    EXPECT_EQ(cycles(config, Code(4, arithmetic(Pipe::kFp64, 1, {1}))), 3 * latency + kAround) << latency;
  }
}

TEST(SmCore, AWriteWaitsForTheWriteBeforeItToTheSameRegister) {
  const SmConfig config = one_sub_core();
  EXPECT_EQ(cycles(config, {arithmetic(Pipe::kFp64, 1), arithmetic(Pipe::kFp32, 1)}), config.fp64.latency + kAround);
  EXPECT_EQ(cycles(config, {arithmetic(Pipe::kFp64, 1), arithmetic(Pipe::kFp32, 2)}), 1 + kAround);
}

TEST(SmCore, IndependentInstructionsIssueAtThePipelinesInterval) {
  SmConfig config = one_sub_core();
  for (const unsigned interval : {1u, 2u, 4u, 16u}) {
    config.fp32.interval = interval;
    Code code;
    for (std::uint8_t i = 0; i < 40; ++i) code.push_back(arithmetic(Pipe::kFp32, i));
    EXPECT_EQ(cycles(config, code), 39 * interval + kAround) << interval;
  }
}

TEST(SmCore, FpAndIntShareTheirIssueSlotsOnlyBeforeVolta) {
  SmConfig config = one_sub_core();
  constexpr unsigned n = 100;
  Code fp, integer;
  for (unsigned i = 0; i < n; ++i) {
    fp.push_back(arithmetic(Pipe::kFp32, static_cast<std::uint8_t>(i)));
    integer.push_back(arithmetic(Pipe::kInt, static_cast<std::uint8_t>(i)));
  }
  for (const bool shared : {false, true}) {
    config.fp_int_shared = shared;
    HandKernel kernel(1, 2, {fp, integer});
    const auto ended = run(config, kernel);
    // Two instructions every two cycles, or one; of the separate pipes' two warps the second one ends two cycles later.
    const Cycle expected = shared ? (2 * n - 1) * 2 + kAround : (n - 1) * 2 + 2 + kAround;
    EXPECT_EQ(ended.at(0).end - ended.at(0).start, expected) << (shared ? "shared" : "separate");
  }
}

TEST(SmCore, WarpsGoToTheSubCoresInTurn) {
  SmConfig config = one_sub_core();
  config.warps = 32;
  config.sub_cores = 4;
  constexpr unsigned n = 50;
  Code code;
  for (std::uint8_t i = 0; i < n; ++i) code.push_back(arithmetic(Pipe::kFp32, i));
  HandKernel kernel(1, 4, {code});
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.ended.at(0).end - sm.ended.at(0).start, (n - 1) * 2 + kAround);
  EXPECT_THAT(sm.core.statistics(0).issued, testing::Each(n + 1));
}

TEST(SmCore, MemoryLatenciesCountFromIssueToTheDependentIssue) {
  const SmConfig config = one_sub_core();
  const Instruction use = arithmetic(Pipe::kFp32, 9, {1});
  EXPECT_EQ(cycles(config, {load_from(0, 1, Space::kShared), use}), config.shared_latency + kAround);
  EXPECT_EQ(cycles(config, {load_from(0, 1, Space::kShared, 16), use}), config.shared_latency + 3 + kAround);
  EXPECT_EQ(cycles(config, {load_from(0, 1, Space::kConstant), use}), config.constant_latency + kAround);
  // Issue, a cycle later on the way to memory, back after 100 cycles, filled.
  const Cycle miss = 1 + 100 + config.l1.fill_latency;
  EXPECT_EQ(cycles(config, {load_from(0, 1), use}), miss + kAround);
  EXPECT_EQ(cycles(config, {load_from(0, 1), use, load_from(0, 1), use}), miss + 1 + config.l1.hit_latency + kAround);
}

TEST(SmCore, ALoadWithoutActiveLanesNeedsNoMemory) {
  Instruction load = load_from(0, 1);
  load.mask = 0;
  Instruction store = store_to(0);
  store.mask = 0;
  HandKernel kernel(1, 1, {{load, arithmetic(Pipe::kFp32, 2, {1}), store}});
  SmHarness sm(one_sub_core(), {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_TRUE(sm.left.empty());
  EXPECT_EQ(sm.ended.at(0).counters.thread_instructions, 64u);
}

TEST(SmCore, ExitWaitsForLoadsAndStores) {
  const SmConfig config = one_sub_core();
  // Served the cycle after issue.
  EXPECT_EQ(cycles(config, {load_from(0, 1)}), 2 + 100 + config.l1.fill_latency);
  EXPECT_EQ(cycles(config, {store_to(0)}), 2 + 100 + 1);
  EXPECT_EQ(cycles(config, {atomic_on(0, 1)}), 2 + 100 + config.l1.fill_latency);
}

TEST(SmCore, AnUnreadLoadBlocksOnlyWhatNamesItsRegister) {
  const SmConfig config = one_sub_core();
  HandKernel kernel(1, 1, {{load_from(0, 1), arithmetic(Pipe::kFp32, 2), arithmetic(Pipe::kFp32, 1)}});
  const auto ended = run(config, kernel);
  // The last one writes the load's register: issue at 1, 2, and when the load has written.
  EXPECT_EQ(ended.at(0).end - ended.at(0).start, 2 + 100 + config.l1.fill_latency + 2);
  EXPECT_EQ(ended.at(0).stall(Stall::kMemory), 100 + config.l1.fill_latency - 1);
}

TEST(SmCore, AWarpStartsWithoutItsPredecessorsResults) {
  SmConfig config = one_sub_core();
  config.fp64.latency = 60;
  HandKernel first(1, 1, {{arithmetic(Pipe::kFp64, 1)}});
  HandKernel second(1, 1, {{arithmetic(Pipe::kFp32, 2, {1})}});
  SmHarness sm(config, {});
  sm.launch(first, 0, kStart);
  sm.launch(second, 1, kStart + 5);  // into the slot that the first has just left
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.ended.size(), 2u);
  EXPECT_EQ(sm.ended[1].end - sm.ended[1].start, kAround);
}

TEST(SmCore, SpinsEndAtTheExactTimeAfterTheBlocksStart) {
  const SmConfig config = one_sub_core();
  for (const Femtoseconds time : {1u, 999u, 1000u, 1001u, 5000u, 63000u, 64000u, 65000u, 66001u, 12345678u}) {
    // The instruction after the spin, here the exit, issues at the first edge not before the end of the spin.
    const Cycle first = std::max<Cycle>(2, (time + kPeriod - 1) / kPeriod);
    EXPECT_EQ(cycles(config, {control(Op::kSpin, static_cast<std::uint32_t>(time))}), first + 1) << time;
  }
}

TEST(SmCore, WhatFollowsASpinStillWaitsForItsOperands) {
  const SmConfig config = one_sub_core();
  const Instruction use = arithmetic(Pipe::kFp32, 2, {1});
  const Cycle loaded = 2 + 100 + config.l1.fill_latency;
  EXPECT_EQ(cycles(config, {load_from(0, 1), control(Op::kSpin, 10 * kPeriod), use}), loaded + 2);
  EXPECT_EQ(cycles(config, {load_from(0, 1), control(Op::kSpin, 300 * kPeriod), use}), 300u + 2);
  EXPECT_EQ(cycles(config, {arithmetic(Pipe::kFp64, 1), control(Op::kSpin, 10 * kPeriod), use}),
            1 + config.fp64.latency + 2);
  // The time before the spin's end counts as spinning, the rest as waiting for memory.
  HandKernel kernel(1, 1, {{load_from(0, 1), control(Op::kSpin, 300 * kPeriod), use}});
  EXPECT_EQ(run(config, kernel).at(0).stall(Stall::kSpin), 300u - 2 - 1);
}

Instruction copy_from(std::uint32_t address) {
  Instruction in = load_from(address, kNoRegister);
  in.op = Op::kAsyncLoad;
  in.destinations = 0;
  return in;
}

TEST(SmCore, AWaitForCopiesLastsUntilAllButSoManyGroupsHaveEnded) {
  const SmConfig config = one_sub_core();
  constexpr unsigned kChain = 50;
  const Code copy = {copy_from(0), control(Op::kCommitCopies)};
  const Code other = {copy_from(4096), control(Op::kCommitCopies)};
  /// When the first of the instructions behind these begins, after the block's start.
  const auto goes_on = [&](const std::vector<Code>& parts) {
    Code code;
    for (const Code& part : parts) code.insert(code.end(), part.begin(), part.end());
    code.insert(code.end(), kChain, arithmetic(Pipe::kFp32, 1, {1}));
    return cycles(config, code) - (kChain - 1) * config.fp32.latency - 2;
  };
  const auto wait = [](std::uint32_t groups) { return Code{control(Op::kAwaitCopies, groups)}; };
  const Cycle first = 2 + 100 + config.l1.fill_latency;
  EXPECT_EQ(goes_on({copy, wait(0)}), first);
  EXPECT_EQ(goes_on({copy, wait(1)}), 4u) << "one may be under way";
  EXPECT_EQ(goes_on({{copy_from(0)}, wait(0)}), 3u) << "it is in no group";
  EXPECT_EQ(goes_on({copy, other, wait(1)}), first);
  EXPECT_EQ(goes_on({copy, other, wait(0)}), first + 2);
  EXPECT_EQ(goes_on({copy, other, wait(1), wait(0)}), first + 2);
  EXPECT_EQ(goes_on({copy, wait(0), wait(0)}), first + 1) << "what has ended is waited for no more";
}

TEST(SmCore, AWaitForCopiesIsAWaitForMemory) {
  HandKernel kernel(1, 1, {{copy_from(0), control(Op::kCommitCopies), control(Op::kAwaitCopies)}});
  const Ended block = run(one_sub_core(), kernel).at(0);
  EXPECT_EQ(block.accounted(), block.end - block.start - 1);
  EXPECT_GT(block.stall(Stall::kMemory), 100u);
}

TEST(SmCore, AFenceLastsUntilTheWarpsAccessesHaveBeenPerformed) {
  SmConfig config = one_sub_core();
  const Instruction fence = control(Op::kFence), other = arithmetic(Pipe::kFp32, 2);
  EXPECT_EQ(cycles(config, {fence, other}), 1 + kAround) << "there are none";
  const Cycle stored = cycles(config, {store_to(0)});
  EXPECT_EQ(cycles(config, {store_to(0), fence, other}), stored + 2);
  EXPECT_EQ(cycles(config, {store_to(0), store_to(4096), fence, other}),
            cycles(config, {store_to(0), store_to(4096)}) + 2);
  const Cycle loaded = cycles(config, {load_from(0, 1)});
  EXPECT_EQ(cycles(config, {load_from(0, 1), fence, other}), loaded + 2) << "though nothing names its register";
  config.fence_latency = 50;
  EXPECT_EQ(cycles(config, {fence, other}), 50 + kAround);
  EXPECT_EQ(cycles(config, {store_to(0), fence, other}), stored + 2) << "it has gone behind the store";
  config.fence_latency = 500;
  EXPECT_EQ(cycles(config, {store_to(0), fence, other}), 1 + 500 + kAround);
}

TEST(SmCore, AFenceIsOneOfItsWarpAndAWaitForMemory) {
  SmConfig config = one_sub_core();
  HandKernel kernel(1, 2,
                    {{store_to(0), control(Op::kFence)}, {arithmetic(Pipe::kFp32, 1), arithmetic(Pipe::kFp32, 2)}});
  const Ended block = run(config, kernel).at(0);
  EXPECT_GT(block.stall(Stall::kMemory), 95u);
  EXPECT_LT(block.stall(Stall::kMemory), 105u) << "of the warp with the store";
}

TEST(SmCore, AMatrixProductOfAWarpgroupHoldsItsPipelineForAsManyProductsAsAWarps) {
  const SmConfig config = one_sub_core();
  const auto product = [](std::uint8_t destination, std::uint32_t products) {
    Instruction in = arithmetic(Pipe::kTensor, destination);
    in.op = Op::kMatrix;
    in.operand = products;
    return in;
  };
  const Instruction use = arithmetic(Pipe::kFp32, 3, {1});
  EXPECT_EQ(cycles(config, {product(1, 16), product(2, 1)}), 16 * config.tensor.interval + kAround);
  EXPECT_EQ(cycles(config, {product(1, 16), use}), 16 * config.tensor.interval + kAround);
  EXPECT_EQ(cycles(config, {product(1, 2), use}), config.tensor.latency + kAround) << "but not less than its latency";
}

TEST(SmCore, ATakenBranchKeepsItsWarpFromIssuingUntilItsTargetIsFetched) {
  SmConfig config = one_sub_core();
  config.control = config.integer = {1, 1};
  const auto ends = [&](std::vector<ProgramElement> body) {
    ProgramSpec spec;
    spec.grid = {1};
    spec.block = {32};
    spec.body = std::move(body);
    ProgramKernel kernel(spec, 1);
    const auto ended = run(config, kernel);
    return ended.at(0).end - ended.at(0).start;
  };
  const std::vector<ProgramElement> pass{instructions(Pipe::kInt, 1), instructions(Pipe::kControl, 1)};
  for (const unsigned latency : {0u, 1u, 2u, 14u, 63u, 64u, 500u}) {
    config.branch_latency = latency;
    const Cycle after = std::max(latency, 1u);
    for (const unsigned passes : {1u, 2u, 7u}) {
      EXPECT_EQ(ends({loop(passes, pass)}), passes + (passes - 1) * after + kAround)
          << passes << " passes, the last of which takes no branch; " << latency;
    }
    EXPECT_EQ(ends({branch({}, {}), instructions(Pipe::kInt, 1)}), after + kAround) << latency;
    EXPECT_EQ(ends({instructions(Pipe::kControl, 1), instructions(Pipe::kInt, 1)}), 1 + kAround) << "not taken";
    EXPECT_EQ(ends({loop(3, {instructions(Pipe::kInt, 1)})}), 2 * config.integer.interval + kAround)
        << "a loop without a branch has none";
  }
}

TEST(SmCore, WhileAWarpsBranchIsFetchedAnotherOneIssues) {
  SmConfig config = one_sub_core();
  config.control = {1, 1};
  config.branch_latency = 20;
  Instruction taken = arithmetic(Pipe::kControl, kNoRegister);
  taken.operand = kBranchTaken;
  Code other;
  for (std::uint8_t i = 0; i < 9; ++i) other.push_back(arithmetic(Pipe::kFp32, i));
  config.fp32.interval = 1;
  HandKernel kernel(1, 2, {{taken}, other});
  const auto ended = run(config, kernel);
  EXPECT_EQ(ended.at(0).end - ended.at(0).start, 20 - 1 + kAround);
}

TEST(SmCore, ALaunchIsFetchedBeforeItsFirstBlockOnTheSmIssues) {
  SmConfig config = one_sub_core();
  config.launch_fetch_latency = 400;
  HandKernel first(3, 1, {Code{}}), second(1, 1, {Code{}});
  SmHarness sm(config, {});
  sm.launch(first, 0, kStart);
  sm.launch(second, 1, kStart + 1000);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.ended.size(), 4u);
  std::map<std::pair<KernelId, std::uint32_t>, Ended> blocks;
  for (const Ended& block : sm.ended) blocks[{block.kernel, block.block}] = block;
  const Ended& cold = blocks.at({0, 0});
  EXPECT_EQ(cold.start, kStart);
  EXPECT_EQ(cold.end, kStart + 400 + 1);
  EXPECT_EQ(cold.stall(Stall::kMemory), 399u);
  EXPECT_EQ(cold.accounted(), cold.end - cold.start - 1);
  EXPECT_GE(blocks.at({0, 1}).end, kStart + 400 + 1) << "blocks that come meanwhile wait with it";
  EXPECT_LE(blocks.at({0, 2}).end, kStart + 400 + 5) << "and not each for itself";
  const Ended& other = blocks.at({1, 0});
  EXPECT_EQ(other.end - other.start, 401u) << "the code of another launch is fetched again";
}

TEST(SmCore, BlocksThatComeLaterFindTheLaunchInTheCaches) {
  SmConfig config = one_sub_core();
  config.launch_fetch_latency = 400;
  config.blocks = 1;
  HandKernel kernel(2, 1, {Code{}});
  SmHarness sm(config, {});
  sm.launch(kernel, 0, kStart);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.ended.at(1).end - sm.ended.at(1).start, 2u);
}

TEST(SmCore, ABarrierReleasesAllWarpsInTheCycleAfterTheLastArrival) {
  const SmConfig config = one_sub_core();
  const Code slow(10, arithmetic(Pipe::kFp32, 1, {1}));
  Code late = slow;
  late.push_back(control(Op::kBarrier));
  HandKernel kernel(1, 4, {late, {control(Op::kBarrier)}});
  const auto ended = run(config, kernel);
  const Cycle last_arrival = 1 + 9 * config.fp32.latency + 1;
  // Four exits, one a cycle, and the cycle of the last one's end.
  EXPECT_EQ(ended.at(0).end - ended.at(0).start, last_arrival + 4 + 1);
  // The three others arrived at cycles 2, 3 and 4.
  EXPECT_EQ(ended.at(0).stall(Stall::kBarrier), 3 * last_arrival - (2 + 3 + 4));
}

TEST(SmCore, AnExitCountsAsAnArrivalAtEveryBarrier) {
  const Code slow(20, arithmetic(Pipe::kFp32, 1, {1}));
  HandKernel kernel(1, 3, {slow, {control(Op::kBarrier, 3), control(Op::kBarrier, 5)}});
  const SmConfig config = one_sub_core();
  const auto ended = run(config, kernel);
  const Cycle exit = 1 + 19 * config.fp32.latency + 1;
  EXPECT_EQ(ended.at(0).end - ended.at(0).start, exit + 2 + 2 + 1);
}

/// Oldest first, they would end one after the other if each had its own share.
TEST(SmCore, BlocksOfALaunchThatShareTheirWorkEndTogether) {
  SmConfig config = one_sub_core();
  config.warp_scheduler = "gto";
  constexpr unsigned kUnits = 24, kInstructions = 100;
  ProgramSpec spec;
  spec.name = "k";
  spec.grid = {3};
  spec.block = {32};
  const auto last_and_first_end = [&](ProgramElement work, Cycle window) {
    spec.body = {std::move(work)};
    ProgramKernel kernel(spec, 1);
    SmHarness sm(config, {});
    sm.launch(kernel, 0, kStart);
    EXPECT_TRUE(sm.run([=] { return window; }));
    std::vector<Cycle> ends;
    for (const Ended& block : sm.ended) ends.push_back(block.end);
    return std::pair(*std::max_element(ends.begin(), ends.end()), *std::min_element(ends.begin(), ends.end()));
  };
  const std::vector<ProgramElement> unit{instructions(Pipe::kFp32, kInstructions)};
  const Cycle a_unit = kInstructions * config.fp32.interval;
  const auto [last, first] = last_and_first_end(static_work({kUnits}, unit), 1);
  EXPECT_GT(last - first, kUnits / 2 * a_unit);
  const auto shared = last_and_first_end(work({kUnits}, unit, 0x100000), 1);
  EXPECT_LT(shared.first - shared.second, 4 * a_unit);
  EXPECT_EQ(last_and_first_end(work({kUnits}, unit, 0x100000), 7), shared) << "whatever the window";
}

TEST(SmCore, WarpsAtDifferentBarriersDeadlockAndAreReported) {
  HandKernel kernel(1, 2, {{control(Op::kBarrier, 1)}, {control(Op::kBarrier, 2)}});
  SmHarness sm(one_sub_core(), {});
  sm.launch(kernel);
  EXPECT_FALSE(sm.run(2000));
  EXPECT_EQ(sm.core.advance(2000), kNever);
  ASSERT_EQ(sm.core.waiting().size(), 1u);
  EXPECT_THAT(sm.core.waiting()[0], testing::AllOf(testing::HasSubstr("1 at barrier 1"),
                                                   testing::HasSubstr("1 at barrier 2"), testing::HasSubstr("hand")));
}

TEST(SmCore, ABarrierConcernsNoOtherBlockInTheSlotsOfItsFinishedWarps) {
  const SmConfig config = one_sub_core();
  // Warp 0 of the first block is gone early; a warp of the second takes its slot and waits at a barrier.
  const Code slow(100, arithmetic(Pipe::kFp32, 1, {1}));
  Code slow_then_barrier = slow;
  slow_then_barrier.push_back(control(Op::kBarrier));
  HandKernel first(1, 3, {{}, slow_then_barrier});
  Code slower_then_barrier(200, arithmetic(Pipe::kFp32, 1, {1}));
  slower_then_barrier.push_back(control(Op::kBarrier));
  HandKernel second(1, 2, {{control(Op::kBarrier)}, slower_then_barrier});
  SmHarness sm(config, {});
  sm.launch(first, 0, 0);
  sm.launch(second, 1, 50);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.ended.size(), 2u);
  // Alone, the second block's warp arrives one cycle after the start and waits for the other one's arrival.
  HandKernel alone_kernel(1, 2, {{control(Op::kBarrier)}, slower_then_barrier});
  const auto alone = run(config, alone_kernel);
  EXPECT_GE(sm.ended[1].stall(Stall::kBarrier), alone.at(0).stall(Stall::kBarrier));
}

TEST(SmCore, TheReportOfADeadlockCountsEachWarpOnce) {
  HandKernel first(1, 3, {{}, {control(Op::kBarrier, 1)}, {control(Op::kBarrier, 2)}});
  HandKernel second(1, 2, {{control(Op::kBarrier, 3)}, {control(Op::kBarrier, 4)}});
  SmHarness sm(one_sub_core(), {});
  sm.launch(first, 0, 0);
  sm.launch(second, 1, 50);
  EXPECT_FALSE(sm.run(2000));
  const auto lines = sm.core.waiting();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], testing::Not(testing::HasSubstr("barrier 3")));
  EXPECT_THAT(lines[1], testing::HasSubstr("1 at barrier 3"));
}

TEST(SmCore, EveryCycleOfAWarpBetweenItsStartAndItsEndIsAnIssueOrAStall) {
  SmConfig config = one_sub_core();
  config.warps = 32;
  config.sub_cores = 4;
  config.lsu_queue = 2;
  ProgramSpec spec;
  spec.name = "mixed";
  spec.block = {128};
  spec.patterns = {{"a", 0, CoalescedPattern{}}, {"r", 1 << 20, RandomPattern{1 << 16}}};
  spec.body = {
      loop(5, {load("a", 4, 1), load("r", 4, 2), instructions(Pipe::kFp32, 4, 2), instruction(Pipe::kInt, 3, {1, 2}),
               load("r", 4, 4, {}, Space::kShared), store("a", 4, {3, 4}), fence(), barrier(1)}),
      spin(5000 * kPeriod), barrier(0)};
  ProgramKernel kernel(spec, 1);
  // One warp a sub-core: after the last barrier they all exit in the same cycle, and their stores are long done.
  const auto ended = run(config, kernel);
  EXPECT_EQ(ended.at(0).accounted(), 4 * (ended[0].end - ended[0].start - 1));
}

}  // namespace
}  // namespace gputlm::test
