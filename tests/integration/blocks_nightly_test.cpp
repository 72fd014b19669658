// How far SMs that run blocks are off those that run warps, in the quick form.

#include <gtest/gtest.h>

#include "experiment_report.h"

namespace gputlm {
namespace {

class BlocksError : public testing::TestWithParam<const char*> {};

TEST_P(BlocksError, KeepsToItsAimsOrMissesAsKnown) {
  const ExperimentReport report = find_experiments(GetParam()).front()->run(quick());
  EXPECT_EQ(report.figures.size(), 9u);
  expect_as_known(GetParam(), report, quick());
}

INSTANTIATE_TEST_SUITE_P(OfBothMemories, BlocksError, testing::Values("blocks/error", "blocks/error-requests"));

}  // namespace
}  // namespace gputlm
