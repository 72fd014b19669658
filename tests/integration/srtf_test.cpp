// The experiments on srtf in their quick forms, and that they can fail; the kernels themselves are in ercbench_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "experiment_report.h"
#include "platform/experiments/srtf/srtf.h"
#include "platform/experiments/srtf/table.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

TEST(SrtfOutcome, MetricsAreThoseOfTheirDefinitions) {
  SrtfOutcome outcome;
  outcome.alone = {100, 400};
  outcome.turnaround = {200, 500};
  EXPECT_DOUBLE_EQ(outcome.stp(), 100.0 / 200 + 400.0 / 500);
  EXPECT_DOUBLE_EQ(outcome.antt(), (200.0 / 100 + 500.0 / 400) / 2);
  EXPECT_DOUBLE_EQ(outcome.strictf(), 1.25 / 2);
  std::swap(outcome.alone[0], outcome.alone[1]);
  std::swap(outcome.turnaround[0], outcome.turnaround[1]);
  EXPECT_DOUBLE_EQ(outcome.strictf(), 1.25 / 2);
  EXPECT_NEAR(geometric_mean({2, 8}), 4, 1e-12);
}

/// sjf knows what will arrive: whichever order a workload names, it does the same.
TEST(SrtfTable, UnderSjfTheOrderOfArrivalDoesNotMatter) {
  const ExperimentOptions options = quick();
  SrtfRuns runs({ercbench_index("JPEG-d"), ercbench_index("AES-e")}, options);
  const SrtfTable table = run_srtf_table(runs, {"fifo", "sjf"}, [](std::size_t) { return kSrtfApart; });
  ASSERT_EQ(table.workloads.size(), 2u);
  const auto& sjf = table.rows[1];
  EXPECT_EQ(sjf[0].turnaround[0], sjf[1].turnaround[1]);
  EXPECT_EQ(sjf[0].turnaround[1], sjf[1].turnaround[0]);
  const auto& fifo = table.rows[0];
  EXPECT_EQ(fifo[0].turnaround, sjf[0].turnaround) << "the shorter first: section 2 of the paper";
  EXPECT_GT(fifo[1].antt(), sjf[1].antt());
}

TEST(SrtfTimeline, SamplesOnOneSmAndHandsOverAtBlockBoundaries) {
  const auto folder = std::filesystem::temp_directory_path() / "gputlm-srtf-timeline";
  std::filesystem::create_directories(folder);
  ExperimentOptions options;
  options.out = folder;
  const ExperimentReport report = srtf_timeline(options);
  for (const Figure& f : report.figures) EXPECT_TRUE(f.agrees()) << f.name << ": " << f.ours.text();
  EXPECT_TRUE(std::filesystem::exists(folder / "srtf-timeline.svg"));
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(figure(srtf_timeline({}, "mpmax"), "blocks of B outside the sampling SM").agrees());
}

TEST(SrtfWorkloads, OrdersComeOutAsInThePaper) {
  const ExperimentReport report = srtf_workloads(quick());
  EXPECT_TRUE(figure(report, "STP falls").agrees());
  EXPECT_TRUE(figure(report, "srtf_adaptive is the fairest").agrees());
  EXPECT_TRUE(figure(report, "srtf has a lower ANTT").agrees());
}

TEST(SrtfWorkloads, RefutesFifoInThePlaceOfSrtf) {
  EXPECT_FALSE(figure(srtf_workloads(quick(), "fifo"), "srtf has a lower ANTT").agrees());
}

TEST(SrtfPredictor, IsWithinAFactorOfTwoForMost) {
  const ExperimentReport report = srtf_predictor(quick());
  EXPECT_TRUE(figure(report, "single: predictions").agrees());
  EXPECT_TRUE(figure(report, "mpmax/SS: predictions").agrees());
}

}  // namespace
}  // namespace gputlm
