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
#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/pairs.h"

namespace gputlm {
namespace {

TEST(FrRrFcfsAlone, EveryApplicationUsesTheBandwidthOfTable2) {
  expect_as_known("fr-rr-fcfs/alone", fr_rr_fcfs_alone(quick()), quick());
}

TEST(FrRrFcfsWorkloads, ComeOutAsInThePaperOrAsKnown) {
  expect_as_known("fr-rr-fcfs/workloads", fr_rr_fcfs_workloads({}));
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
  for (const char* name : {"hist_gups: fairness index lower by", "hist_gups: gains instruction throughput",
                           "hist_gups: gains weighted speedup", "hist_gups: bandwidth of hist, times fr_fcfs"}) {
    EXPECT_FALSE(figure(report, name).agrees()) << name;
  }
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

/// What the columns of a workload are in fr-rr-fcfs-depth.csv.
std::map<std::string, std::string> depth_row(const std::string& folder, const std::string& queue,
                                             const std::string& workload) {
  std::ifstream file(folder + "/fr-rr-fcfs-depth.csv");
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) all.push_back(cell);
    return all;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = cells(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> values = cells(line);
    if (values.at(0) != queue || values.at(1) != workload) continue;
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values.at(i);
    return row;
  }
  ADD_FAILURE() << "no line for " << queue << " " << workload;
  return {};
}

class FrRrFcfsDepthFile : public testing::Test {
 protected:
  FrRrFcfsDepthFile() { std::filesystem::create_directories(folder_); }
  ~FrRrFcfsDepthFile() override { std::filesystem::remove_all(folder_); }
  ExperimentOptions options() const {
    ExperimentOptions options = quick();
    options.out = folder_;
    return options;
  }
  /// Of each test its own: CTest runs several at once.
  const std::string folder_ = std::filesystem::temp_directory_path() /
                              (std::string("gputlm-") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(FrRrFcfsDepthFile, HasThePresetsDepthAsTheWorkloadsHaveIt) {
  EXPECT_TRUE(fr_rr_fcfs_depth(options()).figures.empty()) << "the paper claims nothing of depths";
  const WorkloadOutcome w =
      run_workloads({{"hist", "gups"}}, {0}, AloneOn::k60, "fr_rr_fcfs", {}).front().workloads.front();
  const auto preset = depth_row(folder_, "1024", "hist_gups"), shallow = depth_row(folder_, "16", "hist_gups");
  EXPECT_NEAR(std::stod(preset.at("fi_fr_fcfs")), w.fr_fcfs_metrics.fairness_index, 1e-4);
  EXPECT_NEAR(std::stod(preset.at("fi_fr_rr_fcfs")), w.fr_rr_fcfs_metrics.fairness_index, 1e-4);
  EXPECT_NE(preset.at("fi_fr_rr_fcfs"), shallow.at("fi_fr_rr_fcfs"));
}

TEST_F(FrRrFcfsDepthFile, FrFcfsInThePlaceOfFrRrFcfsBuysNothing) {
  fr_rr_fcfs_depth(options(), "fr_fcfs");
  for (const char* queue : {"16", "1024"}) {
    const auto row = depth_row(folder_, queue, "hist_gups");
    EXPECT_EQ(row.at("fi_fr_fcfs"), row.at("fi_fr_rr_fcfs"));
    EXPECT_EQ(row.at("instructions_fr_fcfs"), row.at("instructions_fr_rr_fcfs"));
  }
}

}  // namespace
}  // namespace gputlm
