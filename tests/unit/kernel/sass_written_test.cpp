// The reader gets from a trace what was traced (tests/support/sass_trace_writer.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/support/sass_trace_writer.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const written::TracedInstruction kExit{0x100, 0xffffffff, 0xffffffff, -1, "EXIT"};

struct ReadBack {
  ReadBack(const written::TracedLaunch& launch, const std::string& body)
      : kernel(folder.write("k.traceg", written::header(launch) + body)), code(kernel.code(0)) {}
  const Instruction& at(std::size_t i) const { return code->warp(0).code[i]; }

  TestFolder folder;
  SassKernel kernel;
  std::unique_ptr<BlockCode> code;
};

/// One block of one warp, of these and an EXIT.
ReadBack read_back(const std::vector<written::TracedInstruction>& instructions,
                   const written::TracedLaunch& launch = {}, bool compress = true) {
  std::vector<std::string> lines;
  for (const auto& each : instructions) lines.push_back(written::instruction(each, launch, compress));
  lines.push_back(written::instruction(kExit, launch, compress));
  return {launch, written::block({0, 0, 0}, {lines})};
}

TEST(SassWritten, TheHeaderIsThatOfTheLaunch) {
  written::TracedLaunch launch;
  launch.grid = {4, 3, 2};
  launch.block = {16, 5, 1};
  launch.static_shared = 1024;
  launch.dynamic_shared = 512;
  launch.registers = 40;
  launch.stream = 0x55d2c8a3b7f0;
  const TestFolder folder;
  const SassKernel kernel(folder.write("k.traceg", written::header(launch)));
  EXPECT_EQ(kernel.name, "_Z9vectorAddPKfS0_Pfi");
  EXPECT_EQ(kernel.blocks(), 24u);
  EXPECT_EQ(kernel.threads_per_block(), 80u);
  EXPECT_EQ(kernel.shared_memory, 1536u);
  EXPECT_EQ(kernel.registers_per_thread, 40u);
  EXPECT_EQ(kernel.cuda_stream(), 0x55d2c8a3b7f0u);
  EXPECT_THAT(texts(kernel.warnings()), IsEmpty());
}

TEST(SassWritten, TheLegacyStreamIsTheDefaultStreamAndThatOfAThreadIsNot) {
  const TestFolder folder;
  const auto stream = [&](std::uint64_t handle) {
    written::TracedLaunch launch;
    launch.stream = handle;
    return SassKernel(folder.write("k.traceg", written::header(launch))).cuda_stream();
  };
  EXPECT_EQ(stream(0), 0u);
  EXPECT_EQ(stream(1), 0u);
  EXPECT_EQ(stream(2), 2u);
}

TEST(SassWritten, TheFirstTracersVersionIsOneOfThoseThatNameBlockAndWarpInEachLine) {
  written::TracedLaunch launch;
  launch.tracer = "1.2";
  const ReadBack read(
      launch,
      written::block({0, 0, 0}, {{"0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 \n", "0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n"}}));
  EXPECT_EQ(read.at(0).destination, 1);
  EXPECT_THAT(texts(read.kernel.warnings()), IsEmpty());
}

/// The blocks of a launch, each of one warp that adds into the register of its number and exits.
std::string blocks(const written::Dim& grid, const written::Dim& cluster, const written::TracedLaunch& launch) {
  std::string text;
  int number = 0;
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) {
        const written::TracedInstruction add{0, ~0u, ~0u, number++, "IADD3"};
        text += written::block({x, y, z}, {{written::instruction(add, launch), written::instruction(kExit, launch)}},
                               cluster);
      }
    }
  }
  return text;
}

TEST(SassWritten, ClustersAreThoseOfTheFirstBlocks) {
  for (const written::Dim& cluster :
       {written::Dim{1, 1, 1}, {2, 1, 1}, {4, 1, 1}, {1, 2, 1}, {2, 3, 1}, {2, 1, 2}, {4, 6, 2}}) {
    written::TracedLaunch launch;
    launch.tracer = "6";
    launch.grid = {4, 6, 2};
    launch.registers = 64;
    const TestFolder folder;
    SassKernel kernel(folder.write("k.traceg", written::header(launch) + blocks(launch.grid, cluster, launch)));
    EXPECT_EQ(to_text(kernel.cluster), to_text(Dim3{cluster.x, cluster.y, cluster.z}));
    EXPECT_TRUE(kernel.non_portable_cluster);
    for (int launched = 0; launched < 2; ++launched) {
      for (std::uint64_t place = 0; place < kernel.blocks(); ++place) {
        const std::uint64_t block = kernel.block_at(place);
        EXPECT_EQ(kernel.code(block)->warp(0).code[0].destination, block) << "they come out of the file's order";
      }
      kernel.rewind();
    }
    EXPECT_THAT(texts(kernel.warnings()), IsEmpty());
  }
}

TEST(SassWritten, ProgrammaticDependentLaunch) {
  const auto read = read_back({{0, ~0u, ~0u, -1, "ACQBULK"}, {0x10, ~0u, ~0u, -1, "PREEXIT"}});
  EXPECT_EQ(read.at(0).op, Op::kGridDependencyWait);
  EXPECT_EQ(read.at(1).op, Op::kLaunchDependents);
  EXPECT_THAT(texts(read.kernel.warnings()), IsEmpty());
}

TEST(SassWritten, ClustersThatDoNotDivideTheGridAreTold) {
  written::TracedLaunch launch;
  launch.tracer = "6";
  launch.grid = {3, 1, 1};
  const TestFolder folder;
  SassKernel kernel(folder.write("k.traceg", written::header(launch) + blocks(launch.grid, {2, 1, 1}, launch)));
  EXPECT_EQ(kernel.cluster.count(), 1u);
  for (std::uint64_t block = 0; block < 3; ++block) kernel.code(block);
  EXPECT_THAT(texts(kernel.warnings()), ElementsAre(HasSubstr("cluster rank = 1, but the first blocks")));
}

TEST(SassWritten, ImmediatesAreTheLower32BitsWithTheirSign) {
  const auto read = read_back({{0, ~0u, ~0u, -1, "BAR.SYNC.DEFER_BLOCKING", {}, std::nullopt, 3},
                               {0x10, ~0u, ~0u, -1, "DEPBAR.LE", {}, std::nullopt, 1},
                               {0x20, ~0u, ~0u, 4, "IADD3", {4, 255}, std::nullopt, 0xffffffffffffffff}});
  EXPECT_EQ(read.at(0).operand, 3u);
  EXPECT_EQ(read.at(1).operand, 1u);
  EXPECT_THAT(texts(read.kernel.warnings()), IsEmpty());
}

TEST(SassWritten, LinesOfTheSourceStandInFront) {
  written::TracedLaunch launch;
  launch.lineinfo = 1;
  const auto read = read_back({{0, ~0u, ~0u, 7, "FADD", {1, 2}, std::nullopt, 0, 4711}}, launch);
  EXPECT_EQ(read.at(0).destination, 7);
  EXPECT_EQ(read.at(0).sources, 2);
}

// Addresses of every kind, under masks of every kind, in each of the three modes.
TEST(SassWritten, EveryActiveLaneHasItsAddress) {
  std::mt19937_64 random(1);
  const char* const opcodes[] = {"LDG.E", "LDG.E.64.SYS", "LDG.E.128.CONSTANT", "LDG.E.U8", "STG.E", "STG.E.128"};
  const auto addresses = [&] {
    written::Addresses of{};
    const std::uint64_t base = (random() >> 20) & ~std::uint64_t{15};
    const auto stride = static_cast<std::int64_t>(random() % 4096) - 2048;
    for (unsigned lane = 0; lane < 32; ++lane)
      of[lane] = random() % 4 == 0 ? random() >> 16
                                   : base + (std::uint64_t{1} << 40) + static_cast<std::uint64_t>(stride * lane);
    if (random() % 2 == 0) {
      for (unsigned lane = 0; lane < 32; ++lane)
        of[lane] = (std::uint64_t{1} << 40) + static_cast<std::uint64_t>(stride * lane);
    }
    return of;
  };
  const auto mask = [&]() -> std::uint32_t {
    switch (random() % 5) {
      case 0: return 0;
      case 1: return 1u << (random() % 32);
      case 2: return 0xffffffffu << (random() % 32);
      case 3: return 0xffffffffu;
      default: return static_cast<std::uint32_t>(random());
    }
  };
  for (const bool compress : {true, false}) {
    std::vector<written::TracedInstruction> all;
    for (unsigned i = 0; i < 500; ++i) {
      const char* const opcode = opcodes[random() % std::size(opcodes)];
      all.push_back({16 * i, mask(), 0xffffffff, opcode[0] == 'L' ? 4 : -1, opcode, {2}, addresses()});
    }
    const auto read = read_back(all, {}, compress);
    for (std::size_t i = 0; i < all.size(); ++i) {
      LaneAddresses found;
      found.fill(ParsedBlock::kUntouched);
      ASSERT_EQ(read.at(i).mask, all[i].active);
      read.code->addresses(read.at(i), {}, found);
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((all[i].active >> lane & 1) == 0) continue;
        ASSERT_EQ(found[lane], (*all[i].addresses)[lane])
            << written::instruction(all[i], {}, compress) << "lane " << lane;
      }
    }
    EXPECT_THAT(texts(read.kernel.warnings()), IsEmpty());
  }
}

}  // namespace
}  // namespace gputlm
