/// Random task sets in their quick form.
#include <gtest/gtest.h>

#include "experiment_report.h"

namespace gputlm {
namespace {

TEST(BoundsExperiment, NoResponseIsAboveItsBoundButWhereTheAssumptionIsBroken) {
  const ExperimentReport report = reproduce("bounds/schedulability", quick());
  expect_as_known("bounds/schedulability", report, quick());
  EXPECT_EQ(report.figures.size(), 5u);
  EXPECT_EQ(report.charts.size(), 1u);
  EXPECT_EQ(report.tables.at(0).table.rows().size(), 50u) << "five schemes, ten utilisations";
}

TEST(BoundsExperiment, OfTwoLevelsNoResponseIsAboveItsBoundInItsMode) {
  const ExperimentReport report = reproduce("bounds/criticality", quick());
  expect_as_known("bounds/criticality", report, quick());
  EXPECT_EQ(report.figures.size(), 3u);
  EXPECT_EQ(report.tables.at(0).table.rows().size(), 20u) << "five curves, four utilisations";
}

}  // namespace
}  // namespace gputlm
