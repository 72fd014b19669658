// Records differ exactly if their texts do.

#include "models/kernel/record_text.h"

#include <gtest/gtest.h>

#include <set>

#include "models/kernel/program_kernel.h"

namespace gputlm {
namespace {

ProgramSpec example() {
  ProgramSpec spec;
  spec.name = "example";
  spec.grid = {4};
  spec.block = {64};
  spec.patterns = {{"in", 4096, CoalescedPattern{256}}, {"r", 8192, ReusePattern{1024, true, 0.25}}};
  spec.body = {loop(3, {load("in", 4, 4), instruction(Pipe::kFp32, 5, {4, 6}), barrier(1)}),
               warps(0, 1, {instructions(Pipe::kInt, 1)}), spin(10, 2)};
  return spec;
}

TEST(RecordText, IsTheSameForTheSameProgramFromAnotherFile) {
  ProgramSpec other = example();
  other.file = "elsewhere.yaml";
  other.line = other.body[0].line = other.patterns[0].line = 7;
  EXPECT_EQ(record_text(other), record_text(example()));
}

TEST(RecordText, ChangesWithEverythingThatABlockDoes) {
  std::vector<ProgramSpec> specs(22, example());
  specs[1].name = "another";
  specs[2].grid.y = 2;
  specs[3].block.x = 32;
  specs[4].registers_per_thread = 33;
  specs[5].shared_memory = 1;
  specs[6].patterns[0].base = 0;
  specs[7].patterns[0].shape = CoalescedPattern{512};
  specs[8].patterns[0].shape = RandomPattern{256};
  specs[9].patterns[1].shape = ReusePattern{1024, true, 0.250000001};
  specs[10].body.pop_back();
  std::get<LoopElement>(specs[11].body[0].what).count = 4;
  std::get<LoopElement>(specs[12].body[0].what).varies = true;
  std::get<MemoryElement>(std::get<LoopElement>(specs[13].body[0].what).body[0].what).offset = 4;
  specs[14].variation.spread = 0.1;
  std::get<WarpsElement>(specs[15].body[1].what).first = 1;
  std::get<WarpsElement>(specs[16].body[1].what).last = std::nullopt;
  std::get<WarpsElement>(specs[17].body[1].what).body.push_back(spin(1));
  for (std::size_t i = 18; i < 22; ++i) specs[i].body.push_back(work({8}, {barrier()}, 4096));
  std::get<WorkElement>(specs[19].body.back().what).units.y = 2;
  std::get<WorkElement>(specs[20].body.back().what).schedule = WorkElement::Schedule::kStatic;
  std::get<WorkElement>(specs[21].body.back().what).counters = 0;
  std::set<std::string> texts;
  for (const ProgramSpec& spec : specs) texts.insert(record_text(spec));
  EXPECT_EQ(texts.size(), specs.size());
}

TEST(RecordText, OfAKernelComesWithItsSeed) {
  EXPECT_NE(ProgramKernel(example(), 1).source(), ProgramKernel(example(), 2).source());
  EXPECT_EQ(ProgramKernel(example(), 1).source(), ProgramKernel(example(), 1).source());
}

}  // namespace
}  // namespace gputlm
