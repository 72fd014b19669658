// Whole runs of the six applications of fr-rr-fcfs: half a minute to minutes, so with the label `nightly`.

#include <gtest/gtest.h>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs_runs.h"

namespace gputlm {
namespace {

ExperimentOptions quick() {
  ExperimentOptions options;
  options.quick = true;
  return options;
}

TEST(FrRrFcfsAlone, EveryApplicationUsesTheBandwidthOfTable2) {
  EXPECT_TRUE(fr_rr_fcfs_alone(quick()).agrees()) << fr_rr_fcfs_alone(quick()).text;
}

/// One judged figure misses the paper; docs/experiments.md says why. Who mends it takes it out here.
TEST(FrRrFcfsWorkloads, ComeOutAsInThePaperButForOne) {
  const ExperimentReport report = fr_rr_fcfs_workloads({});
  for (const Figure& f : report.figures) {
    const bool missed = f.name == "gauss_bfs: fairness index lower by";
    EXPECT_EQ(f.agrees || f.band.empty(), !missed) << f.name << ": paper " << f.paper << ", ours " << f.ours;
  }
}

TEST(FrRrFcfsWorkloads, SharesAddUpAndTheSlowerApplicationEndsOnce) {
  const auto outcomes = run_memory({{{"hist", "gups"}}, {{"hist", "gups"}, "fr_rr_fcfs"}}, 1, 0);
  for (const MemoryOutcome& o : outcomes) {
    EXPECT_NEAR(o.useful() + o.wasted + o.idle, 1, 1e-9);
    EXPECT_EQ(std::min(o.applications[0].ended, o.applications[1].ended), 1u);
  }
}

TEST(FrRrFcfsWorkloads, FrFcfsInThePlaceOfFrRrFcfsImprovesNothing) {
  const ExperimentReport report = fr_rr_fcfs_workloads(quick(), "fr_fcfs");
  EXPECT_FALSE(report.agrees());
}

}  // namespace
}  // namespace gputlm
