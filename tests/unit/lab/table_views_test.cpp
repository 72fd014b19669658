// Selected lines and charts of a table with one line per run.

#include "platform/lab/metrics.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gputlm {
namespace {

Table runs() {
  Table table(
      {{"gpu"}, {"policy"}, {"depth", "entries", "depth of the queue"}, {"speed", "", "speed over alone", "v", 1}});
  table.add({"tx2", "fifo", 16, 1.0});
  table.add({"tx2", "srtf", 16, 2.0});
  table.add({"tx2", "fifo", 4, 3.0});
  table.add({"xavier", "srtf", 4, 4.0});
  return table;
}

TEST(TableViews, PivotMakesAColumnOfEachValueAndLeavesWhatIsNotThereEmpty) {
  EXPECT_EQ(pivot(runs(), {"gpu", "depth"}, "policy", {"speed"}).csv(),
            "gpu,depth,speed_fifo,speed_srtf\ntx2,16,1.0,2.0\ntx2,4,3.0,\nxavier,4,,4.0\n");
}

TEST(TableViews, PivotPutsNumbersInAscendingOrder) {
  EXPECT_EQ(pivot(runs(), {"gpu", "policy"}, "depth", {"speed"}).csv(),
            "gpu,policy,speed_4,speed_16\ntx2,fifo,3.0,1.0\ntx2,srtf,,2.0\nxavier,srtf,4.0,\n");
}

TEST(TableViews, PivotWithSeveralValuesHasThemSideBySide) {
  const Table wide = pivot(runs(), {"gpu"}, "policy", {"depth", "speed"});
  EXPECT_EQ(wide.columns().at(2).title, "fifo v");
  EXPECT_EQ(wide.csv().substr(0, wide.csv().find('\n')), "gpu,depth_fifo,speed_fifo,depth_srtf,speed_srtf");
}

TEST(TableViews, MeansAreOfTheLinesThatAreTheSame) {
  EXPECT_EQ(means(runs(), {"policy"}, {"speed"}).csv(), "policy,speed\nfifo,2.0\nsrtf,3.0\n");
}

TEST(TableViews, LinesWithATextAreThose) { EXPECT_EQ(lines_with(runs(), "gpu", "tx2").rows().size(), 3u); }

TEST(TableViews, LineChartHasAPanelAndALineForEachValue) {
  const LineChart chart = line_chart(runs(), {"depth", "speed", {"policy"}, "gpu", true});
  ASSERT_EQ(chart.panels.size(), 2u);
  EXPECT_EQ(chart.panels[0].x_axis, "depth of the queue (entries), tx2");
  EXPECT_EQ(chart.panels[0].y_axis, "speed over alone");
  ASSERT_EQ(chart.panels[0].lines.size(), 2u);
  EXPECT_EQ(chart.panels[0].lines[0].points, (std::vector<std::pair<double, double>>{{4, 3}, {16, 1}}));
  EXPECT_EQ(chart.panels[1].lines.at(0).name, "srtf");
}

TEST(TableViews, LineChartHasTicksForTexts) {
  const LineChart chart = line_chart(runs(), {"policy", "speed", {"gpu", "depth"}});
  EXPECT_EQ(chart.panels.at(0).ticks.at(1).name, "srtf");
  EXPECT_EQ(chart.panels.at(0).lines.at(0).name, "tx2, 16");
  EXPECT_EQ(chart.panels.at(0).lines.at(0).points.at(1), (std::pair<double, double>{1, 2}));
}

TEST(TableViews, BarChartHasAGroupALineAndCutsOff) {
  const BarChart chart = bar_chart(runs(), "speed", {"gpu", "policy"}, {"depth", "speed"}, 3.5);
  EXPECT_EQ(chart.y_axis, "speed, cut off at 3.5");
  ASSERT_EQ(chart.groups.size(), 4u);
  EXPECT_EQ(chart.groups[3].name, "xavier, srtf");
  EXPECT_EQ(chart.groups[3].values, (std::vector<double>{3.5, 3.5}));
  EXPECT_THROW(bar_chart(runs(), "", {"gpu"}, {"policy"}), std::logic_error) << "texts are no bars";
  EXPECT_THROW(bar_chart(runs(), "", {"gpu"}, {"none"}), std::logic_error);
}

}  // namespace
}  // namespace gputlm
