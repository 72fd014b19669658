#include <gtest/gtest.h>

#include "experiment_report.h"
#include "models/sm/qaws.h"
#include "platform/experiments/qaws/timeline.h"

namespace gputlm {
namespace {

TEST(QawsFigure3, TheTextsEventsComeOutAndAWholeSmEndsAsDrawn) {
  ExperimentOptions options;
  options.quick = true;
  const ExperimentReport report = reproduce("qaws/figure3", options);
  for (const Figure& figure : report.figures) EXPECT_TRUE(figure.agrees()) << figure.name << ": " << figure.ours.text();
  EXPECT_TRUE(report.agrees());
}

TEST(QawsFigure3, EventsAreThoseOfTheTimeline) {
  Timeline four{"", {0, 1, 2, 3, 2, 0, 1, 2, 3, -1, 0, 3}, {10, 6, 7, 11}};
  Timeline six{"", {0, 1, 2, 3, 2, 3, 2, 0, 1, 2, 3}, {7, 8, 9, 10}};
  TimelineEvents events = events_of(four, six, 5);
  EXPECT_EQ(events.takeover, 1u);
  EXPECT_EQ(events.next_stall, 2u);
  EXPECT_EQ(events.back_at_4, 5u);
  EXPECT_EQ(events.back_at_6, 7u);
  EXPECT_EQ(events.alone_at_4, 9u);
  EXPECT_EQ(events.reissued_at_4, 11u);
  EXPECT_EQ(four.end(1), 11u);
  EXPECT_EQ(four.end(2), 12u);
  EXPECT_EQ(four.mean_end(), 11.5);

  four.warps[5] = -1;  // nobody issues: K1 does not come back
  EXPECT_EQ(events_of(four, six, 5).back_at_4, kNever);
  four.last_issue[2] = 20;  // w2 has not ended: w3 is not alone
  EXPECT_EQ(events_of(four, six, 5).alone_at_4, kNever);
}

TEST(QawsFigure3, ATimelineHasEveryInstructionOnceAndKeepsToTheLatencies) {
  const Latencies latencies{3, 1, 4, 1, 5, 2, 6, 2};
  for (const char* policy : {"lrr", "lrr_greedy", "gto", "qaws"}) {
    const Timeline timeline = issue_timeline(*make_warp_scheduler(policy), latencies, 3);
    for (int warp = 0; warp < 4; ++warp) {
      std::vector<Cycle> issues;
      for (Cycle c = 0; c < timeline.warps.size(); ++c) {
        if (timeline.warps[c] == warp) issues.push_back(c);
      }
      ASSERT_EQ(issues.size(), kTimelineInstructions) << policy;
      EXPECT_GE(issues[0], warp < 2 ? Cycle{0} : Cycle{1});
      for (std::size_t i = 0; i < latencies.size(); ++i) EXPECT_GE(issues[i + 1] - issues[i], latencies[i]) << policy;
    }
  }
}

}  // namespace
}  // namespace gputlm
