// The ERCBench programs alone on gtx480 beside tables 2 and 3 of srtf. SHA1 is cut short here; its whole length is in
// ercbench_nightly_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "ercbench_runs.h"
#include "experiment_report.h"
#include "platform/experiments/srtf/runs.h"
#include "platform/input/workload_file.h"

namespace gputlm {
namespace {

class Ercbench : public testing::TestWithParam<std::size_t> {
 protected:
  const ErcbenchKernel& kernel() const { return ercbench()[GetParam()]; }
};

TEST_P(Ercbench, HasTheGridAndTheBlockOfTable2) {
  const ProgramSpec spec = ercbench_program(kernel());
  EXPECT_EQ(spec.grid.count(), kernel().blocks);
  EXPECT_EQ(spec.block.count(), kernel().threads);
}

TEST_P(Ercbench, IsWrittenInItsFileAsOneLaunchOfOneApplication) {
  const auto& sources = ercbench_sources();
  const auto source =
      std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.name == kernel().file; });
  ASSERT_NE(source, sources.end());
  const Workload workload = load_workload_text(source->yaml, "w.yaml", 1);
  EXPECT_TRUE(workload.warnings.empty());
  ASSERT_EQ(workload.launches.size(), 1u);
  EXPECT_EQ(workload.launches[0].kernel->grid.count(), kernel().blocks);
}

/// All but SHA1, which is the last.
class ErcbenchAlone : public Ercbench {};

/// Mean and spread of the durations are fitted, the runtime is not.
TEST_P(ErcbenchAlone, TakesAsLongAsInTable3) {
  const ErcbenchMeasurement alone = measure_alone(ercbench_program(kernel()));
  EXPECT_NEAR(alone.mean_t / static_cast<double>(kernel().mean_t), 1, 0.05);
  EXPECT_NEAR(alone.rsd_percent / kernel().rsd_percent, 1, 0.25);
  EXPECT_NEAR(static_cast<double>(alone.runtime) / static_cast<double>(kernel().runtime), 1, 0.05);
  EXPECT_EQ(alone.most_resident, kernel().residency);
}

std::string file_name(const testing::TestParamInfo<std::size_t>& kernel) {
  std::string name = ercbench()[kernel.param].file;
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Ercbench, testing::Range(std::size_t{0}, ercbench().size()), file_name);
INSTANTIATE_TEST_SUITE_P(All, ErcbenchAlone, testing::Range(std::size_t{0}, ercbench().size() - 1), file_name);

/// The fit must not hang on one draw of the variation: these are the kernels whose tail it decides.
TEST(ErcbenchPrograms, TakeAsLongAsInTable3WhateverTheSeed) {
  for (const char* name : {"JPEG-d", "JPEG-e", "Ray"}) {
    const ErcbenchKernel& kernel = ercbench()[ercbench_index(name)];
    for (const std::uint64_t seed : {2, 3, 4}) {
      const ErcbenchMeasurement alone = measure_alone(ercbench_program(kernel), seed);
      EXPECT_NEAR(alone.mean_t / static_cast<double>(kernel.mean_t), 1, 0.05) << name << ", seed " << seed;
      EXPECT_NEAR(alone.rsd_percent / kernel.rsd_percent, 1, 0.25) << name << ", seed " << seed;
      EXPECT_NEAR(static_cast<double>(alone.runtime) / static_cast<double>(kernel.runtime), 1, 0.05)
          << name << ", seed " << seed;
    }
  }
}

/// A third of the passes, and a wave of blocks: the first, which takes up to an eighth longer than those after it.
TEST(ErcbenchPrograms, Sha1TakesAboutAsLongAsInTable3) {
  const ErcbenchKernel& kernel = ercbench()[ercbench_index("SHA1")];
  ProgramSpec spec = ercbench_program(kernel, 120);
  const auto passes = std::find_if(spec.body.begin(), spec.body.end(),
                                   [](const auto& e) { return std::holds_alternative<LoopElement>(e.what); });
  ASSERT_NE(passes, spec.body.end());
  auto& loop = std::get<LoopElement>(passes->what);
  ASSERT_EQ(loop.count % 3, 0u);
  loop.count /= 3;
  const ErcbenchMeasurement alone = measure_alone(spec);
  EXPECT_NEAR(alone.mean_t * 3 / static_cast<double>(kernel.mean_t), 1.06, 0.08);
  EXPECT_EQ(alone.most_resident, kernel.residency);
}

/// Its loads touch one line per lane, so that they block the load/store unit for co-runners.
TEST(ErcbenchPrograms, Sha1SlowsALoadingNeighbourTwiceAsMuchAsNlm2Does) {
  const std::size_t jpeg = ercbench_index("JPEG-d");
  const ResidencyRun beside_sha1{jpeg, 1, ercbench_index("SHA1"), 7}, beside_nlm2{jpeg, 1, ercbench_index("NLM2"), 7};
  ResidencyRuns runs(quick());
  runs.add(beside_sha1);
  runs.add(beside_nlm2);
  runs.run();
  EXPECT_TRUE(runs[beside_sha1].held);
  EXPECT_GT(runs[beside_sha1].mean_t, 2 * runs[beside_nlm2].mean_t);
}

/// All eight at every residency at once would take half a minute.
TEST(ErcbenchResidency, IsAsManyBlocksOnAnSmAsTheRunSays) {
  std::vector<ResidencyRun> runs;
  for (std::size_t k = 0; k < ercbench().size(); ++k) {
    const unsigned most = ercbench()[k].residency;
    runs.push_back({k, 1 + static_cast<unsigned>(k) % (most - 1)});
    runs.push_back(
        {ercbench_index("JPEG-d"), 1 + static_cast<unsigned>(k) % 3, k, std::min(4u, 768 / ercbench()[k].threads)});
  }
  ResidencyRuns carried_out(quick());
  for (const ResidencyRun& run : runs) carried_out.add(run);
  carried_out.run();
  for (const ResidencyRun& run : runs) {
    EXPECT_TRUE(carried_out[run].held) << run.residency << " of " << ercbench()[run.kernel].name << " beside "
                                       << run.co_residency << " of " << ercbench()[run.co_runner].name;
  }
}

TEST(ErcbenchResidency, ComesOutAsInFigures7To10InItsQuickForm) { expect_as_known("srtf/residency", quick()); }

}  // namespace
}  // namespace gputlm
