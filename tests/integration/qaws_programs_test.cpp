// The nine programs of qaws: the assumptions of every run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "platform/experiments/qaws/runs.h"
#include "platform/input/preset.h"
#include "platform/input/workload_file.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class QawsProgram : public testing::TestWithParam<const char*> {};

unsigned warps_of(const ProgramSpec& spec) { return static_cast<unsigned>((spec.block.count() + 31) / 32); }

const WorkElement& work_of(const ProgramSpec& spec) {
  for (const ProgramElement& element : spec.body) {
    if (const auto* work = std::get_if<WorkElement>(&element.what)) return *work;
  }
  throw std::logic_error("no work");
}

/// What it reads and writes again and again, in two instances, fits into the L2.
TEST_P(QawsProgram, HasInputsThatFitUnlessTheyAreToBeLarge) {
  const auto footprints = [](const ProgramSpec& spec) {
    Bytes sum = 0;
    for (const AddressPattern& pattern : spec.patterns) {
      if (const auto* coalesced = std::get_if<CoalescedPattern>(&pattern.shape)) sum += coalesced->footprint;
      if (const auto* indexed = std::get_if<IndexedPattern>(&pattern.shape)) sum += indexed->footprint;
    }
    return sum;
  };
  QawsShape shape;
  EXPECT_LE(2 * footprints(qaws_program(GetParam(), shape)), load_gpu("titan_v").l2.bytes);
  shape.reading.inputs_fit = false;
  EXPECT_LE(footprints(qaws_program(GetParam(), shape)), 4096u) << "what is left is a table of dxtc";
}

TEST_P(QawsProgram, SharesItsWorkUnlessBlocksAreToHaveTheirOwn) {
  QawsShape shape;
  EXPECT_EQ(work_of(qaws_program(GetParam(), shape)).schedule, WorkElement::Schedule::kDynamic);
  EXPECT_GE(work_of(qaws_program(GetParam(), shape)).units.count(), 3 * qaws_program(GetParam(), shape).grid.count());
  shape.reading.schedule = WorkElement::Schedule::kStatic;
  EXPECT_EQ(work_of(qaws_program(GetParam(), shape)).schedule, WorkElement::Schedule::kStatic);
}

/// Bytes of registers and of shared memory are what limits residency beside warps and blocks.
TEST_P(QawsProgram, FillsTwentyFourWarpsOfEverySmAndAtMostHalfOfIt) {
  const GpuConfig gpu = load_gpu("titan_v");
  const ProgramSpec spec = qaws_program(GetParam(), {gpu.sms});
  const std::uint64_t blocks = spec.grid.count() / gpu.sms;
  EXPECT_EQ(spec.grid.count() % gpu.sms, 0u);
  EXPECT_EQ(blocks * warps_of(spec), kQawsWarps);
  EXPECT_LE(blocks * 2, gpu.sm.blocks);
  EXPECT_LE(kQawsWarps * 2, gpu.sm.warps);
  EXPECT_LE(kQawsWarps * 32 * spec.registers_per_thread * 2, gpu.sm.registers);
  EXPECT_LE(blocks * spec.shared_memory * 2, gpu.sm.shared_memory);
}

TEST_P(QawsProgram, IsWrittenInItsFileAsItRunsOnTitanV) {
  const auto& sources = qaws_program_sources();
  const auto source = std::find_if(sources.begin(), sources.end(), [](const auto& s) { return s.name == GetParam(); });
  ASSERT_NE(source, sources.end());
  const Workload workload = load_workload_text(source->yaml, "w.yaml", 1);
  EXPECT_TRUE(workload.warnings.empty());
  ASSERT_EQ(workload.launches.size(), 1u);
  const ProgramSpec spec = qaws_program(GetParam(), {});
  EXPECT_EQ(workload.launches[0].kernel->name, GetParam());
  EXPECT_EQ(workload.launches[0].kernel->grid.x, spec.grid.x);
  EXPECT_EQ(workload.launches[0].kernel->grid.y, spec.grid.y);
}

/// Shared memory, at addresses below 64 KiB, is a block's own in any case.
TEST_P(QawsProgram, HasMemoryOfItsOwnInEveryInstance) {
  std::set<Address> bases;
  std::size_t global = 0;
  for (const unsigned instance : {0u, 1u, 2u, 3u}) {
    QawsShape shape;
    shape.instance = instance;
    for (const AddressPattern& pattern : qaws_program(GetParam(), shape).patterns) {
      if (pattern.base < 65536) continue;
      ++global;
      bases.insert(pattern.base);
    }
  }
  EXPECT_GE(global, 8u);
  EXPECT_EQ(bases.size(), global);
}

TEST_P(QawsProgram, CanBeMadeShorterAndFillOtherRooms) {
  const ProgramSpec whole = qaws_program(GetParam(), {});
  QawsShape shape;
  shape.sms = 3;
  shape.reading.warps = warps_of(whole) * 2;
  const ProgramSpec smaller = qaws_program(GetParam(), shape);
  EXPECT_EQ(smaller.grid.count(), 6u);
  const auto about = [&](std::uint64_t units) {  // whole rows
    return testing::AllOf(testing::Ge(units), testing::Lt(units + work_of(whole).units.x));
  };
  const std::uint64_t units = work_of(whole).units.count() * 6 / whole.grid.count();
  EXPECT_THAT(work_of(smaller).units.count(), about(units));
  shape.shorter = 2;
  EXPECT_THAT(work_of(qaws_program(GetParam(), shape)).units.count(), about(units / 2));
  shape.shorter = 128;
  EXPECT_EQ(work_of(qaws_program(GetParam(), shape)).units.count(), 6u) << "one a block";
  shape.reading.warps = warps_of(whole) + 1;
  EXPECT_THROW(qaws_program(GetParam(), shape), InputError);
}

INSTANTIATE_TEST_SUITE_P(All, QawsProgram, testing::ValuesIn(kQawsPrograms),
                         [](const auto& program) { return "p" + std::string(program.param); });

TEST(QawsPrograms, AreNineWithNoOthers) {
  EXPECT_EQ(qaws_program_sources().size(), kQawsPrograms.size());
  try {
    qaws_program("atx", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'atax'"));
  }
}

}  // namespace
}  // namespace gputlm
