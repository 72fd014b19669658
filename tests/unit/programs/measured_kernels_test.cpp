// Measured kernels in the model: the time that their blocks spin, and their share of the GPU.
#include "platform/programs/measured_kernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <queue>

#include "models/kernel/program_kernel.h"
#include "platform/input/preset.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::uint64_t spin_of(Cycle duration, unsigned blocks, unsigned threads, unsigned sms) {
  ProgramSpec spec;
  spec.grid = {blocks};
  spec.block = {threads};
  spec.registers_per_thread = 16;
  spec.body = {spin(0)};
  const GpuConfig gpu = load_gpu("rtx2060");
  return block_spin(duration, ProgramKernel(spec, 0), sms, gpu.sm, gpu);
}

TEST(BlockSpin, FillsTheTimeOfTheKernelWithItsWaves) {
  // The warps of a sub-core exit one after the other; a hop is 20 cycles and one for the message, a block is sent every
  // cycle.
  EXPECT_EQ(spin_of(10000, 1, 64, 30), 9999u);
  EXPECT_EQ(spin_of(10000, 30, 1024, 30), 10000u - 29 - 8) << "the last is sent 29 cycles after the first";
  EXPECT_EQ(spin_of(10000, 31, 1024, 30), (10000u - 42) / 2 - 8) << "two waves";
  EXPECT_EQ(spin_of(10000, 31, 1024, 40), 10000u - 30 - 8) << "on more SMs it is one";
  EXPECT_EQ(spin_of(5100, 5000, 32, 36), 5100u - 4999 - 1) << "sending takes longer than the waves";
  EXPECT_EQ(spin_of(5100, 5000, 32, 30), 5100u - 4519 - 42 - 453 - 1) << "480 blocks wait for the launch's code";
  EXPECT_EQ(spin_of(4000, 5000, 32, 30), 0u);
}

/// First start to last end of blocks that spin: the places of an SM are taken one a round of the SMs, later ones as they
/// become free.
Cycle duration_of(Cycle spins, unsigned blocks, unsigned threads, unsigned sms, Cycle fetch) {
  constexpr Cycle kHops = 2 * 21;
  struct Place {
    Cycle free;
    bool operator<(const Place& other) const { return free > other.free; }
  };
  const Cycle exit = threads / 32 / 4;
  const unsigned of_sm = 1024 / threads;
  std::priority_queue<Place> places;
  Cycle start = 0, end = 0;
  for (unsigned i = 0; i < blocks; ++i) {
    if (i > 0) ++start;
    Cycle lasts = spins + exit;
    if (i < sms * of_sm) {
      lasts = std::max(lasts, i % sms + fetch + exit - std::min(start, i % sms + fetch + exit));
    } else {
      start = std::max(start, places.top().free + kHops);
      places.pop();
    }
    places.push({start + lasts});
    end = std::max(end, start + lasts);
  }
  return end;
}

TEST(BlockSpin, IsThatOfAKernelWhoseFirstBlocksWaitForItsCode) {
  const Cycle fetch = load_gpu("rtx2060").sm.launch_fetch_latency;
  ASSERT_GT(fetch, 400u);
  for (const unsigned threads : {128u, 512u, 1024u}) {
    for (const unsigned blocks : {1u, 29u, 31u, 206u, 700u, 3000u}) {
      for (const Cycle spins : {40u, 300u, 367u, 440u, 460u, 2000u}) {
        if (spins < fetch && blocks <= 30 * 1024 / threads) continue;  // lasts the same whatever it spins
        EXPECT_EQ(spin_of(duration_of(spins, blocks, threads, 30, fetch), blocks, threads, 30), spins)
            << blocks << " blocks of " << threads;
      }
    }
  }
}

/// A program of one kernel, on a GPU of 30 SMs of 1024 threads.
class MeasuredKernelsOfOne : public testing::Test {
 protected:
  MeasuredKernelsOfOne() {
    program.path = "capture";
    program.gpu.sms = 30;
  }
  MeasuredKernel& add(unsigned blocks, unsigned threads, Nanoseconds duration = 100'000) {
    MeasuredCommand command;
    command.label = "k";
    command.start = 1'000;
    command.end = 1'000 + duration;
    command.what = MeasuredKernel{"k", {blocks}, {threads}};
    program.commands.push_back(command);
    return std::get<MeasuredKernel>(program.commands.back().what);
  }
  std::vector<std::string> checks(std::optional<unsigned> sms = std::nullopt) {
    MeasuredKernels kernels(program, gpu, sms);
    for (const MeasuredCommand& command : program.commands) kernels.make(command);
    std::vector<std::string> all;
    for (const ProgramCheck& check : kernels.checks())
      all.push_back(std::to_string(check.count) + " " + check.name + ": " + check.first);
    return all;
  }

  Program program;
  GpuConfig gpu = load_gpu("rtx2060");
};

TEST_F(MeasuredKernelsOfOne, AShareOfTheGpuIsWhatItsBlocksTake) {
  const MeasuredKernel& kernel = add(15, 512);
  const MeasuredKernels kernels(program, gpu, std::nullopt);
  EXPECT_DOUBLE_EQ(kernels.share_of_gpu(kernel), 0.25) << "two of these fit on an SM";
  EXPECT_DOUBLE_EQ(kernels.least_share_of_gpu(kernel), 0.5);
  EXPECT_DOUBLE_EQ(kernels.share_of_gpu(add(6000, 512)), 1);
}

TEST_F(MeasuredKernelsOfOne, LimitsOfAnSmAreThoseOfTheGpuThatItWasMeasuredOn) {
  add(15, 512);
  program.gpu.warps = 64;
  const MeasuredKernels kernels(program, gpu, std::nullopt);
  EXPECT_DOUBLE_EQ(kernels.least_share_of_gpu(*program.commands[0].kernel()), 0.25);
}

TEST_F(MeasuredKernelsOfOne, AnUnknownShapeIsABlockOf1024ThreadsForEachSm) {
  add(0, 0).unknown_shape = true;
  MeasuredKernels kernels(program, gpu, std::nullopt);
  const auto made = kernels.make(program.commands[0]);
  EXPECT_EQ(made->blocks(), 30u);
  EXPECT_EQ(made->threads_per_block(), 1024u);
  EXPECT_DOUBLE_EQ(kernels.share_of_gpu(*program.commands[0].kernel()), 1);
  program.gpu.sms = 108;
  MeasuredKernels elsewhere(program, gpu, std::nullopt);
  EXPECT_EQ(elsewhere.make(program.commands[0])->blocks(), 30u) << "of the GPU that it runs on";
}

TEST_F(MeasuredKernelsOfOne, AShareOfUnknownSizeIsAskedFor) {
  program.shares.push_back({100, 2});
  add(60, 1024).share = 0;
  EXPECT_THAT(checks(),
              ElementsAre("1 size of a share: k, whose 60 blocks of 1024 took 100000 ns: 1 to an SM, in 2 waves on "
                          "30 SMs"));
  EXPECT_THAT(checks(10), IsEmpty());
  const MeasuredKernels unknown(program, gpu, std::nullopt), known(program, gpu, 10);
  EXPECT_FALSE(unknown.sms(*program.commands[0].kernel()));
  ASSERT_TRUE(known.sms(*program.commands[0].kernel()));
  EXPECT_EQ(known.sms(*program.commands[0].kernel())->count(), 10u);
  program.shares[0].sms = 4;
  const MeasuredKernels said(program, gpu, 10);
  EXPECT_EQ(said.sms(*program.commands[0].kernel())->count(), 4u) << "what the capture says goes first";
}

TEST_F(MeasuredKernelsOfOne, WhatIsTakenForTrueIsCounted) {
  add(9'000, 32, 1'000);
  add(9'000, 32, 1'000);
  add(8, 32).cluster = {2, 1, 1};
  const std::vector<std::string> all = checks();
  EXPECT_THAT(all, ElementsAre("2 short kernels: k", "1 clusters: k"));
}

TEST_F(MeasuredKernelsOfOne, ClustersArePlacedAsSuchWhereTheGpuHasThem) {
  gpu = load_gpu("h100_sxm");
  add(64, 32).cluster = {2, 2, 1};
  std::get<MeasuredKernel>(program.commands.back().what).grid = {32, 2};
  add(64, 32).cluster = {16, 1, 1};
  add(64, 32).cluster = {32, 1, 1};
  add(63, 32).cluster = {2, 1, 1};
  MeasuredKernels kernels(program, gpu, std::nullopt);
  std::vector<std::uint64_t> clusters;
  for (const MeasuredCommand& command : program.commands) clusters.push_back(kernels.make(command)->cluster.count());
  EXPECT_THAT(clusters, ElementsAre(4, 16, 1, 1));
  EXPECT_EQ(kernels.checks().at(0).count, 2u);
}

/// 18 SMs of a GPC hold four clusters of four, so that two SMs are empty in each wave.
TEST(BlockSpin, KnowsWhatClustersLeaveEmpty) {
  GpuConfig gpu = load_gpu("h100_sxm");
  gpu.work_distributor.kernel_launch_latency = gpu.work_distributor.kernel_completion_latency = 0;
  ProgramSpec spec;
  spec.grid = {36};
  spec.block = {1024};
  spec.registers_per_thread = 64;  // one block an SM
  spec.body = {spin(0)};
  const Cycle single = block_spin(100000, ProgramKernel(spec, 0), 36, gpu.sm, gpu);
  spec.cluster = {4};
  const Cycle clustered = block_spin(100000, ProgramKernel(spec, 0), 36, gpu.sm, gpu);
  EXPECT_NEAR(static_cast<double>(single), 100000, 100);
  EXPECT_NEAR(static_cast<double>(clustered), 50000, 100);
}

}  // namespace
}  // namespace gputlm
