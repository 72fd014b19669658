// Recordings of a run, played on the reference alone: one event per port and cycle, and each answer for the run's state.
#include <gtest/gtest.h>

#include "testbench/kinds/arbiter/traffic.h"
#include "tests/unit/platform/played_course.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using ArbiterEventKind = ArbiterEvent::Kind;

ArbiterEvent event(Cycle at, ArbiterEventKind kind, std::uint32_t bank, Row row, ApplicationId application = 0) {
  return {at, kind, 0, application, bank, row};
}

auto play(const std::vector<ArbiterEvent>& events) {
  const ArbiterSize size{8, 4, 2, 8, false};
  const ArbiterRecording recording{events, 0};
  return play(ArbiterReference(size, "fr_fcfs"), PlayedArbiter(size, recording));
}

TEST(PlayedArbiter, AsksWhenWhatItAsksForHasEntered) {
  // The model takes a burst in and opens its row in one cycle; hardware knows of the burst one cycle later.
  const auto course = play({event(5, ArbiterEventKind::kArrives, 1, 7), event(5, ArbiterEventKind::kActivates, 1, 7),
                            event(9, ArbiterEventKind::kServes, 1, 7)});
  EXPECT_EQ(course.played.answers, 2u);
  EXPECT_EQ(course.played.others, 0u);
  ASSERT_EQ(course.inputs.size(), 5u);  // reset, arrival, activate, nothing, column command
  EXPECT_FALSE(course.inputs[0].rst_n);
  EXPECT_TRUE(course.inputs[1].req_valid && !course.inputs[1].ask_valid);
  EXPECT_TRUE(course.inputs[2].row_valid && course.inputs[2].row_open && course.inputs[2].ask_valid);
  EXPECT_FALSE(course.inputs[2].grant_ready);
  EXPECT_TRUE(course.inputs[4].grant_ready);
  EXPECT_EQ(course.cycles, (std::vector<std::uint64_t>{0, 1, 1, 2, 1}));
}

TEST(PlayedArbiter, TakesOneBurstACycle) {
  const auto course = play({event(0, ArbiterEventKind::kArrives, 0, 1), event(0, ArbiterEventKind::kArrives, 1, 1),
                            event(0, ArbiterEventKind::kArrives, 2, 1), event(1, ArbiterEventKind::kActivates, 0, 1)});
  ASSERT_EQ(course.inputs.size(), 4u);
  EXPECT_EQ(course.inputs[3].req_bank, 2u);
  EXPECT_TRUE(course.inputs[3].ask_valid);  // of another bank: it need not wait any longer
}

TEST(PlayedArbiter, CountsAnswersThatAreNotTheRuns) {
  // The run served the younger request, which is no row hit.
  const auto course =
      play({event(0, ArbiterEventKind::kArrives, 0, 1, 0), event(1, ArbiterEventKind::kArrives, 0, 2, 1),
            event(4, ArbiterEventKind::kServes, 0, 2, 1)});
  EXPECT_EQ(course.played.answers, 1u);
  EXPECT_EQ(course.played.others, 1u);
}

TEST(PlayedArbiter, RefusesWhatTheDesignCannotHold) {
  EXPECT_THROW(play({event(0, ArbiterEventKind::kArrives, 4, 1)}), InputError);
  EXPECT_THROW(play({event(0, ArbiterEventKind::kArrives, 0, 256)}), InputError);
  EXPECT_THROW(play({event(0, ArbiterEventKind::kArrives, 0, 1, 2)}), InputError);
  EXPECT_THROW(play(std::vector<ArbiterEvent>(9, event(0, ArbiterEventKind::kArrives, 0, 1))), InputError);
}

TEST(ShortRows, KeepWhichAreTheSameAndWhichAreNeighbours) {
  const auto rows = with_short_rows(
      {event(0, ArbiterEventKind::kArrives, 0, 640001), event(0, ArbiterEventKind::kArrives, 0, 5),
       event(0, ArbiterEventKind::kServes, 0, 640001), event(0, ArbiterEventKind::kArrives, 0, 640002)});
  EXPECT_EQ(rows[0].row, 1u);
  EXPECT_EQ(rows[1].row, 64u + 5);
  EXPECT_EQ(rows[2].row, 1u);
  EXPECT_EQ(rows[3].row, 2u);
}

}  // namespace
}  // namespace gputlm
