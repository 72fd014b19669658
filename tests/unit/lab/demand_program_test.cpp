#include "platform/lab/demand_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "models/kernel/program_kernel.h"
#include "platform/lab/demand_run.h"

namespace gputlm {
namespace {

using Count = KernelDemand::Count;

struct Asked {
  ProgramSpec like;
  KernelDemand demand;
};

/// A kernel as profilers see some: coalesced words or more, hits in both caches, shared memory with and without conflicts.
Asked random_demand(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(0, most - 1)(random);
  };
  Asked asked;
  asked.like.name = "k";
  asked.like.grid = {static_cast<std::uint32_t>(1 + below(40)), static_cast<std::uint32_t>(1 + below(3))};
  asked.like.block = {static_cast<std::uint32_t>(32 + below(300))};
  const double warps = static_cast<double>(asked.like.grid.count()) * std::ceil(asked.like.block.x / 32.0);
  KernelDemand& d = asked.demand;
  const double loads = static_cast<double>(below(120)), stores = static_cast<double>(below(20));
  const double sectors = static_cast<double>(std::uint64_t{1} << below(5)), hits = static_cast<double>(below(11)) / 10;
  d.l2_write_sectors = stores * sectors * warps;
  d.l1_sectors = *d.l2_write_sectors + loads * sectors * warps;
  d.l2_read_sectors = loads * sectors * warps * (1 - hits);
  d.l1_hit_rate = *d.l1_sectors == 0 ? 0 : loads * sectors * warps * hits / *d.l1_sectors;
  d.dram_read_bytes = *d.l2_read_sectors * 32 * static_cast<double>(below(11)) / 10;
  const double shared = static_cast<double>(below(2) * below(60));
  d.shared_wavefronts = shared * static_cast<double>(1 + below(3)) * warps;
  d.of_pipe.fp32 = static_cast<double>(below(400)) * warps / 2;
  d.of_pipe.integer = static_cast<double>(below(100)) * warps;
  d.of_pipe.fp64 = static_cast<double>(below(3)) * warps;
  d.of_pipe.control = static_cast<double>(1 + below(20)) * warps;
  d.of_pipe.load_store = (loads + stores + shared) * warps;
  return asked;
}

TEST(DemandProgram, HasTheInstructionsOfEachPipeHoweverFarItHidesLatency) {
  std::mt19937_64 random(1);
  for (unsigned trial = 0; trial < 200; ++trial) {
    const Asked asked = random_demand(random);
    DemandProgram demand(asked.like, asked.demand, GpuConfig{}, 0x100000000);
    // Only parts of blocks may do one more or one less, for each kind of access and each pipe.
    const double blocks = static_cast<double>(asked.like.grid.count());
    for (const double hidden : {DemandProgram::least_hidden(), 0.5, 1.7, demand.most_hidden()}) {
      ProgramKernel kernel(demand.program(hidden), 1);
      const PipeInstructions has = *instructions_by_pipe(kernel);
      for (const auto of :
           {&PipeInstructions::fp32, &PipeInstructions::integer, &PipeInstructions::fp64, &PipeInstructions::control})
        EXPECT_NEAR(*(has.*of), *(asked.demand.of_pipe.*of), 0.51 * blocks) << trial << ' ' << hidden;
      EXPECT_EQ(has.sfu, 0);
    }
  }
}

TEST(DemandProgram, TheSectorsThatItsWarpsTouchAreThoseOfTheCounters) {
  ProgramSpec like;
  like.name = "k";
  like.grid = {8};
  like.block = {64};
  KernelDemand demand;  // 16 warps: 40 loads of 4 sectors, of which the L1 has 10, DRAM 20, and 5 stores
  demand.l1_sectors = 16 * 45 * 4;
  demand.l1_hit_rate = 10.0 / 45;
  demand.l2_read_sectors = 16 * 30 * 4;
  demand.l2_write_sectors = 16 * 5 * 4;
  demand.dram_read_bytes = 16 * 20 * 4 * 32;
  demand.of_pipe.load_store = 16 * 45;
  DemandProgram program(like, demand, GpuConfig{}, 0x100000000);
  ProgramKernel kernel(program.program(2), 1);
  EXPECT_EQ(instructions_by_pipe(kernel)->load_store, 16 * 45);
  EXPECT_GT(program.end(), 0x100000000u + 16 * 20 * 4 * 32);
}

TEST(DemandProgram, WhatNobodyCountedByPipeIsInteger) {
  ProgramSpec like;
  like.name = "k";
  like.grid = {8};
  like.block = {64};
  KernelDemand demand;
  demand.instructions = 16 * 100;
  demand.of_pipe.fp32 = 16 * 40;
  ProgramKernel kernel(DemandProgram(like, demand, GpuConfig{}, 0x100000000).program(0), 1);
  const PipeInstructions has = *instructions_by_pipe(kernel);
  EXPECT_EQ(has.fp32, 16 * 40);
  EXPECT_EQ(has.integer, 16 * 59) << "each warp's exit is the last one";
}

TEST(DemandProgram, SharedMemoryHasTheConflictsOfItsWavefronts) {
  ProgramSpec like;
  like.name = "k";
  like.grid = {4};
  like.block = {128};
  KernelDemand demand;  // 16 warps: 10 accesses of the L1, 30 of shared memory that take 6 cycles each
  demand.l1_sectors = demand.l2_read_sectors = 16 * 10 * 4;
  demand.l1_hit_rate = 0;
  demand.shared_wavefronts = 16 * 30 * 6;
  demand.of_pipe.load_store = 16 * 40;
  DemandProgram program(like, demand, GpuConfig{}, 0x100000000);
  const ProgramSpec spec = program.program(1);
  EXPECT_EQ(spec.shared_memory, 8u * 128) << "for lanes that lie 8 words apart";
  std::map<std::int64_t, unsigned> places;  // by lane stride
  for (const AddressPattern& pattern : spec.patterns) {
    if (pattern.base == 0) ++places[std::get<AffinePattern>(pattern.shape).lane_stride];
  }
  EXPECT_EQ(places.size(), 2u);
  EXPECT_EQ(places.count(16), 1u) << "4 ways";
  EXPECT_EQ(places.count(32), 1u) << "8 ways";
}

/// Sources of the loads of a body, and of all in it, by pattern.
void find_sources(const std::vector<ProgramElement>& body, std::map<std::string, std::vector<std::uint8_t>>& sources) {
  for (const ProgramElement& element : body) {
    if (const auto* const memory = std::get_if<MemoryElement>(&element.what)) {
      sources[memory->pattern] = memory->registers.sources;
    } else if (const auto* const loop = std::get_if<LoopElement>(&element.what)) {
      find_sources(loop->body, sources);
    } else if (const auto* const warps = std::get_if<WarpsElement>(&element.what)) {
      find_sources(warps->body, sources);
    }
  }
}

TEST(DemandProgram, WhatTheL1HasIsThereBeforeItIsReadAgain) {
  ProgramSpec like;
  like.name = "k";
  like.grid = {8};
  like.block = {64};
  KernelDemand demand;  // 16 warps: 37 1/2 loads of 4 sectors, of which the L1 has 27 1/2
  demand.l1_sectors = 16 * 37.5 * 4;
  demand.l1_hit_rate = 27.5 / 37.5;
  demand.l2_read_sectors = 16 * 10 * 4;
  demand.of_pipe.load_store = 16 * 37.5;
  const ProgramSpec spec = DemandProgram(like, demand, GpuConfig{}, 0x100000000).program(8);
  const auto& first = std::get<MemoryElement>(spec.body.front().what);
  ASSERT_EQ(first.pattern, "near_first");
  ASSERT_TRUE(first.registers.destination);
  std::map<std::string, std::vector<std::uint8_t>> sources;
  find_sources(spec.body, sources);
  unsigned again = 0;
  for (const auto& [pattern, of] : sources) {
    if (pattern == "near_first" || pattern.rfind("near", 0) != 0) continue;
    ++again;
    EXPECT_EQ(std::count(of.begin(), of.end(), *first.registers.destination), 1) << pattern;
  }
  EXPECT_GE(again, 3u) << "in the loop, behind it, and in a part of the warps";
}

}  // namespace
}  // namespace gputlm
