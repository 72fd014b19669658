// Blocks taken off an SM at an instruction boundary, and brought back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

/// `count` instructions that each need the one before.
std::vector<Instruction> dependent_chain(unsigned count) {
  return std::vector<Instruction>(count, arithmetic(Pipe::kFp32, 4, {4}));
}

NocConfig preemption_noc() {
  NocConfig config;
  config.queue = 64;
  return config;
}

TEST(Preemption, ABlockDoesTheSameWorkAndTheTimeAwayIsPreempted) {
  HandKernel kernel(1, 1, {dependent_chain(100)}), same(1, 1, {dependent_chain(100)});
  SmHarness alone(one_sub_core(), preemption_noc()), sm(one_sub_core(), preemption_noc());
  alone.launch(kernel);
  ASSERT_TRUE(alone.run());
  sm.launch(same);
  sm.preempt(200, 2000);
  ASSERT_TRUE(sm.run());
  const Ended &before = alone.ended.at(0), &after = sm.ended.at(0);
  EXPECT_EQ(after.counters.instructions, before.counters.instructions);
  EXPECT_EQ(after.accounted(), after.end - after.start - 1);
  EXPECT_GT(after.stall(Stall::kPreempted), 1800u);
  // At most the rest of one latency is spared, as results land meanwhile.
  EXPECT_LE(after.end - after.start - after.stall(Stall::kPreempted), before.end - before.start);
  EXPECT_GE(after.end - after.start - after.stall(Stall::kPreempted) + 5, before.end - before.start);
}

TEST(Preemption, RegistersInUseSharedMemoryAndWarpStateAreWrittenAndReadAgain) {
  HandKernel kernel(2, 3, {dependent_chain(200)});
  kernel.registers_per_thread = 20;
  kernel.shared_memory = 1000;  // eight lines
  SmHarness sm(one_sub_core(), preemption_noc());
  sm.launch(kernel);
  sm.preempt(100, 3000);
  ASSERT_TRUE(sm.run());
  constexpr Bytes kState = 2 * (3 * (20 + 1) * 128 + 8 * 128);
  ASSERT_EQ(sm.switched.size(), 2u);
  EXPECT_EQ(sm.switched[0].blocks, 2u);
  EXPECT_EQ(sm.switched[0].bytes, kState);
  EXPECT_EQ(sm.switched[1].blocks, 2u);
  EXPECT_EQ(sm.switched[1].bytes, kState);
  std::vector<Address> written, read;
  for (const Left& access : sm.left) {
    EXPECT_EQ(access.bytes, 128u);
    (access.write ? written : read).push_back(access.address);
  }
  EXPECT_EQ(written.size(), kState / 128);
  EXPECT_EQ(written, read);
}

TEST(Preemption, WhatIsUnderWayEndsBeforeTheStateIsWritten) {
  auto code = dependent_chain(3);
  code.push_back(load_from(0x1000, 5));
  code.push_back(store_to(0x2000));
  code.push_back(arithmetic(Pipe::kFp32, 6, {5}));
  HandKernel kernel(1, 1, {code});
  Surroundings slow;
  slow.latency = [](const Access& access) { return access.address < 0x10000 ? Cycle{500} : Cycle{50}; };
  SmHarness sm(one_sub_core(), preemption_noc(), slow);
  sm.launch(kernel);
  sm.preempt(60, 3000);
  ASSERT_TRUE(sm.run());
  Cycle last = 0, first = kNever;
  for (const Left& access : sm.left) {
    if (access.address < 0x10000) last = std::max(last, access.at + 500);
    if (access.address > 0x10000 && access.write) first = std::min(first, access.at);
  }
  EXPECT_GT(first, last);
  EXPECT_NE(first, kNever);
  EXPECT_EQ(sm.ended.at(0).counters.global_loads, 1u);
  EXPECT_EQ(sm.ended[0].accounted(), sm.ended[0].end - sm.ended[0].start - 1);
}

TEST(Preemption, WarpsThatWaitAtABarrierGoOnWaiting) {
  auto late = dependent_chain(60);
  late.push_back(control(Op::kBarrier));
  late.push_back(arithmetic(Pipe::kFp32, 4));
  HandKernel kernel(1, 2, {{control(Op::kBarrier), arithmetic(Pipe::kFp32, 4)}, late});
  SmHarness sm(one_sub_core(), preemption_noc());
  sm.launch(kernel);
  sm.preempt(100, 3000);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.ended.at(0).counters.instructions, 3u + 63u);
  EXPECT_GT(sm.ended[0].stall(Stall::kBarrier), 200u);
  EXPECT_LT(sm.ended[0].stall(Stall::kBarrier), 500u);
}

TEST(Preemption, ASpinCountsOnlyTheTimeThatItsBlockIsThere) {
  const auto takes = [](const std::vector<Instruction>& spins, bool preempted) {
    HandKernel kernel(1, 1, {spins});
    SmHarness sm(one_sub_core(), preemption_noc());
    sm.launch(kernel);
    if (preempted) sm.preempt(100, 3000);
    EXPECT_TRUE(sm.run());
    const Ended& block = sm.ended.at(0);
    return static_cast<double>(block.end - block.start - block.stall(Stall::kPreempted));
  };
  const Instruction under_way = control(Op::kSpin, 500 * kPeriod), later = control(Op::kSpin, 900 * kPeriod);
  EXPECT_NEAR(takes({under_way}, true), takes({under_way}, false), 2);
  EXPECT_NEAR(takes({under_way, later}, true), takes({under_way, later}, false), 2);
}

TEST(Preemption, AnSmWithoutBlocksHasNothingToDo) {
  HandKernel kernel(1, 1, {dependent_chain(10)});
  SmHarness sm(one_sub_core(), preemption_noc());
  sm.launch(kernel, 0, 1000);
  sm.preempt(100, 200);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.switched.at(0).blocks, 0u);
  EXPECT_EQ(sm.switched.at(0).at, 100u);
  EXPECT_EQ(sm.ended.size(), 1u);
}

struct Outcome {
  std::vector<Ended> ended;
  std::vector<Left> left;
  std::vector<SmHarness::Switched> switched;
  std::uint64_t active;
};

/// Blocks of every kind of instruction, preempted again and again.
Outcome simulate(unsigned seed, const std::function<Cycle()>& window, bool preempted = true) {
  std::mt19937_64 random(seed);
  SmConfig config = one_sub_core();
  config.sub_cores = random() % 2 ? 4 : 1;
  config.warp_scheduler = std::vector<std::string>{"lrr", "gto", "two_level", "qaws"}[random() % 4];
  config.l1.mshrs = static_cast<unsigned>(1 + random() % 8);
  std::vector<std::unique_ptr<HandKernel>> kernels;
  Surroundings surroundings;
  surroundings.latency = [](const Access& access) { return 20 + access.address / 128 % 190; };
  SmHarness sm(config, preemption_noc(), surroundings);
  for (KernelId id = 0; id < 3; ++id) {
    std::vector<std::vector<Instruction>> codes(1 + random() % 3);
    for (auto& code : codes) {
      for (unsigned barrier = 0; barrier < 3; ++barrier) {
        for (unsigned i = 0; i < 6; ++i) {
          const auto address = static_cast<std::uint32_t>(random() % 32 * 512);
          switch (random() % 6) {
            case 0: code.push_back(load_from(address, 5)); break;
            case 1: code.push_back(store_to(address)); break;
            case 2: code.push_back(atomic_on(address, 6)); break;
            case 3: code.push_back(load_from(address, 7, Space::kShared)); break;
            case 4: code.push_back(control(Op::kSpin, static_cast<std::uint32_t>(random() % 900 * kPeriod))); break;
            default: code.push_back(arithmetic(Pipe::kFp32, 4, {5, 6, 7}));
          }
        }
        code.push_back(control(Op::kBarrier, barrier));
      }
    }
    kernels.push_back(std::make_unique<HandKernel>(1 + random() % 4, 1 + random() % 4, codes));
    kernels.back()->registers_per_thread = 8;
    sm.launch(*kernels.back(), id, random() % 500);
  }
  for (Cycle at = random() % 300, i = 0; preempted && i < 8; ++i) {
    const Cycle back = at + 1 + random() % 600;
    sm.preempt(at, back);
    at = back + random() % 300;
  }
  EXPECT_TRUE(sm.run(window)) << seed;
  EXPECT_EQ(sm.accesses_in_use(), 0u);
  return {sm.ended, sm.left, sm.switched, sm.core.statistics(kNever - 1).active_cycles};
}

TEST(Preemption, NoBlockIsLostAndAllIsTheSameForEveryWindow) {
  unsigned preempted_blocks = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const Outcome widest = simulate(seed, [] { return Cycle{20}; });
    unsigned off = 0, back = 0;
    for (const auto& switched : widest.switched) (switched.brought_back ? back : off) += switched.blocks;
    EXPECT_EQ(off, back);
    preempted_blocks += off;
    for (const Cycle window : {Cycle{1}, Cycle{4}}) {
      const Outcome other = simulate(seed, [=] { return window; });
      ASSERT_EQ(other.ended, widest.ended) << seed;
      ASSERT_EQ(other.left, widest.left) << seed;
      ASSERT_EQ(other.switched, widest.switched) << seed;
      ASSERT_EQ(other.active, widest.active) << seed;
    }
    const Outcome undisturbed = simulate(
        seed, [] { return Cycle{20}; }, false);
    const auto work = [](const Outcome& outcome) {
      std::map<std::pair<KernelId, std::uint32_t>, std::vector<std::uint64_t>> all;
      for (const Ended& e : outcome.ended)
        all[{e.kernel, e.block}] = {e.counters.instructions, e.counters.global_loads, e.counters.global_stores,
                                    e.counters.shared_accesses};
      return all;
    };
    ASSERT_EQ(work(widest), work(undisturbed)) << seed;
  }
  EXPECT_GT(preempted_blocks, 300u);
}

}  // namespace
}  // namespace gputlm::test
