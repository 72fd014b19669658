#include "platform/experiments/most_room/placement_chart.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

LaunchOutcome launch_on(const std::vector<SmId>& sms, Cycle start, Cycle end) {
  LaunchOutcome launch;
  launch.first_block = start;
  for (const SmId sm : sms) {
    BlockRecord block{};
    block.sm = sm;
    block.start = start;
    block.end = end;
    launch.blocks.push_back(block);
  }
  return launch;
}

TEST(PlacementChart, GivesEachKernelOfAnSmARowAndLeavesOutSmsFarFromB) {
  const LaunchOutcome a = launch_on({0, 1, 2, 3, 4}, 100, 1100);
  const TimelineChart chart =
      placement_chart({a, launch_on({5, 5}, 200, 1100)}, {a, launch_on({0, 2, 5}, 200, 2100)}, 1000);
  ASSERT_EQ(chart.bands.size(), 2u);
  EXPECT_EQ(chart.bands[0].rows, (std::vector<std::string>{"SM 0", "SM 1", "SM 2", "SM 5, 2 blocks"}));
  EXPECT_EQ(chart.bands[1].rows, (std::vector<std::string>{"SM 0", "", "SM 1", "SM 2", "", "SM 5"}));
  ASSERT_EQ(chart.boxes.size(), 10u);
  EXPECT_EQ(chart.boxes[0].from, 0) << "time begins with A's first block";
  EXPECT_EQ(chart.boxes[0].until, 1) << "1000 cycles at 1000 MHz, in microseconds";
  EXPECT_EQ(chart.boxes[5].series, 1u) << "B beside A on SM 0";
}

}  // namespace
}  // namespace gputlm
