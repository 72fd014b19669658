// The experiments on srtf in their quick forms, and that they can fail; the kernels themselves are in ercbench_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "experiment_report.h"
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
  const ExperimentReport report = reproduce("srtf/timeline");
  for (const Figure& f : report.figures) EXPECT_TRUE(f.agrees()) << f.name << ": " << f.ours.text();
  EXPECT_EQ(report.charts.size(), 1u);
  EXPECT_FALSE(
      figure(reproduce("srtf/timeline", instead("srtf", "mpmax")), "blocks of B outside the sampling SM").agrees());
}

TEST(SrtfWorkloads, OrdersComeOutAsInThePaper) {
  const ExperimentReport report = reproduce("srtf/workloads", quick());
  expect_as_known("srtf/workloads", report, quick());
  EXPECT_TRUE(figure(report, "STP falls").agrees());
  EXPECT_TRUE(figure(report, "srtf_adaptive is the fairest").agrees());
  EXPECT_TRUE(figure(report, "srtf has a lower ANTT").agrees());
}

/// Every pair one after the other, with the runtimes of table 3: by arrival, or the shorter first.
SrtfTable one_after_the_other() {
  SrtfTable table{{kSrtfOrders.begin(), kSrtfOrders.end()}, {}, {}};
  for (std::size_t a = 0; a < ercbench().size(); ++a) {
    for (std::size_t b = a + 1; b < ercbench().size(); ++b) {
      table.workloads.push_back({a, b});
      table.workloads.push_back({b, a});
    }
  }
  for (const std::string& order : table.orders) {
    std::vector<SrtfOutcome>& row = table.rows.emplace_back();
    for (const SrtfPair& pair : table.workloads) {
      SrtfOutcome& outcome = row.emplace_back();
      for (std::size_t k = 0; k < 2; ++k) outcome.alone[k] = ercbench()[pair[k]].runtime;
      const std::size_t first = order == "sjf" && outcome.alone[1] < outcome.alone[0] ? 1 : 0;
      outcome.turnaround[first] = outcome.alone[first];
      outcome.turnaround[1 - first] = outcome.alone[0] + outcome.alone[1];
    }
  }
  return table;
}

ExperimentReport claims_of(const SrtfTable& table) {
  ExperimentReport report{"srtf"};
  add_srtf_claims(report, table, false);
  return report;
}

/// So that is what figure 1, SJF's row of table 5 and section 6.2.2's example are; FIFO's row is something else.
TEST(SrtfClaims, RuntimesOfTable3OneAfterTheOtherGiveFigure1ButNotFifosRow) {
  const ExperimentReport report = claims_of(one_after_the_other());
  for (const Figure& f : report.figures) {
    const bool serial = f.name.rfind("figure 1", 0) == 0 || f.name.find(": sjf") != std::string::npos ||
                        f.name == "Ray+JPEG-d: slowdown of JPEG-d under fifo" || f.name == "worst ANTT: fifo" ||
                        f.name == "worst ANTT: fifo, workload";
    if (serial) {
      EXPECT_TRUE(f.agrees()) << f.name << ": paper " << f.paper.text() << ", ours " << f.ours.text();
    }
  }
  EXPECT_EQ(figure(report, "figure 1: pairs by name as with the shorter first").ours.text(), "17");
  EXPECT_EQ(figure(report, "figure 1: pairs by name as with the longer first").ours.text(), "8");
  EXPECT_EQ(figure(report, "Ray+JPEG-d: slowdown of JPEG-d under fifo").ours.text(), "17.76");
  EXPECT_EQ(figure(report, "ANTT: fifo").ours.text(), "2.97");
  EXPECT_FALSE(figure(report, "ANTT: fifo").agrees());
  EXPECT_FALSE(figure(report, "fairness: fifo").agrees());
  EXPECT_EQ(figure(report, "workloads that share").ours.text(), "0");
}

TEST(SrtfClaims, CountWorkloadsByWhatTheirOutcomesSay) {
  SrtfTable table = one_after_the_other();
  const auto count = [&](const char* name) { return figure(claims_of(table), name).ours.text(); };
  EXPECT_EQ(count("workloads with a higher STP under mpmax than under sjf"), "0");
  EXPECT_EQ(count("workloads where mpmax is fairer"), "0");
  EXPECT_EQ(count("workloads where srtf or srtf_adaptive has the lowest"), "56");
  table.rows[1][0] = table.rows[4][0];  // AES-d came first and is longer; it runs second, as under sjf
  EXPECT_EQ(count("workloads with a higher STP under mpmax than under fifo"), "2");  // per cent
  EXPECT_EQ(count("workloads with a higher STP under mpmax than under sjf"), "0");
  SrtfOutcome& mpmax = table.rows[1][0];
  mpmax.turnaround = mpmax.alone;  // as if beside nobody: fairer than fifo, and better than sjf
  EXPECT_EQ(count("workloads with a higher STP under mpmax than under sjf"), "1");
  EXPECT_EQ(count("workloads where mpmax is fairer"), "2");
  EXPECT_EQ(count("workloads where srtf or srtf_adaptive has the lowest"), "55");
  table.rows[3][5].turnaround[0] += 1;  // srtf_adaptive does something else than srtf
  EXPECT_EQ(count("workloads that share"), "1");
}

TEST(SrtfDispatchNightly, OneBlockACycleLeavesRoomForTheSecondKernel) { expect_as_known("srtf/dispatch", quick()); }

/// Not so in the other reading, which section 6.2.3 refutes: the GPU is full when the second kernel comes.
TEST(SrtfRuns, SendABlockACycleSoThatTheSecondKernelFindsRoom) {
  const SrtfRun run{{ercbench_index("NLM2"), ercbench_index("JPEG-d")}, "mpmax"};
  const auto second_starts = [&](SrtfRuns runs) {
    runs.add(run);
    runs.run();
    Cycle first = kNever;
    const SrtfOutcome outcome = runs[run];
    for (const BlockRecord& block : outcome.launches[1].blocks) first = std::min(first, block.start);
    return first - outcome.launches[1].arrived;
  };
  EXPECT_LT(second_starts({{run.pair[0], run.pair[1]}, quick()}), 100u);
  EXPECT_GT(second_starts({{run.pair[0], run.pair[1]}, quick(), 15}), 1000u);
}

TEST(SrtfPredictor, IsWithinAFactorOfTwoForMost) {
  const ExperimentReport report = reproduce("srtf/predictor", quick());
  expect_as_known("srtf/predictor", report, quick());
  EXPECT_TRUE(figure(report, "single: predictions").agrees());
  EXPECT_TRUE(figure(report, "mpmax/SS: predictions").agrees());
}

}  // namespace
}  // namespace gputlm
