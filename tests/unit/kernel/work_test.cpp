// Work that the blocks of a launch divide among themselves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "models/kernel/shared_work.h"
#include "models/kernel/work_units.h"
#include "tests/unit/kernel/program_walk.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Schedule = WorkElement::Schedule;
using Units = std::vector<std::uint32_t>;

/// The units that a block of two warps still does, its warps one after the other in each round.
Units rest_of(WorkUnits& units) {
  Units done;
  for (std::uint32_t round = 0; round < 100; ++round) {
    done.push_back(units.unit(round));
    const std::uint32_t first = units.rounds();
    EXPECT_EQ(units.rounds(), first) << "both warps of a block do the same";
    if (first == round + 1) return done;
  }
  ADD_FAILURE() << "never done";
  return done;
}

TEST(WorkUnits, OfAStaticScheduleAreEveryNth) {
  WorkUnits units(10, Schedule::kStatic, 1, 4, 2);
  EXPECT_EQ(rest_of(units), (Units{1, 5, 9}));
  WorkUnits last(10, Schedule::kStatic, 3, 4, 2);
  EXPECT_EQ(rest_of(last), (Units{3, 7}));
}

TEST(WorkUnits, OfABlockAloneOnItsSmAreThoseOfTheStaticSchedule) {
  WorkUnits units(10, Schedule::kDynamic, 1, 4, 2);
  EXPECT_EQ(rest_of(units), (Units{1, 5, 9}));
}

TEST(WorkUnits, AreTakenByWhoIsDoneFirst) {
  WorkUnits fast(12, Schedule::kDynamic, 0, 4, 1), slow(12, Schedule::kDynamic, 2, 4, 1);
  slow.share_with(fast);
  EXPECT_EQ(fast.rounds(), 2u);
  EXPECT_EQ(fast.unit(1), 4u);
  EXPECT_EQ(fast.rounds(), 3u);
  EXPECT_EQ(fast.unit(2), 6u) << "of the other's, the lowest first";
  EXPECT_EQ(slow.rounds(), 2u);
  EXPECT_EQ(slow.unit(1), 8u);
  EXPECT_EQ(fast.rounds(), 4u);
  EXPECT_EQ(fast.unit(3), 10u);
  EXPECT_EQ(slow.rounds(), 2u) << "nothing is left";
  EXPECT_EQ(fast.rounds(), 4u);
  EXPECT_EQ(slow.queue(), fast.queue());
}

ProgramSpec adding(Schedule schedule) {
  ProgramSpec spec;
  spec.name = "k";
  spec.grid = {3};
  spec.block = {32};
  spec.shared_memory = 10;
  spec.patterns = {{"in", 0x1000, CoalescedPattern{}}, {"own", 0x100000, CoalescedPattern{}}};
  spec.body = {load("own"), schedule == Schedule::kStatic ? static_work({8}, {loop(2, {load("in")})})
                                                          : work({8}, {loop(2, {load("in")})}, 0x200000)};
  return spec;
}

/// First addresses of the global loads and atomics of each block.
std::vector<std::vector<Address>> addresses_of(Kernel& kernel) {
  std::vector<std::vector<Address>> all(kernel.blocks());
  for (std::uint32_t block = 0; block < kernel.blocks(); ++block) {
    const auto code = kernel.code(block);
    walk_warp(*code, block, 0, [&](const Instruction& instruction, const WarpPosition& position) {
      if (instruction.pipe != Pipe::kLoadStore || instruction.space != Space::kGlobal) return;
      LaneAddresses lanes{};
      code->addresses(instruction, position, lanes);
      all[block].push_back(lanes[0]);
    });
  }
  return all;
}

TEST(Work, UnitsStandForBlocksInAddressesAndLoopsCountFromZeroInEach) {
  ProgramKernel kernel(adding(Schedule::kStatic), 1);
  const auto addresses = addresses_of(kernel);
  const auto in = [](unsigned unit, unsigned iteration) { return Address{0x1000} + (iteration * 8 + unit) * 128; };
  EXPECT_EQ(addresses[1], (std::vector<Address>{0x100080, in(1, 0), in(1, 1), in(4, 0), in(4, 1), in(7, 0), in(7, 1)}));
  EXPECT_EQ(addresses[2].size(), 5u) << "units 2 and 5";
}

TEST(Work, AfterEachUnitTheNextOneIsTakenFromTheCounterOfTheQueue) {
  ProgramKernel kernel(adding(Schedule::kDynamic), 1);
  const auto addresses = addresses_of(kernel);
  ASSERT_EQ(addresses[2].size(), 1u + 2 * 3) << "its own, and two loads and a counter a unit";
  EXPECT_EQ(addresses[2][3], 0x200000u + 2 * 128);
  EXPECT_EQ(kernel.shared_memory, 18u);
  EXPECT_EQ(ProgramKernel(adding(Schedule::kStatic), 1).shared_memory, 10u);
}

TEST(Work, OneThreadOfABlockTakesForAll) {
  ProgramSpec spec = adding(Schedule::kDynamic);
  spec.block = {80};
  ProgramKernel kernel(spec, 1);
  const auto code = kernel.code(0);
  for (std::uint32_t warp = 0; warp < 3; ++warp) {
    const WarpCode part = code->warp(warp);
    std::size_t atomics = 0, barriers = 0;
    for (std::uint32_t pc = 0; pc < part.length; ++pc) {
      atomics += part.code[pc].op == Op::kAtomic;
      barriers += part.code[pc].op == Op::kBarrier;
      if (part.code[pc].op == Op::kAtomic) {
        EXPECT_EQ(part.code[pc].mask, 1u);
      }
    }
    EXPECT_EQ(atomics, warp == 0 ? 1u : 0u);
    EXPECT_EQ(barriers, 1u);
  }
}

TEST(Work, IsRefusedWhereItCannotBeDivided) {
  const auto error_of = [](std::vector<ProgramElement> body) {
    ProgramSpec spec = adding(Schedule::kStatic);
    spec.body = std::move(body);
    try {
      ProgramKernel kernel(spec, 1);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(error_of({static_work({2}, {load("in")})}), testing::HasSubstr("2 units, but 3, one for each block"));
  EXPECT_THAT(error_of({loop(2, {static_work({8}, {load("in")})})}), testing::HasSubstr("in no loop"));
  EXPECT_THAT(error_of({static_work({8}, {load("in")}), static_work({8}, {load("in")})}), testing::HasSubstr("once"));
  EXPECT_THAT(error_of({static_work({8}, {})}), testing::HasSubstr("has no body"));
  EXPECT_EQ(error_of({static_work({3}, {load("in")})}), "");
}

}  // namespace
}  // namespace gputlm
