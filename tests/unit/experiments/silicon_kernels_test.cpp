// The kernels that were measured on real GPUs, as programs: the accesses of each thread.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "../kernel/program_walk.h"
#include "platform/experiments/silicon/benchmark_kernels.h"
#include "platform/experiments/silicon/corun_kernels.h"
#include "platform/experiments/silicon/measured.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Kind = CorunKernel::Kind;

constexpr Address kBase = 0x1000'0000;

/// How often each address is accessed, and by which threads of the grid.
struct Touched {
  std::map<Address, unsigned> times;
  std::map<Address, std::set<std::uint64_t>> threads;
};

Touched touched(Kernel& kernel, Op op) {
  Touched all;
  walk_kernel(kernel, [&](const BlockCode& code, const Instruction& instruction, const WarpPosition& position) {
    if (instruction.op != op) return;
    LaneAddresses lanes{};
    code.addresses(instruction, position, lanes);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      ++all.times[lanes[lane]];
      all.threads[lanes[lane]].insert(std::uint64_t{position.block} * kernel.threads_per_block() +
                                      position.warp * kWarpSize + lane);
    }
  });
  return all;
}

CorunKernel copy_of(std::uint32_t grid, std::uint32_t block, Bytes bytes) {
  CorunKernel kernel;
  kernel.grid = grid;
  kernel.block = block;
  kernel.bytes = bytes;
  return kernel;
}

void expect_a_grid_stride_loop(const Touched& all, Address base, std::uint64_t elements, std::uint64_t threads,
                               unsigned times) {
  EXPECT_EQ(all.times.size(), elements);
  for (std::uint64_t i = 0; i < elements; ++i) {
    ASSERT_EQ(all.times.at(base + 4 * i), times) << i;
    ASSERT_EQ(all.threads.at(base + 4 * i), std::set<std::uint64_t>{i % threads}) << i;
  }
}

TEST(CorunKernels, AThreadCopiesTheSameElementsInEachSweepWhateverTheGridDivides) {
  constexpr Bytes kFirstByteBehind = Bytes{2} << 20;
  for (const std::uint64_t more : {0, 32, 96, 128, 192, 256}) {  // than five steps of all 288 threads
    const std::uint64_t elements = 5 * 288 + more;
    const auto kernel = corun_kernel(copy_of(3, 96, 4 * elements), {3}, kBase);
    expect_a_grid_stride_loop(touched(*kernel, Op::kLoad), kBase, elements, 288, 3);
    expect_a_grid_stride_loop(touched(*kernel, Op::kStore), kBase + kFirstByteBehind, elements, 288, 3);
  }
}

TEST(CorunKernels, BlocksCopyMemoryOfTheirOwn) {
  CorunKernel kernel = copy_of(2, 64, 4 * 64 * 3);
  kernel.apart = 4096;
  const Touched all = touched(*corun_kernel(kernel, {2}, kBase), Op::kLoad);
  EXPECT_EQ(all.times.size(), 2u * 64 * 3);
  for (std::uint64_t block = 0; block < 2; ++block) {
    for (std::uint64_t i = 0; i < 64 * 3; ++i) {
      const Address at = kBase + block * 4096 + 4 * i;
      ASSERT_EQ(all.times.at(at), 2u);
      ASSERT_EQ(all.threads.at(at), std::set<std::uint64_t>{block * 64 + i % 64});
    }
  }
}

TEST(CorunKernels, PartsGoOnWhereTheOneBeforeHasEnded) {
  const CorunKernel kernel = copy_of(2, 32, Bytes{1} << 20);
  CorunPart first, second;
  first.steps = second.from = 3;
  second.steps = 2;
  expect_a_grid_stride_loop(touched(*corun_kernel(kernel, first, kBase), Op::kLoad), kBase, 3 * 64, 64, 1);
  expect_a_grid_stride_loop(touched(*corun_kernel(kernel, second, kBase), Op::kLoad), kBase + 4 * 3 * 64, 2 * 64, 64,
                            1);
}

TEST(CorunKernels, WarpsOutOfStepCopyWhatTheyWouldHaveSomeStepsLater) {
  CorunPart part;
  part.steps = 4;
  out_of_step(part);
  const Touched all = touched(*corun_kernel(copy_of(2, 64, Bytes{1} << 20), part, kBase), Op::kLoad);
  for (const auto& [address, threads] : all.threads) EXPECT_EQ(threads, std::set{(address - kBase) / 4 % 128});
  for (const auto& [address, times] : all.times) EXPECT_EQ(times, 1u);
}

TEST(CorunKernels, ALoadWaitsForTheStoreBeforeItAndAStoreForItsLoad) {
  const auto kernel = corun_kernel(copy_of(1, 32, 4 * 32 * 8), {1}, kBase);
  std::uint8_t loaded = kNoRegister;
  unsigned loads = 0, stores = 0;
  walk_kernel(*kernel, [&](const BlockCode&, const Instruction& instruction, const WarpPosition&) {
    if (instruction.op == Op::kLoad) {
      EXPECT_EQ(loads++, stores);
      loaded = instruction.destination;
    } else if (instruction.op == Op::kStore) {
      ++stores;
      EXPECT_NE(std::find(instruction.source.begin(), instruction.source.end(), loaded), instruction.source.end());
    }
  });
  EXPECT_EQ(stores, 8u);
}

TEST(CorunKernels, ChainsHaveAnOperationOfEachInAnIteration) {
  CorunKernel kernel;
  kernel.kind = Kind::kFp64;
  kernel.grid = 1;
  kernel.block = 32;
  kernel.ilp = 3;
  CorunPart part;
  part.iterations = 40;
  unsigned multiplications = 0;
  std::set<std::uint8_t> chains;
  walk_kernel(*corun_kernel(kernel, part, 0), [&](const BlockCode&, const Instruction& i, const WarpPosition&) {
    if (i.op != Op::kArithmetic || i.pipe != Pipe::kFp64) return;
    ++multiplications;
    chains.insert(i.destination);
    EXPECT_NE(std::find(i.source.begin(), i.source.end(), i.destination), i.source.end());
  });
  EXPECT_EQ(multiplications, 120u);
  EXPECT_EQ(chains.size(), 3u);
}

TEST(CacheKernels, ABlockReadsTheSameBytesInEachSweep) {
  GpuConfig gpu;
  gpu.sms = 2;
  const Touched all = touched(*l1_reader(gpu, 36 * 1024, 3, Adds::kDoubles), Op::kLoad);
  EXPECT_EQ(all.times.size(), 36u * 1024 / 8);
  EXPECT_EQ(all.times.rbegin()->first - all.times.begin()->first, 36u * 1024 - 8);
  for (const auto& [address, times] : all.times) EXPECT_EQ(times, 2u * 3);  // all SMs read the same
}

TEST(CacheKernels, BlocksReadTheirPartsOfAFootprintAndOthersTheSameAgain) {
  const L2Reading reading{3 * 8 * kL2Piece, 8};
  EXPECT_EQ(reading.different_blocks(), 3u);
  const Touched all = touched(*l2_reader(5, reading, Adds::kFloats), Op::kLoad);
  EXPECT_EQ(all.times.size(), 3 * 8 * kL2Piece / 8);
  const Address first = all.times.begin()->first;
  for (const auto& [address, threads] : all.threads) {
    const std::uint64_t block = (address - first) / kL2Piece % 3, thread = (address - first) / 8 % 1024;
    std::set<std::uint64_t> expected{block * 1024 + thread};
    if (block < 2) expected.insert((block + 3) * 1024 + thread);
    ASSERT_EQ(threads, expected);
    ASSERT_EQ(all.times.at(address), expected.size());
  }
}

TEST(CacheKernels, AThreadLoadsEightElementsFromItsPlaceAmongSixtyFour) {
  for (const Adds adds : {Adds::kFloats, Adds::kDoubles}) {
    const Address bytes = adds == Adds::kDoubles ? 8 : 4;
    for (const unsigned stride : {0u, 1u, 3u, 33u}) {
      const Touched all = touched(*strided_reader(stride, 2, adds), Op::kLoad);
      const Address first = all.times.begin()->first;
      std::map<Address, unsigned> expected;
      for (unsigned thread = 0; thread < 1024; ++thread) {
        for (const unsigned offset : {0u, 4u, 8u, 12u, 16u, 20u, 24u, 28u})
          expected[first + (thread % 64 * stride + offset) * bytes] += 2;
      }
      EXPECT_EQ(all.times, expected) << "stride " << stride;
    }
  }
}

TEST(CorunRows, HaveTheirOwnKeysBeforeThoseOfTheirGroup) {
  const std::vector<CorunRow> rows = corun_rows(R"(
gpu: volta80
source: a paper,
groups:
  l2:
    place: table 1
    block: 1024
    grid: 40
    sweeps: 10
    rows:
      1 MiB: {bytes: 1MiB, alone_ms: 2.5}
      both: {gpu: a100, bytes: 2MiB, grid: 80, beside: {kernel: fp64, grid: 8, block: 32, iterations: 5}}
)",
                                                "rows.yaml");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].title(), "l2, 1 MiB");
  EXPECT_EQ(rows[0].place, "a paper, table 1");
  EXPECT_EQ(rows[0].second.grid, 40u);
  EXPECT_EQ(rows[0].measured.alone_ms, 2.5);
  EXPECT_EQ(rows[0].gpu, "volta80");
  EXPECT_EQ(rows[1].gpu, "a100");
  EXPECT_EQ(rows[1].first.grid, 80u);
  EXPECT_EQ(rows[1].second.kind, Kind::kFp64);
  EXPECT_FALSE(rows[1].measured.alone_ms.has_value());
}

TEST(CorunRows, SayWhatIsWrongWithThem) {
  const auto message = [](const std::string& row) {
    try {
      corun_rows("gpu: volta80\nsource: a paper,\ngroups:\n  l2:\n    rows:\n      a: " + row + "\n", "rows.yaml");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_THAT(message("{grid: 1, block: 32, sweeps: 1, bytes: 4KiB}"),
              AllOf(HasSubstr("rows.yaml:6"), HasSubstr("where it was measured")));
  EXPECT_THAT(message("{place: p, block: 32, sweeps: 1, bytes: 4KiB}"), HasSubstr("no grid"));
  EXPECT_THAT(message("{place: p, grid: 1, block: 32, sweeps: 1}"), HasSubstr("reads or writes"));
  EXPECT_THAT(message("{place: p, grid: 1, block: 32, kernel: fp64}"), HasSubstr("how much its kernel does"));
  EXPECT_THAT(message("{place: p, grid: 1, block: 32, sweeps: 1, bytes: 4KiB, apart: 2KiB}"), HasSubstr("overlaps"));
  EXPECT_THAT(message("{place: p, grids: 1}"), HasSubstr("grids"));
}

}  // namespace
}  // namespace gputlm
