// Kernels of qaws side by side, in their quick form, and that the experiments on them can fail; the whole figures are
// in qaws_nightly_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "experiment_report.h"
#include "platform/experiments/qaws/runs.h"
#include "program.h"

namespace gputlm {
namespace {

/// What came out of the runs, in their order.
std::vector<QawsOutcome> run_qaws(const std::vector<QawsRun>& runs, const ExperimentOptions& options) {
  QawsRuns carried_out(options);
  for (const QawsRun& run : runs) carried_out.add(run);
  carried_out.run();
  std::vector<QawsOutcome> outcomes;
  for (const QawsRun& run : runs) outcomes.push_back(carried_out[run]);
  return outcomes;
}

/// Kernels that only compute: the issue slots decide the speed.
TEST(QawsRuns, TheLargerTheBudgetTheSoonerAPurelyComputingKernelEnds) {
  std::vector<QawsRun> runs{{{{"pc"}, {"pc"}}, "lrr"}, {{{"pc"}, {"pc"}}, "gto"}};
  for (const unsigned budget : {1u, 2u, 4u, 8u, 32u}) runs.push_back({{{"pc", 1}, {"pc", budget}}, "qaws"});
  const auto outcomes = run_qaws(runs, quick());
  for (const QawsOutcome& o : outcomes) EXPECT_TRUE(o.even);
  const QawsOutcome &lrr = outcomes[0], &gto = outcomes[1];
  EXPECT_LT(gto.response[0], lrr.response[0]);
  EXPECT_GT(gto.response[1], lrr.response[1]);
  EXPECT_EQ(outcomes[2].response, gto.response) << "equal budgets: one group, in which GTO decides";
  for (std::size_t i = 3; i < outcomes.size(); ++i)
    EXPECT_LT(outcomes[i].response[1], outcomes[i - 1].response[1]) << "run " << i;
  EXPECT_LT(outcomes.back().response[1], lrr.response[1]);
}

/// The other way round it is the first kernel that gains.
TEST(QawsRuns, BudgetsBelongToTheirKernels) {
  const auto outcomes = run_qaws({{{{"pc", 1}, {"pc", 8}}, "qaws"}, {{{"pc", 8}, {"pc", 1}}, "qaws"}}, quick());
  EXPECT_GT(outcomes[0].response[0], outcomes[0].response[1]);
  EXPECT_LT(outcomes[1].response[0], outcomes[1].response[1]);
}

TEST(QawsRuns, AreNotEvenWhereBlocksHadToWait) {
  const auto outcomes = run_qaws({{{{"vec"}, {"vec"}}, "lrr", {32}}, {{{"vec"}, {"vec"}}, "lrr", {40}}}, quick());
  EXPECT_TRUE(outcomes[0].even);
  EXPECT_FALSE(outcomes[1].even) << "80 warps on an SM that holds 64";
}

TEST(QawsPairs, ChooseTheBudgetThatIsBestForTheSecondKernel) {
  const QawsPairs pairs = run_qaws_pairs({{"mm", "bin"}}, quick());
  const QawsPair& pair = pairs.at(0);
  EXPECT_TRUE(pair.even());
  for (const QawsOutcome& o : pair.qaws) EXPECT_LE(pair.chosen().response[1], o.response[1]);
  EXPECT_DOUBLE_EQ(pair.improvement(1, pair.lrr, pair.lrr), 0);
  EXPECT_NEAR(pair.mean_time(pair.lrr), 1, 1e-12);
  EXPECT_LT(pair.first_alone.response[0], pair.lrr.response[0]);
  EXPECT_LT(pair.second_alone.response[0], pair.lrr.response[1]);
}

TEST(QawsFigure4, ComesOutAsInThePaperButForWhatIsKnown) {
  expect_as_known("qaws/homogeneous", quick());
  expect_as_known("qaws/heterogeneous", quick());
}

TEST(QawsFigure4Nightly, RefutesGtoInThePlaceOfQaws) {
  EXPECT_FALSE(
      figure(reproduce("qaws/homogeneous", instead("qaws", "gto", quick())), "K2: lowest response time").agrees());
}

TEST(QawsFigure2, OnlyUnderQawsDoBothKernelsMeetTheirDeadlines) {
  expect_as_known("qaws/figure2", quick());
  EXPECT_FALSE(figure(reproduce("qaws/figure2", instead("qaws", "lrr", quick())), "4").agrees());
}

/// If each block has its own work, the oldest warps end first, and the remaining ones do not fill the pipes.
TEST(QawsReadings, SharedWorkEndsTogetherWhereSharesOfTheBlocksDoNot) {
  const QawsReading shared, own{kQawsWarps, WorkElement::Schedule::kStatic};
  const auto outcomes = run_qaws({{{{"dxtc"}}, "gto", shared}, {{{"dxtc"}}, "gto", own}}, {});
  EXPECT_LT(outcomes[0].response[0], 0.95 * outcomes[1].response[0]);
}

TEST(QawsReadingsNightly, AreShownEach) {
  const ExperimentReport report = reproduce("qaws/readings", quick());
  EXPECT_TRUE(report.agrees());
  const Table& means = report.tables.at(0).table;
  ASSERT_EQ(means.rows().size(), 2u);
  EXPECT_EQ(means.rows()[0][0].text(), "dynamic, fit, 24 warps");
  EXPECT_EQ(means.rows()[1][0].text(), "static, fit, 24 warps");
}

TEST(QawsBudget, WithEqualBudgetsIsGtoAndNothingElse) {
  EXPECT_TRUE(figure(reproduce("qaws/budget", quick()), "equal budgets").agrees());
  EXPECT_FALSE(figure(reproduce("qaws/budget", instead("qaws", "lrr", quick())), "equal budgets").agrees());
}

TEST(QawsDeadlines, CountTheSameForTheSamePolicyUnderAnyName) {
  const ExperimentReport report = reproduce("qaws/deadlines", instead("qaws", "lrr", quick()));
  ASSERT_EQ(report.figures.size(), 2u);
  const std::string lrr = report.figures[0].ours.text();
  const std::string sets = lrr.substr(0, lrr.find(' '));
  EXPECT_EQ(lrr, sets + " over " + sets);
  EXPECT_FALSE(report.figures[0].agrees()) << "LRR meets no more than LRR";
}

TEST(QawsDeadlines, WriteTheirTablesAndTheirChart) {
  const TestFolder folder;
  const Experiment& experiment = *find_experiments("qaws/deadlines").front();
  write_files(folder.path(""), experiment, experiment.run(quick()));
  EXPECT_GT(std::filesystem::file_size(folder.path("qaws-deadlines.csv")), 1000u);
  EXPECT_GT(std::filesystem::file_size(folder.path("qaws-deadlines.svg")), 1000u);
  EXPECT_TRUE(std::filesystem::exists(folder.path("qaws-deadlines-jobs.csv")));
}

}  // namespace
}  // namespace gputlm
