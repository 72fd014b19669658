#include "platform/cli/cost_chart.h"

#include <gmock/gmock.h>

#include <cmath>

#include "platform/lab/chart.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using testing::Not;

cost::Implementation implementation(double area, double delay) {
  cost::Implementation result{"nf", 10, 5, area, {}};
  result.delays.register_to_register = delay;
  return result;
}

/// Area 1000 an entry against 800, 2 ns against 1.6, NAND2 of 20.
cost::Study study(bool against) {
  cost::Study study;
  study.block = cost::find_block("fr_rr_fcfs_arbiter");
  if (against) study.against = cost::find_block("fr_fcfs_arbiter");
  study.library.name = "tiny";
  study.library.nand2 = {"ND2", 20, 0};
  for (const unsigned entries : {32u, 16u}) {
    for (const unsigned apps : {2u, 4u}) {
      cost::StudyRow row;
      row.cost = {study.block, {entries, apps, 16, 14, 0}, {implementation(1000.0 * entries, 2)}, {}};
      if (against)
        row.baseline = cost::BlockCost{study.against, row.cost.geometry, {implementation(800.0 * entries, 1.6)}, {}};
      study.rows.push_back(row);
    }
  }
  return study;
}

TEST(CostChart, HasALineForEachNumberOfApplicationsAndAMarkForEachSize) {
  for (const bool against : {false, true}) {
    const LineChart chart = cost_chart(study(against));
    ASSERT_EQ(chart.panels.size(), 2u);
    for (const LineChart::Panel& panel : chart.panels) {
      ASSERT_EQ(panel.lines.size(), 2u);
      EXPECT_EQ(panel.lines[0].name, "apps 2");
      EXPECT_EQ(panel.lines[1].name, "apps 4");
      ASSERT_EQ(panel.ticks.size(), 2u);
      EXPECT_EQ(panel.ticks[0].name, "16");
      for (const LineChart::Line& line : panel.lines) {
        ASSERT_EQ(line.points.size(), 2u);
        EXPECT_EQ(line.points[0].first, 16);
      }
    }
    EXPECT_EQ(chart.panels[0].y_axis, against ? "overhead in area (%)" : "area (NAND2 equivalents)");
    EXPECT_NEAR(chart.panels[0].lines[0].points[0].second, against ? 25 : 800, 1e-9);
    EXPECT_NEAR(chart.panels[1].lines[0].points[0].second, against ? 25 : 2, 1e-9);
  }
}

TEST(CostChart, OnePointIsEnough) {
  cost::Study s = study(true);
  s.rows.resize(1);
  s.rows[0].cost.implementations = s.rows[0].baseline->implementations;  // no overhead at all
  EXPECT_THAT(gnuplot_script(cost_chart(s), "x.svg"), Not(testing::ContainsRegex("[: ]nan|inf[:]")));
}

}  // namespace
}  // namespace gputlm
