/// Today's GPUs as microbenchmarks see them, and that the experiments can refute what they judge.
#include <gtest/gtest.h>

#include "experiment_report.h"
#include "platform/experiments/experiments.h"

namespace gputlm {
namespace {

TEST(Silicon, MicrobenchmarksOfTheModelAgreeWithThoseOfTheGpus) {
  expect_as_known("silicon/microbenchmarks", silicon_microbenchmarks(quick()), quick());
}

TEST(Silicon, ASlowerL2IsSeenInItsHitsAndInWhatMissesIt) {
  const ExperimentReport report = silicon_microbenchmarks(quick(), {{"l2.latency", "200"}});
  EXPECT_FALSE(figure(report, "rtx3070: L2 hit").agrees());
  EXPECT_FALSE(figure(report, "rtx3070: DRAM").agrees());
  EXPECT_TRUE(figure(report, "orin: L1 hit").agrees());
}

TEST(Silicon, TheTimeOfAGridRisesWhereResidencyDropsAndNowhereElse) {
  expect_as_known("silicon/occupancy", silicon_occupancy(quick()), quick());
}

TEST(Silicon, AnSmThatHoldsFewerBlocksThanTheRuleSaysIsSeen) {
  const ExperimentReport report = silicon_occupancy(quick(), {{"sm.registers", "16384"}});
  EXPECT_FALSE(figure(report, "orin: threads a block").agrees());
}

}  // namespace
}  // namespace gputlm
