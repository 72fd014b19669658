#include "platform/lab/block_measurements.h"

#include <gtest/gtest.h>

#include "models/kernel/program_kernel.h"

namespace gputlm {
namespace {

ProgramSpec with_body(std::vector<ProgramElement> body) {
  ProgramSpec spec;
  spec.name = "k";
  spec.grid = {10};
  spec.block = {256};
  spec.patterns = {{"random", 0x1000000, RandomPattern{1 << 20}}, {"row", 0x2000000, CoalescedPattern{}}};
  spec.body = std::move(body);
  return spec;
}

TEST(ShortenedKernel, HasAboutAsManyInstructionsAsAreWanted) {
  const std::vector<std::vector<ProgramElement>> bodies = {
      {loop(1'000'000, {instructions(Pipe::kFp32, 4), load("row", 4)})},
      {instructions(Pipe::kInt, 8), loop(500'000, {load("random", 4, 5)}),
       loop(300'000, {instructions(Pipe::kInt, 9)})},
      {loop(2, {instructions(Pipe::kInt, 3), loop(700'000, {instructions(Pipe::kInt, 5)})})},  // little to cut outside
      {loop(100, {loop(100, {loop(100, {instructions(Pipe::kInt, 5)})})})},
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    ProgramKernel whole(with_body(bodies[b]), 1);
    const std::uint64_t all = block_size(whole).instructions;
    for (const std::uint64_t wanted : {all / 3, all / 100, all / 10'000}) {
      const auto less = shortened(whole, wanted);
      ASSERT_TRUE(less) << b;
      const auto has = static_cast<double>(block_size(*less).instructions);
      EXPECT_NEAR(has, static_cast<double>(wanted), 0.1 * static_cast<double>(wanted) + 600) << b << " of " << all;
      EXPECT_EQ(less->blocks(), 10);
      EXPECT_EQ(less->name, "k");
    }
    EXPECT_FALSE(shortened(whole, all)) << "is nearly what it has";
    EXPECT_FALSE(shortened(whole, all / 2));
  }
}

TEST(ShortenedKernel, ThereIsNotAlwaysSomethingToCut) {
  ProgramKernel straight(with_body({instructions(Pipe::kFp32, 10'000)}), 1);
  EXPECT_FALSE(shortened(straight, 100));
  ProgramKernel few(with_body({loop(3, {instructions(Pipe::kFp32, 10'000)})}), 1);
  EXPECT_FALSE(shortened(few, 100));
}

TEST(ShortenedKernel, MemoryCostsMoreThanInstructions) {
  const auto cost = [](const ProgramElement& element) {
    ProgramKernel kernel(with_body({loop(1000, {element})}), 1);
    return block_size(kernel).cost;
  };
  const std::uint64_t arithmetic = cost(instructions(Pipe::kFp32, 1)), row = cost(load("row", 4)),
                      random = cost(load("random", 4));
  EXPECT_EQ(arithmetic, 8 * 1000);
  EXPECT_GT(row, 10 * arithmetic);
  EXPECT_GT(random, 10 * row);
}

}  // namespace
}  // namespace gputlm
