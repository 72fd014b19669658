// The accesses of a block by its code: their order, and when they are due.

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "models/sm/blocks/accesses.h"
#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

/// What a warp does when it runs its code, by SmCore's rules: its accesses in order.
void run_warp(const WarpCode& warp, const BlockCode& code,
              std::vector<std::pair<unsigned, std::vector<unsigned>>>& all) {
  std::array<std::uint32_t, kMaxLoopDepth> loop{};
  for (std::uint32_t pc = 0; pc < warp.length; ++pc) {
    const Instruction& in = warp.code[pc];
    if (in.op == Op::kLoopEnd) {
      const LoopInfo info = code.loop(in.operand);
      if (++loop[info.depth] < info.iterations) {
        pc = info.start - 1;
      } else {
        loop[info.depth] = 0;
      }
    } else if ((in.op == Op::kLoad || in.op == Op::kStore || in.op == Op::kAtomic) && in.space == Space::kGlobal) {
      all.push_back({in.operand, {loop.begin(), loop.end()}});
    }
  }
}

/// A program of nested loops with memory instructions here and there.
class RandomCode {
 public:
  explicit RandomCode(std::mt19937& random) : random_(random) { body(0); }
  std::vector<Instruction> code;
  std::vector<LoopInfo> loops;

 private:
  void body(std::uint8_t depth) {
    for (unsigned i = 0, count = 1 + random_() % 3; i < count; ++i) {
      const auto start = static_cast<std::uint32_t>(code.size());
      switch (random_() % 5) {
        case 0: code.push_back(arithmetic(Pipe::kFp32, 4)); break;
        case 1: code.push_back(load_from(next_ += 128, 4)); break;
        case 2: code.push_back(store_to(next_ += 128)); break;
        case 3: code.push_back(load_from(next_ += 128, 4, Space::kShared)); break;
        default:
          if (depth == kMaxLoopDepth) break;
          body(depth + 1);
          if (code.size() == start) break;
          code.push_back(control(Op::kLoopEnd, static_cast<std::uint32_t>(loops.size())));
          loops.push_back({start, 1 + static_cast<std::uint32_t>(random_() % 3), depth});
      }
    }
  }
  std::mt19937& random_;
  std::uint32_t next_ = 0;
};

TEST(BlockAccesses, AreThoseOfTheCodeInTheOrderOfEachWarp) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    RandomCode program(random);
    const unsigned warps = 1 + random() % 4;
    HandKernel kernel(1, warps, {program.code});
    kernel.loops = program.loops;
    const auto code = kernel.code(0);
    BlockAccesses accesses;
    accesses.begin(*code, 7, warps, kWork, 0);
    std::map<std::uint32_t, std::vector<std::pair<unsigned, std::vector<unsigned>>>> taken;
    while (accesses.left() > 0) {
      const BlockAccesses::Next next = accesses.take();
      EXPECT_EQ(next.position.block, 7u);
      taken[next.position.warp].push_back(
          {next.instruction->operand, {next.position.loop.begin(), next.position.loop.end()}});
    }
    for (std::uint32_t w = 0; w < warps; ++w) {
      std::vector<std::pair<unsigned, std::vector<unsigned>>> expected;
      run_warp(code->warp(w), *code, expected);
      ASSERT_EQ(taken[w], expected) << "round " << round << ", warp " << w;
    }
  }
}

TEST(BlockAccesses, WarpsTakeTurns) {
  HandKernel kernel(1, 3, {{load_from(0, 4), load_from(128, 4)}, {arithmetic(Pipe::kFp32, 4)}, {load_from(256, 4)}});
  const auto code = kernel.code(0);
  BlockAccesses accesses;
  accesses.begin(*code, 0, 3, kWork, 0);
  std::vector<unsigned> order;
  while (accesses.left() > 0) order.push_back(accesses.take().instruction->operand);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 256, 128}));
}

TEST(BlockAccesses, AreSpreadEvenlyAndNoneIsDueInTheTail) {
  std::mt19937 random(6);
  for (int round = 0; round < 100; ++round) {
    const unsigned count = 1 + random() % 50;
    HandKernel kernel(1, 1, {std::vector<Instruction>(count, load_from(0, 4))});
    const auto code = kernel.code(0);
    const Work work = kWork / 4 + random() % kWork, tail = random() % work;
    BlockAccesses accesses;
    accesses.begin(*code, 0, 1, work, tail);
    ASSERT_EQ(accesses.left(), count);
    for (unsigned i = 0; i < count; ++i) {
      const double expected = static_cast<double>(work) - static_cast<double>(work - tail) * i / count;
      EXPECT_NEAR(static_cast<double>(accesses.due()), expected, count);
      EXPECT_GE(accesses.due(), tail);
      accesses.take();
    }
    EXPECT_EQ(accesses.due(), 0u) << "there is none";
  }
}

}  // namespace
}  // namespace gputlm::test
