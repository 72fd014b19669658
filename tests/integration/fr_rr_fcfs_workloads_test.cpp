// Whole runs of the six applications of fr-rr-fcfs: half a minute to minutes, so with the label `nightly`.

#include <gtest/gtest.h>

#include <algorithm>

#include "experiment_report.h"
#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/pairs.h"

namespace gputlm {
namespace {

TEST(FrRrFcfsAlone, EveryApplicationUsesTheBandwidthOfTable2) {
  EXPECT_TRUE(fr_rr_fcfs_alone(quick()).agrees()) << fr_rr_fcfs_alone(quick()).text;
}

TEST(FrRrFcfsWorkloads, ComeOutAsInThePaperButForOne) {
  expect_missed(fr_rr_fcfs_workloads({}), {"gauss_bfs: fairness index lower by"});
}

TEST(FrRrFcfsWorkloads, SharesAddUpAndTheSlowerApplicationEndsOnce) {
  const auto outcomes = run_memory({{{"hist", "gups"}}, {{"hist", "gups"}, "fr_rr_fcfs"}}, {});
  EXPECT_EQ(outcomes.size(), 2u);
  for (const auto& [run, o] : outcomes) {
    EXPECT_NEAR(o.useful() + o.wasted + o.idle, 1, 1e-9);
    EXPECT_EQ(std::min(o.applications[0].ended, o.applications[1].ended), 1u);
  }
}

TEST(FrRrFcfsWorkloads, FrFcfsInThePlaceOfFrRrFcfsImprovesNothing) {
  const ExperimentReport report = fr_rr_fcfs_workloads(quick(), "fr_fcfs");
  EXPECT_FALSE(report.agrees());
}

std::string ours(const ExperimentReport& report, const std::string& name) {
  const auto figure =
      std::find_if(report.figures.begin(), report.figures.end(), [&](const Figure& f) { return f.name == name; });
  return figure == report.figures.end() ? "no figure " + name : figure->ours.text();
}

TEST(FrRrFcfsDepth, EachDepthIsComparedWithApplicationsAloneAtThatDepth) {
  const auto results = run_workloads({{"hist", "gups"}}, {16, 0}, AloneOn::k60, "fr_rr_fcfs", {});
  const auto gups_alone = [](const WorkloadResults& r) { return r.alone.at("gups").on_60; };
  EXPECT_LT(gups_alone(results[0]).useful(), 0.7 * gups_alone(results[1]).useful());
  for (const WorkloadResults& r : results) {
    const WorkloadOutcome& w = r.workloads.front();
    const double alone = gups_alone(r).applications[0].ipc;
    EXPECT_DOUBLE_EQ(w.fr_fcfs_metrics.slowdown[1], w.fr_fcfs.applications[1].ipc / alone);
    EXPECT_DOUBLE_EQ(w.fr_rr_fcfs_metrics.slowdown[1], w.fr_rr_fcfs.applications[1].ipc / alone);
  }
}

TEST(FrRrFcfsDepth, AtThePresetsDepthTheFiguresAreThoseOfTheWorkloads) {
  const ExperimentReport depth = fr_rr_fcfs_depth(quick()), workloads = fr_rr_fcfs_workloads(quick());
  const std::string gain = "hist_gups: fairness index lower by";
  EXPECT_EQ(ours(depth, "queue 2048, " + gain), ours(workloads, gain)) << depth.text << workloads.text;
  EXPECT_NE(ours(depth, "queue 16, " + gain), ours(workloads, gain)) << depth.text << workloads.text;
}

TEST(FrRrFcfsDepth, FrFcfsInThePlaceOfFrRrFcfsBuysNothing) {
  const ExperimentReport report = fr_rr_fcfs_depth(quick(), "fr_fcfs");
  for (const Figure& f : report.figures) {
    EXPECT_EQ(f.ours.text(), f.name.find("throughput") == std::string::npos ? "0.000" : "1.000") << f.name;
  }
}

}  // namespace
}  // namespace gputlm
