// SHA1 in its full length, 22 million cycles: a minute, so with the label `nightly`.

#include <gtest/gtest.h>

#include "ercbench_runs.h"

namespace gputlm {
namespace {

TEST(ErcbenchSha1, TakesAsLongAsInTable3) {
  const ErcbenchKernel& kernel = kErcbench[ercbench_index("SHA1")];
  const ErcbenchMeasurement alone = measure_alone(ercbench_program(kernel));
  EXPECT_NEAR(alone.mean_t / static_cast<double>(kernel.mean_t), 1, 0.05);
  EXPECT_NEAR(alone.rsd_percent / kernel.rsd_percent, 1, 0.25);
  EXPECT_NEAR(static_cast<double>(alone.runtime) / static_cast<double>(kernel.runtime), 1, 0.05);
  EXPECT_EQ(alone.most_resident, kernel.residency);
}

}  // namespace
}  // namespace gputlm
