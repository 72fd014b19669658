/// A day of an inference service in its quick form, and that its figures can fail.
#include <gtest/gtest.h>

#include "kept_runs.h"

namespace gputlm {
namespace {

TEST(ServiceDay, PoliciesMoveLatenciesTheWayTheyAreMeantToAndOneThatDoesNotIsSeen) {
  const KeptRuns kept;
  const ExperimentOptions& options = kept.options();
  const ExperimentReport report = reproduce("service/day", options);
  expect_as_known("service/day", report, options);
  EXPECT_EQ(report.figures.size(), 4u);
  const ExperimentReport refuted = reproduce("service/day", instead("priorities", "fifo", options));  // the same runs
  EXPECT_FALSE(figure(refuted, "poisson: urgent p99").agrees());
  EXPECT_FALSE(figure(refuted, "bursty: urgent p99").agrees());
  EXPECT_TRUE(figure(refuted, "least share").agrees());
}

}  // namespace
}  // namespace gputlm
