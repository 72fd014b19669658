#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "models/kernel/random.h"
#include "tests/unit/kernel/program_walk.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

ProgramSpec spec_of(std::vector<ProgramElement> body) {
  ProgramSpec spec;
  spec.name = "k";
  spec.grid = {4};
  spec.block = {64};
  spec.patterns = {{"in", 0x1000, CoalescedPattern{}}, {"table", 0, RandomPattern{1 << 20}}};
  spec.body = std::move(body);
  return spec;
}

std::string spec_error(const ProgramSpec& spec) {
  try {
    ProgramKernel kernel(spec, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// How many results of the same window back each instruction's source was produced, along the executed path; 0: never.
std::vector<std::size_t> executed_distances(const ProgramSpec& spec) {
  ProgramKernel kernel(spec, 1);
  std::map<std::uint8_t, std::size_t> produced;
  std::vector<std::size_t> distances;
  std::size_t n = 0;
  walk_warp(*kernel.code(0), 0, 0, [&](const Instruction& instruction, const WarpPosition&) {
    if (instruction.op != Op::kArithmetic) return;
    ++n;
    std::size_t distance = 0;
    if (instruction.sources == 1 && produced.count(instruction.source[0]) != 0)
      distance = n - produced[instruction.source[0]];
    distances.push_back(distance);
    produced[instruction.destination] = n;
  });
  return distances;
}

TEST(Instruction, PlacesWithoutARegisterRepeatOneThatItHas) {
  for (unsigned destinations = 0; destinations <= 4; ++destinations)
    for (unsigned sources = 0; sources <= kMaxSources; ++sources) {
      Instruction instruction;
      std::set<std::uint8_t> named;
      if (destinations > 0) named.insert(instruction.destination = 10);
      instruction.destinations = static_cast<std::uint8_t>(destinations);
      while (instruction.sources < sources) {
        const auto source = static_cast<std::uint8_t>(20 + instruction.sources);
        named.insert(instruction.source[instruction.sources++] = source);
      }
      instruction.fill_places();
      if (named.empty()) named.insert(kNoRegister);
      std::set<std::uint8_t> touched(instruction.source.begin(), instruction.source.end());
      touched.insert(instruction.destination);
      EXPECT_EQ(touched, named) << destinations << " " << sources;
      EXPECT_EQ(instruction.destinations, destinations);
      EXPECT_EQ(instruction.sources, sources);
    }
}

TEST(Program, LoopsRunTheirBodiesAsOftenAsTheySay) {
  ProgramKernel kernel(
      spec_of(
          {loop(3, {instructions(Pipe::kInt, 2),
                    loop(5, {instructions(Pipe::kFp32, 1), loop(2, {instruction(Pipe::kControl, {})})}), barrier(1)}),
           instructions(Pipe::kSfu, 1)}),
      1);
  std::map<Pipe, unsigned> count;
  std::map<Op, unsigned> ops;
  walk_kernel(kernel, [&](const BlockCode&, const Instruction& instruction, const WarpPosition&) {
    ++ops[instruction.op];
    if (instruction.op == Op::kArithmetic) ++count[instruction.pipe];
  });
  const unsigned warps = 4 * 2;
  EXPECT_EQ(count[Pipe::kInt], 3 * 2 * warps);
  EXPECT_EQ(count[Pipe::kFp32], 3 * 5 * warps);
  EXPECT_EQ(count[Pipe::kControl], 3 * 5 * 2 * warps);
  EXPECT_EQ(count[Pipe::kSfu], warps);
  EXPECT_EQ(ops[Op::kBarrier], 3 * warps);
  EXPECT_EQ(ops[Op::kExit], warps);
}

TEST(Program, AllWarpsOfAllBlocksShareOneCode) {
  ProgramKernel kernel(spec_of({instructions(Pipe::kInt, 2)}), 1);
  const auto first = kernel.code(0), second = kernel.code(3);
  EXPECT_EQ(first->warp(0).code, first->warp(1).code);
  EXPECT_EQ(first->warp(0).code, second->warp(0).code);
}

TEST(Program, DistanceIsExactAroundLoopsOfEveryLength) {
  for (std::uint32_t length = 1; length <= 100; ++length)
    for (std::uint32_t distance = 1; distance <= std::min(length, kMaxDistance); ++distance) {
      const auto found = executed_distances(spec_of({loop(4, {instructions(Pipe::kFp32, length, distance)})}));
      for (std::size_t n = distance; n < found.size(); ++n)
        ASSERT_EQ(found[n], distance) << "length " << length << ", instruction " << n;
    }
}

TEST(Program, DistanceZeroNeedsNothing) {
  for (const std::size_t found : executed_distances(spec_of({loop(3, {instructions(Pipe::kFp32, 40, 0)})})))
    EXPECT_EQ(found, 0u);
}

TEST(Program, ClassesDoNotShareResults) {
  ProgramKernel kernel(
      spec_of({loop(2, {instructions(Pipe::kFp32, 40), instructions(Pipe::kInt, 40), instructions(Pipe::kFp64, 40),
                        instructions(Pipe::kSfu, 40), instructions(Pipe::kTensor, 40), load("in")})}),
      1);
  std::map<std::uint8_t, std::set<Pipe>> users;
  walk_warp(*kernel.code(0), 0, 0, [&](const Instruction& instruction, const WarpPosition&) {
    if (instruction.destinations != 0) users[instruction.destination].insert(instruction.pipe);
  });
  EXPECT_EQ(users.count(kNoRegister), 0u);
  for (const auto& [reg, pipes] : users) EXPECT_EQ(pipes.size(), 1u) << "register " << int{reg};
}

TEST(Program, WideLoadsNameAllTheRegistersTheyWrite) {
  for (const auto& [width, registers] : std::map<int, int>{{1, 1}, {4, 1}, {8, 2}, {16, 4}}) {
    ProgramKernel kernel(spec_of({load("in", static_cast<std::uint8_t>(width), 4)}), 1);
    EXPECT_EQ(kernel.code(0)->warp(0).code[0].destinations, registers);
  }
}

/// What each warp of the first block executes, a letter an instruction.
std::vector<std::string> instructions_by_warp(const ProgramSpec& spec) {
  ProgramKernel kernel(spec, 1);
  std::vector<std::string> texts;
  for (std::uint32_t warp = 0; warp < kernel.warps_per_block(); ++warp) {
    texts.emplace_back();
    walk_warp(*kernel.code(0), 0, warp, [&](const Instruction& instruction, const WarpPosition&) {
      if (instruction.op == Op::kArithmetic) texts.back() += instruction.pipe == Pipe::kInt ? 'i' : 'f';
    });
  }
  return texts;
}

TEST(Program, APartForSomeWarpsIsRunByThemAlone) {
  ProgramSpec spec = spec_of({instructions(Pipe::kFp32, 1), warps(1, 2, {instructions(Pipe::kInt, 2)}),
                              loop(2, {warps(2, std::nullopt, {instructions(Pipe::kFp32, 1, 1)})})});
  spec.block = {4 * 32};
  EXPECT_THAT(instructions_by_warp(spec), testing::ElementsAre("f", "fii", "fiiff", "fff"));
  spec.block = {4 * 32 - 1};
  EXPECT_THAT(instructions_by_warp(spec), testing::ElementsAre("f", "fii", "fiiff", "fff"));
}

TEST(Program, ALoopThatHasNothingForAWarpIsNotInItsCode) {
  ProgramKernel kernel(spec_of({loop(3, {loop(2, {warps(1, 1, {instructions(Pipe::kInt, 1)})})})}), 1);
  EXPECT_EQ(kernel.code(0)->warp(0).length, 1u);  // the exit
  EXPECT_EQ(kernel.code(0)->warp(1).length, 4u);
}

TEST(Program, WarpsThatRunTheSameShareOneCode) {
  ProgramSpec spec = spec_of({warps(0, 1, {instructions(Pipe::kInt, 1)}), instructions(Pipe::kFp32, 1)});
  spec.block = {4 * 32 - 1};
  ProgramKernel kernel(spec, 1);
  const auto code = kernel.code(0);
  EXPECT_EQ(code->warp(0).code, code->warp(1).code);
  EXPECT_NE(code->warp(1).code, code->warp(2).code);
  EXPECT_EQ(code->warp(2).code[0].mask, 0xffffffffu);
  EXPECT_EQ(code->warp(3).code[0].mask, 0x7fffffffu);
}

TEST(Program, RefusesPartsForWarpsThatABlockHasNotAndBarriersInThem) {
  EXPECT_THAT(spec_error(spec_of({warps(0, 2, {instructions(Pipe::kInt, 1)})})),
              testing::HasSubstr("warps 0 to 2 of a block, but its warps are 0 to 1"));
  EXPECT_THAT(spec_error(spec_of({loop(2, {warps(2, std::nullopt, {instructions(Pipe::kInt, 1)})})})),
              testing::HasSubstr("but its warps are 0 to 1"));
  EXPECT_THAT(spec_error(spec_of({warps(1, 1, {barrier()})})), testing::HasSubstr("waits for all warps"));
  EXPECT_THAT(spec_error(spec_of({warps(1, 1, {})})), testing::HasSubstr("no body"));
}

TEST(Program, TheLastWarpHasOnlyTheLanesThatTheBlockHasThreads) {
  for (std::uint32_t threads = 1; threads <= 97; ++threads) {
    ProgramSpec spec = spec_of({loop(2, {load("in"), barrier()})});
    spec.block = {threads};
    ProgramKernel kernel(spec, 1);
    std::uint64_t lanes = 0;
    walk_kernel(kernel, [&](const BlockCode&, const Instruction& instruction, const WarpPosition&) {
      if (instruction.op == Op::kLoad) lanes += static_cast<unsigned>(__builtin_popcount(instruction.mask));
    });
    ASSERT_EQ(lanes, 4u * 2 * threads);
  }
}

TEST(Program, TheIterationOfAnAddressCountsAllLoopsAroundIt) {
  ProgramKernel kernel(spec_of({load("in"), loop(3, {loop(5, {loop(2, {load("in")})}), loop(7, {load("in")})})}), 1);
  const auto code = kernel.code(2);
  std::vector<std::uint64_t> iterations;
  walk_warp(*code, 2, 1, [&](const Instruction& instruction, const WarpPosition& position) {
    if (instruction.op != Op::kLoad) return;
    LaneAddresses out{};
    code->addresses(instruction, position, out);
    iterations.push_back((out[0] - 0x1000 - (2 * 64 + 32) * 4) / (4 * 64 * 4));
  });
  std::vector<std::uint64_t> expected = {0};
  for (std::uint64_t outer = 0; outer < 3; ++outer) {
    for (std::uint64_t i = 0; i < 10; ++i) expected.push_back(outer * 10 + i);
    for (std::uint64_t i = 0; i < 7; ++i) expected.push_back(outer * 7 + i);
  }
  EXPECT_EQ(iterations, expected);
}

TEST(Program, ALoadAndAStoreOfOneRandomPatternGetTheSameAddresses) {
  ProgramKernel kernel(spec_of({loop(20, {load("table", 8), store("table", 8)})}), 1);
  LaneAddresses loaded{}, stored{};
  std::set<Address> seen;
  walk_kernel(kernel, [&](const BlockCode& code, const Instruction& instruction, const WarpPosition& position) {
    if (instruction.op == Op::kLoad) code.addresses(instruction, position, loaded);
    if (instruction.op != Op::kStore) return;
    code.addresses(instruction, position, stored);
    EXPECT_EQ(loaded, stored);
    seen.insert(stored[0]);
  });
  EXPECT_GT(seen.size(), 150u) << "of 160 accesses";
}

TEST(Program, AnOffsetMovesTheAddressesOfOneAccess) {
  MemoryElement element;
  element.pattern = "in";
  element.offset = -64;
  ProgramKernel kernel(spec_of({load("in"), {element}}), 1);
  const auto code = kernel.code(1);
  LaneAddresses first{}, second{};
  code->addresses(code->warp(0).code[0], {1, 1, {}}, first);
  code->addresses(code->warp(0).code[1], {1, 1, {}}, second);
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) EXPECT_EQ(first[lane], second[lane] + 64);
}

TEST(Program, SpinIsLongerOnLaterSms) {
  ProgramKernel kernel(spec_of({spin(1000, 30), spin(5)}), 1);
  const auto code = kernel.code(0);
  EXPECT_EQ(code->spin(0, 0), 1000u);
  EXPECT_EQ(code->spin(0, 67), 1000u + 67 * 30);
  EXPECT_EQ(code->spin(1, 67), 5u);
}

struct VariationCase {
  Variation::Distribution distribution;
  double spread;
};
class ProgramVariationFactor : public ::testing::TestWithParam<VariationCase> {};

TEST_P(ProgramVariationFactor, HasMeanOneAndTheSpreadAsked) {
  const Variation variation{GetParam().spread, GetParam().distribution, 0};
  double sum = 0, squares = 0;
  constexpr int kBlocks = 100000;
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    const double factor = static_cast<double>(variation_factor(variation, 3, hash_name("k"), block)) / 4294967296.0;
    sum += factor;
    squares += factor * factor;
  }
  const double mean = sum / kBlocks;
  EXPECT_NEAR(mean, 1, 0.01);
  EXPECT_NEAR(std::sqrt(squares / kBlocks - mean * mean), GetParam().spread, 0.02 * GetParam().spread);
}
INSTANTIATE_TEST_SUITE_P(Distributions, ProgramVariationFactor,
                         ::testing::Values(VariationCase{Variation::Distribution::kUniform, 0.1},
                                           VariationCase{Variation::Distribution::kUniform, 0.57},
                                           VariationCase{Variation::Distribution::kNormal, 0.3},
                                           VariationCase{Variation::Distribution::kExponential, 0.2},
                                           VariationCase{Variation::Distribution::kExponential, 1.0},
                                           VariationCase{Variation::Distribution::kFewLong, 0.66}));

TEST(ProgramVariation, FewLongHasTwoKindsOfBlocks) {
  const Variation variation{0.5, Variation::Distribution::kFewLong, 0};
  int few = 0;
  for (std::uint64_t block = 0; block < 16000; ++block) {
    const double factor = static_cast<double>(variation_factor(variation, 3, 5, block)) / 4294967296.0;
    const bool is_long = factor > 1;
    few += is_long;
    EXPECT_NEAR(factor, is_long ? 1 + std::sqrt(15.0) / 2 : 1 - 0.5 / std::sqrt(15.0), 1e-8);
  }
  EXPECT_NEAR(few, 1000, 100);
}

TEST(ProgramVariation, ExponentialFollowsTheLogarithm) {
  const Variation variation{1.0, Variation::Distribution::kExponential, 0};
  for (std::uint64_t block = 0; block < 1000; ++block) {
    const double uniform = std::ldexp(static_cast<double>(random_bits(3, 5, block, ~std::uint64_t{0}, 0)) + 1, -64);
    EXPECT_NEAR(static_cast<double>(variation_factor(variation, 3, 5, block)) / 4294967296.0, -std::log(uniform), 1e-8);
  }
}

std::vector<std::uint32_t> loop_counts(const ProgramSpec& spec, std::uint64_t seed, std::uint32_t loop) {
  ProgramKernel kernel(spec, seed);
  std::vector<std::uint32_t> counts;
  for (std::uint64_t block = 0; block < kernel.blocks(); ++block)
    counts.push_back(kernel.code(block)->loop(loop).iterations);
  return counts;
}

TEST(ProgramVariation, ScalesOutermostLoopsUnlessOthersAreMarked) {
  ProgramSpec spec = spec_of({loop(1000, {loop(500, {instructions(Pipe::kInt, 1)})})});
  spec.grid = {64};
  spec.variation = {0.3, Variation::Distribution::kUniform, 0};
  const auto outer = loop_counts(spec, 1, 0), inner = loop_counts(spec, 1, 1);
  EXPECT_GT(std::set<std::uint32_t>(outer.begin(), outer.end()).size(), 32u);
  EXPECT_THAT(inner, ::testing::Each(500u));
  spec.body = {loop(1000, {loop(500, {instructions(Pipe::kInt, 1)}, true)})};
  EXPECT_THAT(loop_counts(spec, 1, 0), ::testing::Each(1000u));
  EXPECT_THAT(loop_counts(spec, 1, 1), ::testing::Contains(::testing::Ne(500u)));
}

TEST(ProgramVariation, IsTheSameForTheSameSeedAndAnotherForAnother) {
  ProgramSpec spec = spec_of({loop(1000, {instructions(Pipe::kInt, 1)})});
  spec.grid = {64};
  spec.variation = {0.3, Variation::Distribution::kNormal, 0};
  EXPECT_EQ(loop_counts(spec, 1, 0), loop_counts(spec, 1, 0));
  EXPECT_NE(loop_counts(spec, 1, 0), loop_counts(spec, 2, 0));
}

TEST(ProgramVariation, IsTheSameOnEveryMachine) {
  std::uint64_t hash = 0;
  for (const auto distribution :
       {Variation::Distribution::kUniform, Variation::Distribution::kNormal, Variation::Distribution::kExponential})
    for (std::uint64_t block = 0; block < 1000; ++block)
      hash = derive(hash, variation_factor({0.3, distribution, 0}, 1, 2, block));
  EXPECT_EQ(hash, 0x05d531dd9a3be4cbull) << "of this model's first release";
}

TEST(ProgramVariation, LeavesAtLeastOneIteration) {
  ProgramSpec spec = spec_of({loop(1, {instructions(Pipe::kInt, 1)})});
  spec.grid = {2000};
  spec.variation = {1.0, Variation::Distribution::kExponential, 0};
  EXPECT_THAT(loop_counts(spec, 1, 0), ::testing::Each(::testing::Ge(1u)));
}

TEST(ProgramErrors, SayWhatWasFoundAndWhatIsAllowed) {
  using ::testing::HasSubstr;
  EXPECT_THAT(spec_error(spec_of({load("out")})), HasSubstr("'out'"));
  EXPECT_THAT(spec_error(spec_of({loop(0, {barrier()})})), HasSubstr("at least once"));
  EXPECT_THAT(spec_error(spec_of({loop(2, {})})), HasSubstr("no body"));
  EXPECT_THAT(spec_error(spec_of({barrier(16)})), HasSubstr("0 to 15"));
  EXPECT_THAT(spec_error(spec_of({instructions(Pipe::kFp32, 3, 4)})), HasSubstr("at most 3"));
  EXPECT_THAT(spec_error(spec_of({instructions(Pipe::kFp32, 30, 17)})), HasSubstr("at most 16"));
  EXPECT_THAT(spec_error(spec_of({instruction(Pipe::kFp32, 1, {1, 2, 3, 4, 5, 6})})), HasSubstr("at most 5"));
  EXPECT_THAT(spec_error(spec_of({load("in", 3)})), HasSubstr("1, 2, 4, 8 and 16"));
  EXPECT_THAT(spec_error(spec_of({load("in", 16, 252)})), HasSubstr("past register 254"));
  EXPECT_THAT(spec_error(spec_of({store("in", 4, {}, Space::kConstant)})), HasSubstr("only be loaded"));
  ProgramSpec spec = spec_of({loop(1, {loop(1, {loop(1, {loop(1, {loop(1, {barrier()})})})})})});
  EXPECT_THAT(spec_error(spec), HasSubstr("more than 4 deep"));
  spec.body = {barrier()};
  spec.grid = {0};
  EXPECT_THAT(spec_error(spec), HasSubstr("0 blocks"));
  spec.grid = {1};
  spec.block = {33, 32};
  EXPECT_THAT(spec_error(spec), HasSubstr("1056 threads"));
  spec.block = {32};
  spec.variation = {0.6, Variation::Distribution::kUniform, 0};
  EXPECT_THAT(spec_error(spec), HasSubstr("0 to 0.57"));
}

std::vector<std::string> warnings_of(ProgramSpec spec) { return ProgramKernel(spec, 1).warnings(); }

TEST(ProgramWarnings, ThereAreNoneForWhatAGpuCanDo) {
  ProgramSpec spec = spec_of({loop(3, {load("in", 4, 31, {30}), load("tile", 4, 29, {}, Space::kShared)}), spin(1000),
                              spin(2000), spin(500, 10)});
  spec.shared_memory = 256;
  spec.patterns.push_back({"tile", 0, AffinePattern{4, 128}});
  spec.variation.spread = 0.1;
  EXPECT_THAT(warnings_of(spec), testing::IsEmpty());
}

TEST(ProgramWarnings, NameRegistersThatAThreadHasNotGot) {
  EXPECT_THAT(warnings_of(spec_of({instruction(Pipe::kFp32, 4, {32})})),
              testing::ElementsAre("kernel 'k': it names register 32, but registers is 32"));
  EXPECT_THAT(warnings_of(spec_of({instruction(Pipe::kFp32, 40)})).size(), 1u);
  EXPECT_THAT(warnings_of(spec_of({load("in", 16, 28)})).size(), 0u);
  EXPECT_THAT(warnings_of(spec_of({load("in", 16, 29)})).size(), 1u) << "a wide load takes four";
}

TEST(ProgramWarnings, TellLoadsThatWaitForANeighboursRegisters) {
  EXPECT_THAT(
      warnings_of(spec_of({load("in", 8, 20), load("in", 8, 21)})),
      testing::ElementsAre("kernel 'k': it writes registers 21 to 22 and waits for what writes registers 20 to 21, "
                           "which nothing reads: a load of 8 or 16 bytes has two or four registers"));
  const auto waits = [](const std::vector<ProgramElement>& body) { return warnings_of(spec_of(body)).size(); };
  EXPECT_EQ(waits({load("in", 16, 4), load("in", 16, 5), load("in", 16, 6)}), 2u);
  EXPECT_EQ(waits({load("in", 16, 4), instruction(Pipe::kInt, 7)}), 1u);
  EXPECT_EQ(waits({instruction(Pipe::kInt, 7), load("in", 16, 4)}), 1u);
  EXPECT_EQ(waits({loop(2, {load("in", 8, 4), load("in", 8, 5)})}), 1u);
  EXPECT_EQ(waits({load("in", 16, 4), load("in", 16, 8), load("in", 4, 12), load("in", 4, 13)}), 0u);
  EXPECT_EQ(waits({loop(2, {load("in", 8, 4)}), load("in", 8, 4)}), 0u) << "the same registers: wanted";
  EXPECT_EQ(waits({load("in", 8, 4), instruction(Pipe::kInt, 9, {4}), load("in", 8, 5)}), 0u) << "it was used";
  EXPECT_EQ(waits({load("in", 8, 4), instruction(Pipe::kInt, 9, {5}), load("in", 8, 5)}), 0u) << "its second half was";
  EXPECT_EQ(waits({load("in", 8, 4), load("in", 8, 5, {4})}), 0u) << "by the load itself";
  EXPECT_EQ(waits({load("in", 8), load("in", 8), load("in", 8)}), 0u) << "registers that are not named";
  EXPECT_EQ(waits({warps(0, 0, {load("in", 8, 4)}), warps(1, 1, {load("in", 8, 5)})}), 0u) << "of different warps";
}

TEST(ProgramWarnings, NameSharedMemoryThatABlockHasNotGot) {
  ProgramSpec spec = spec_of({load("tile", 4, 4, {}, Space::kShared)});
  spec.patterns.push_back({"tile", 0, AffinePattern{4, 128}});
  spec.shared_memory = 255;
  EXPECT_THAT(warnings_of(spec),
              testing::ElementsAre("kernel 'k': its accesses to shared memory by 'tile' reach byte 255, but "
                                   "shared_memory is 255"));
  spec.shared_memory = 0;
  EXPECT_EQ(warnings_of(spec).size(), 1u);
  spec.block = {40};  // the second warp has eight lanes
  spec.shared_memory = 160;
  EXPECT_THAT(warnings_of(spec), testing::IsEmpty());
  spec.shared_memory = 159;
  EXPECT_EQ(warnings_of(spec).size(), 1u);
}

TEST(ProgramWarnings, TellSpinsThatTakeNoTime) {
  const auto none = [](const std::vector<ProgramElement>& body) { return warnings_of(spec_of(body)).empty(); };
  EXPECT_FALSE(none({spin(1000), spin(1000)}));
  EXPECT_FALSE(none({spin(1000, 5), spin(900, 5)}));
  EXPECT_TRUE(none({spin(1000, 5), spin(900, 6)})) << "it takes time on an SM with a large id";
  EXPECT_FALSE(none({loop(2, {spin(1000)})})) << "in the second iteration";
  EXPECT_TRUE(none({loop(1, {spin(1000)})}));
  EXPECT_TRUE(none({warps(0, 0, {spin(1000)}), warps(1, 1, {spin(1000)})})) << "of different warps";
  EXPECT_FALSE(none({warps(0, 0, {spin(1000)}), spin(1000)})) << "warp 0 has waited";
}

TEST(ProgramWarnings, TellAVariationOfNothing) {
  ProgramSpec spec = spec_of({instructions(Pipe::kInt, 2)});
  spec.variation.spread = 0.1;
  EXPECT_THAT(warnings_of(spec), testing::ElementsAre(testing::HasSubstr("its variation has no effect")));
  spec.body.push_back(loop(1, {instructions(Pipe::kInt, 2)}));
  EXPECT_THAT(warnings_of(spec), testing::IsEmpty());
}

TEST(Program, AddressesStayWithin47Bits) {
  const auto error = [](const PatternShape& shape, Address base, std::uint32_t iterations = 1) {
    ProgramSpec spec = spec_of({loop(iterations, {load("p", 4)})});
    spec.patterns = {{"p", base, shape}};
    return spec_error(spec);
  };
  constexpr Address kEnd = Address{1} << 47;
  EXPECT_EQ(error(CoalescedPattern{}, kEnd - 1024), "");  // 256 threads of four bytes
  EXPECT_THAT(error(CoalescedPattern{}, kEnd - 1020), testing::HasSubstr("beyond 2^47"));
  EXPECT_THAT(error(CoalescedPattern{}, kEnd - 1024, 2), testing::HasSubstr("beyond 2^47"));
  EXPECT_EQ(error(CoalescedPattern{1024}, kEnd - 1024, 1000000), "") << "a footprint bounds them";
  EXPECT_EQ(error(StridedPattern{-4, 0}, 1020), "");
  EXPECT_THAT(error(StridedPattern{-4, 0}, 1016), testing::HasSubstr("below 0"));
  const std::int64_t largest = (std::int64_t{1} << 47) - 4;
  EXPECT_THAT(error(AffinePattern{largest, largest, largest, largest, 0}, 0), testing::HasSubstr("beyond 2^47"));
  EXPECT_THAT(error(StridedPattern{largest, 0}, 0, 0xffffffffu), testing::HasSubstr("beyond 2^47"));
  EXPECT_EQ(error(StridedPattern{largest, Bytes{1} << 40}, 0, 0xffffffffu), "");
}

TEST(Program, IterationsThatVaryCountAtTheirLargest) {
  ProgramSpec spec = spec_of({loop(10, {load("p", 4)})});
  spec.patterns = {{"p", (Address{1} << 47) - 10 * 1024, CoalescedPattern{}}};
  EXPECT_EQ(spec_error(spec), "");
  spec.variation.spread = 0.1;
  EXPECT_THAT(spec_error(spec), testing::HasSubstr("beyond 2^47"));
}

}  // namespace
}  // namespace gputlm
