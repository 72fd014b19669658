// SHA1 in its full length, 22 million cycles, and figures 7 to 10 of srtf in full: a minute each, so with the label
// `nightly`.

#include <gtest/gtest.h>

#include <algorithm>

#include "ercbench_runs.h"
#include "experiment_report.h"

namespace gputlm {
namespace {

TEST(ErcbenchSha1, TakesAsLongAsInTable3) {
  const ErcbenchKernel& kernel = ercbench()[ercbench_index("SHA1")];
  const ErcbenchMeasurement alone = measure_alone(ercbench_program(kernel));
  EXPECT_NEAR(alone.mean_t / static_cast<double>(kernel.mean_t), 1, 0.05);
  EXPECT_NEAR(alone.rsd_percent / kernel.rsd_percent, 1, 0.25);
  EXPECT_NEAR(static_cast<double>(alone.runtime) / static_cast<double>(kernel.runtime), 1, 0.05);
  EXPECT_EQ(alone.most_resident, kernel.residency);
}

TEST(ErcbenchResidency, ComesOutAsInFigures7To10) { expect_as_known("srtf/residency"); }

TEST(ErcbenchResidency, RefutesThatRayTracingSlowsSadMost) {
  const std::vector<Figure> figures = reproduce("srtf/residency", instead("SHA1", "Ray", quick())).figures;
  EXPECT_EQ(std::count_if(figures.begin(), figures.end(), [](const Figure& f) { return !f.agrees(); }), 1);
}

}  // namespace
}  // namespace gputlm
