// Whole runs of the six applications of fr-rr-fcfs: half a minute to minutes, so with the label `nightly`.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "experiment_report.h"
#include "platform/experiments/fr_rr_fcfs/runs.h"

namespace gputlm {
namespace {

TEST(FrRrFcfsAlone, EveryApplicationUsesTheBandwidthOfTable2) { expect_as_known("fr-rr-fcfs/alone", quick()); }

TEST(FrRrFcfsWorkloads, ComeOutAsInThePaperOrAsKnown) { expect_as_known("fr-rr-fcfs/workloads"); }

TEST(FrRrFcfsWorkloads, SharesAddUpAndTheSlowerApplicationEndsOnce) {
  const auto outcomes = run_memory({{{"hist", "gups"}}, {{"hist", "gups"}, "fr_rr_fcfs"}}, {});
  EXPECT_EQ(outcomes.size(), 2u);
  for (const auto& [run, o] : outcomes) {
    EXPECT_NEAR(o.useful() + o.wasted + o.idle, 1, 1e-9);
    EXPECT_EQ(std::min(o.applications[0].ended, o.applications[1].ended), 1u);
  }
}

TEST(FrRrFcfsWorkloads, FrFcfsInThePlaceOfFrRrFcfsImprovesNothing) {
  const ExperimentReport report = reproduce("fr-rr-fcfs/workloads", instead("fr_rr_fcfs", "fr_fcfs", quick()));
  for (const char* name : {"hist_gups: fairness index lower by", "hist_gups: gains instruction throughput",
                           "hist_gups: gains weighted speedup", "hist_gups: bandwidth of hist, times fr_fcfs"}) {
    EXPECT_FALSE(figure(report, name).agrees()) << name;
  }
}

TEST(FrRrFcfsDepth, EachDepthIsComparedWithApplicationsAloneAtThatDepth) {
  const auto results = run_workloads({{"hist", "gups"}}, {16, 0}, AloneOn::k60, {});
  const auto gups_alone = [](const WorkloadResults& r) { return r.alone.at("gups").on_60; };
  EXPECT_LT(gups_alone(results[0]).useful(), 0.7 * gups_alone(results[1]).useful());
  for (const WorkloadResults& r : results) {
    const WorkloadOutcome& w = r.workloads.front();
    const double alone = gups_alone(r).applications[0].ipc;
    EXPECT_DOUBLE_EQ(w.fr_fcfs_metrics.slowdown[1], w.fr_fcfs.applications[1].ipc / alone);
    EXPECT_DOUBLE_EQ(w.fr_rr_fcfs_metrics.slowdown[1], w.fr_rr_fcfs.applications[1].ipc / alone);
  }
}

/// The fairness index of hist_gups by depth and scheduler.
std::map<std::string, double> fairness_indices(const ExperimentReport& report) {
  const Table& table = std::find_if(report.tables.begin(), report.tables.end(), [](const ReportTable& t) {
                         return t.name.empty();
                       })->table;
  std::map<std::string, double> indices;
  for (const std::vector<Cell>& row : table.rows()) {
    const auto text = [&](const char* column) { return row[table.column(column)].text(); };
    if (text("workload") == "hist_gups")
      indices[text("queue") + " " + text("scheduler")] = *row[table.column("fairness_index")].number();
  }
  return indices;
}

TEST(FrRrFcfsDepth, HasThePresetsDepthAsTheWorkloadsHaveIt) {
  const ExperimentReport report = reproduce("fr-rr-fcfs/depth", quick());
  EXPECT_TRUE(report.figures.empty()) << "the paper claims nothing of depths";
  const WorkloadOutcome w = run_workloads({{"hist", "gups"}}, {0}, AloneOn::k60, {}).front().workloads.front();
  const auto indices = fairness_indices(report);
  EXPECT_DOUBLE_EQ(indices.at("1024 fr_fcfs"), w.fr_fcfs_metrics.fairness_index);
  EXPECT_DOUBLE_EQ(indices.at("1024 fr_rr_fcfs"), w.fr_rr_fcfs_metrics.fairness_index);
  EXPECT_NE(indices.at("1024 fr_rr_fcfs"), indices.at("16 fr_rr_fcfs"));
}

TEST(FrRrFcfsDepth, FrFcfsInThePlaceOfFrRrFcfsBuysNothing) {
  const auto indices = fairness_indices(reproduce("fr-rr-fcfs/depth", instead("fr_rr_fcfs", "fr_fcfs", quick())));
  for (const std::string queue : {"16", "1024"})
    EXPECT_EQ(indices.at(queue + " fr_fcfs"), indices.at(queue + " fr_rr_fcfs"));
}

}  // namespace
}  // namespace gputlm
