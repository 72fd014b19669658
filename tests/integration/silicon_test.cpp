/// Today's GPUs as microbenchmarks see them, and that the experiments can refute what they judge.
#include <gtest/gtest.h>

#include "experiment_report.h"

namespace gputlm {
namespace {

TEST(Silicon, MicrobenchmarksOfTheModelAgreeWithThoseOfTheGpus) { expect_as_known("silicon/microbenchmarks", quick()); }

TEST(Silicon, ASlowerL2IsSeenInItsHitsAndInWhatMissesIt) {
  const ExperimentReport report = reproduce("silicon/microbenchmarks", with({"l2.latency=200"}, quick()));
  EXPECT_FALSE(figure(report, "rtx3070: L2 hit").agrees());
  EXPECT_FALSE(figure(report, "rtx3070: DRAM").agrees());
  EXPECT_TRUE(figure(report, "orin: L1 hit").agrees());
}

TEST(Silicon, TheTimeOfAGridRisesWhereResidencyDropsAndNowhereElse) { expect_as_known("silicon/occupancy", quick()); }

TEST(Silicon, AnSmThatHoldsFewerBlocksThanTheRuleSaysIsSeen) {
  const ExperimentReport report = reproduce("silicon/occupancy", with({"sm.registers=16384"}, quick()));
  EXPECT_FALSE(figure(report, "orin: threads a block").agrees());
}

}  // namespace
}  // namespace gputlm
