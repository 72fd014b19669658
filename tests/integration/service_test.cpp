/// A day of an inference service in its quick form, and that what it judges can fail.
#include <gtest/gtest.h>

#include "experiment_report.h"
#include "platform/lab/run_store.h"
#include "program.h"

namespace gputlm {
namespace {

TEST(ServiceDay, PoliciesMoveLatenciesTheWayTheyAreMeantToAndOneThatDoesNotIsSeen) {
  const TestFolder folder;
  const RunStore store(folder.path("store"));
  ExperimentOptions options = quick();
  options.store = &store;
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
