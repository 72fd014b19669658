#include "platform/programs/scheduling_rules.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMs = 1'000'000;

/// Four blocks of 512 threads on SMs 0 and 1, from 10 to 20 ms; launched at 5 ms, known at 21 ms.
TimedKernel sound(const std::string& label = "K1", std::int64_t later = 0, std::size_t stream = 0) {
  TimedKernel kernel{label, stream, 1, 4, 512, 4096, 5 * kMs + later, 21 * kMs + later, {}};
  for (unsigned i = 0; i < 4; ++i) kernel.blocks.push_back({10 * kMs + later, 20 * kMs + later, i % 2});
  return kernel;
}

std::vector<std::string> broken(const std::vector<TimedKernel>& kernels,
                                const SmCapacity& capacity = {2, 2048, 16, 65536}) {
  std::vector<std::string> all;
  for (const BrokenRule& rule : broken_rules(kernels, capacity)) all.push_back(rule.rule + ": " + rule.what);
  return all;
}

TEST(SchedulingRules, WhatKeepsThemBreaksNone) {
  EXPECT_THAT(broken({sound(), sound("K2", 10 * kMs), sound("K3", 0, 1)}), IsEmpty())
      << "a start when another ends is in time, and 1024 threads of two kernels each fit";
}

TEST(SchedulingRules, ABlockEndsAfterItsStart) {
  TimedKernel kernel = sound();
  kernel.blocks[2].end = 9 * kMs;
  EXPECT_THAT(broken({kernel}),
              ElementsAre("a block ends after its start: K1 block 2 starts at 10.000000 ms and ends at 9.000000 ms"));
}

TEST(SchedulingRules, ABlockRunsBetweenItsLaunchAndWhatTheHostKnows) {
  TimedKernel early = sound(), late = sound("K2", 0, 1);
  early.blocks[0].start = 3 * kMs;
  late.blocks[3].end = 23 * kMs;
  EXPECT_THAT(
      broken({early, late}),
      ElementsAre("a block ends before the host knows of the end of its kernel: K2 block 3 ends at 23.000000 ms, "
                  "known at 21.000000 ms",
                  "a block starts after the launch of its kernel: K1 block 0 starts at 3.000000 ms, launched at "
                  "5.000000 ms"));
  early = sound();
  early.blocks[0].start = 5 * kMs - kClocksApartNs;
  EXPECT_THAT(broken({early}), IsEmpty()) << "the clocks of host and GPU are so far apart";
  early.blocks[0].start -= 1;
  EXPECT_EQ(broken({early}).size(), 1u);
}

TEST(SchedulingRules, ABlockIsOnAnSmThatExists) {
  TimedKernel kernel = sound();
  kernel.blocks[1].sm = 2;
  EXPECT_THAT(broken({kernel}), ElementsAre("a block is on one of the 2 SMs: K1 block 1 is on SM 2"));
}

TEST(SchedulingRules, AnSmHoldsSoManyThreads) {
  EXPECT_THAT(
      broken({sound(), sound("K2", kMs, 1), sound("K3", 2 * kMs, 2)}),
      ElementsAre("an SM holds 2048 threads: SM 0 has 3072 at 12.000000 ms: K1 block 0, K1 block 2, K2 block 0, "
                  "K2 block 2, K3 block 0, K3 block 2",
                  "an SM holds 2048 threads: SM 1 has 3072 at 12.000000 ms: K1 block 1, K1 block 3, K2 block 1, "
                  "K2 block 3, K3 block 1, K3 block 3"));
  TimedKernel other = sound("K3", 2 * kMs, 2);
  other.process = 2;
  EXPECT_THAT(broken({sound(), sound("K2", kMs, 1), other}), IsEmpty()) << "processes may take turns";
}

TEST(SchedulingRules, ABlockMayNotHaveMoreThreadsThanAnSm) {
  TimedKernel kernel = sound();
  kernel.threads = 2049;
  kernel.blocks.resize(1);
  kernel.grid = 1;
  EXPECT_THAT(broken({kernel}), ElementsAre("an SM holds 2048 threads: SM 0 has 2049 at 10.000000 ms: K1 block 0"));
}

TEST(SchedulingRules, AnSmHoldsSoManyBlocksAndSoMuchSharedMemory) {
  EXPECT_THAT(broken({sound()}, {2, 2048, 1, std::nullopt}),
              ElementsAre("an SM holds 1 blocks: SM 0 has 2 at 10.000000 ms: K1 block 0, K1 block 2",
                          "an SM holds 1 blocks: SM 1 has 2 at 10.000000 ms: K1 block 1, K1 block 3"));
  EXPECT_EQ(broken({sound()}, {2, 2048, std::nullopt, 8191}).size(), 2u) << "each SM has two blocks of 4096 bytes";
  EXPECT_THAT(broken({sound()}, {2, 2048, std::nullopt, 8192}), IsEmpty());
}

TEST(SchedulingRules, KernelsOfAStreamRunOneAfterTheOther) {
  EXPECT_THAT(broken({sound("K1"), sound("K2", 9 * kMs)}),
              ElementsAre("a kernel starts when the one before it in its stream has ended: K2 block 0 starts at "
                          "19.000000 ms, K1 block 0 ends at 20.000000 ms"));
  EXPECT_THAT(broken({sound("K1"), sound("K2", 9 * kMs, 1)}), IsEmpty()) << "of two streams";
}

TEST(SchedulingRules, EveryBlockRunsOnce) {
  TimedKernel kernel = sound();
  kernel.grid = 5;
  EXPECT_THAT(broken({kernel}), ElementsAre("every block of a kernel runs once: K1 has 5 blocks and times of 4"));
}

}  // namespace
}  // namespace gputlm
