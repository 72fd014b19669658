// How far SMs that run blocks are off those that run warps, in the quick form.

#include <gtest/gtest.h>

#include "experiment_report.h"

namespace gputlm {
namespace {

TEST(BlocksError, KeepsToItsAimsOrMissesAsKnown) {
  const ExperimentReport report = find_experiments("blocks/error").front()->run(quick());
  EXPECT_EQ(report.figures.size(), 9u);
  expect_as_known("blocks/error", report, quick());
}

}  // namespace
}  // namespace gputlm
