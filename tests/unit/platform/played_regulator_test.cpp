// Decisions of a place with memory budgets, played on the reference alone: in cycles of the hardware, each answer is the same.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "models/regulator/regulation.h"
#include "testbench/kinds/regulator/reference.h"
#include "testbench/kinds/regulator/traffic.h"
#include "tests/unit/platform/played_course.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using RegulatorKind = RegulatorEvent::Kind;

constexpr RegulatorSize kPlayedSize{3, 10, 8};

auto play_on(const std::string& policy, const RegulatorRecording& recording) {
  return play(RegulatorReference(kPlayedSize, policy), PlayedRegulator(kPlayedSize, recording));
}

TEST(PlayedRegulator, PassesARequestACycleAndBeginsPeriodsAfterIt) {
  const auto course = play_on("hard", {{100},
                                       {{5, RegulatorKind::kPasses, 0, 60},
                                        {5, RegulatorKind::kPasses, 0, 40},
                                        {5, RegulatorKind::kWaits, 0, 30},
                                        {9, RegulatorKind::kBegins, 0, 100},
                                        {9, RegulatorKind::kPasses, 0, 30}}});
  EXPECT_EQ(course.played.answers, 4u);
  EXPECT_EQ(course.played.others, 0u);
  ASSERT_EQ(course.inputs.size(), 7u);  // reset, 60, 40, 30 in vain, nothing, the period begins, 30
  EXPECT_FALSE(course.inputs[0].rst_n);
  EXPECT_EQ(course.inputs[0].budget.at(0, 10), 100u);
  EXPECT_EQ(course.inputs[2].head_bytes.at(0, 8), 40u);
  EXPECT_TRUE(course.inputs[3].head_valid == 1 && course.inputs[3].pass == 0);
  EXPECT_TRUE(course.inputs[4].head_valid == 1 && course.inputs[4].head_bytes.at(0, 8) == 30);  // it stays
  EXPECT_TRUE(course.inputs[5].begin == 1 && course.inputs[5].pass == 0);
  EXPECT_EQ(course.inputs[6].pass, 1u);
  EXPECT_EQ(course.cycles, (std::vector<std::uint64_t>{0, 1, 1, 1, 1, 1, 1}));
}

TEST(PlayedRegulator, CountsAnswersThatAreNotTheRuns) {
  const auto course =
      play_on("hard", {{100}, {{1, RegulatorKind::kWaits, 0, 80}, {2, RegulatorKind::kPasses, 0, 120}}});
  EXPECT_EQ(course.played.answers, 2u);
  EXPECT_EQ(course.played.others, 2u);
}

TEST(PlayedRegulator, RefusesWhatTheDesignCannotHold) {
  const std::vector<RegulatorEvent> one{{1, RegulatorKind::kPasses, 0, 32}};
  EXPECT_THROW(play_on("hard", {{1024}, one}), InputError);
  EXPECT_THROW(play_on("hard", {{1, 2, 3, 4}, one}), InputError);
  EXPECT_THROW(play_on("hard", {{1}, {{1, RegulatorKind::kPasses, 3, 32}}}), InputError);
  EXPECT_THROW(play_on("hard", {{1}, {{1, RegulatorKind::kWaits, 0, 256}}}), InputError);
}

/// Takes whatever comes.
struct Sink final : Receiver<Access> {
  Sink() : Receiver(2000) {}  // as many as may come in 6000 cycles, one in five and a half
  void push(Cycle, Access&) override {}
};

// Random requests of four applications, of which three have budgets, with periods of two lengths where the policy allows it.
TEST(PlayedRegulator, AnswersAsThePlaceDidThatWasRecorded) {
  std::uint64_t waited = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    Regulation regulation{seed % 2 ? "reclaim" : "hard", {}, {{}}};
    for (ApplicationId a = 0; a < 3; ++a) {
      regulation.applications.push_back({a, seed % 2 || a ? Cycle{97} : Cycle{30}, true, a != 2});
      regulation.budgets[0].push_back(random() % 4 ? 50 + random() % 900 : 0);
    }
    RegulatorRecording recording{regulation.budgets[0], {}};
    Sink sink;
    RegulatedPlace place(regulation, 0, {&sink});
    place.decisions.watch([&](const RegulatorEvent& event) { recording.events.push_back(event); });
    std::deque<Access> accesses;
    for (Cycle at = 0; at < 6000; at += random() % (seed % 5 ? 12 : 400)) {
      Access& access = accesses.emplace_back();
      access.identity.application = static_cast<ApplicationId>(random() % 4);
      access.bytes = static_cast<std::uint16_t>(32 * (1 + random() % 4));
      access.write = random() % 2;
      place.input(0).push(at, access);
    }
    place.advance(40000);
    place.decisions.flush();
    if (recording.events.empty()) continue;
    const Played played = play_on(regulation.policy, recording).played;
    EXPECT_EQ(played.others, 0u) << seed;
    for (const RegulatorEvent& event : recording.events) waited += event.kind == RegulatorKind::kWaits;
  }
  EXPECT_GT(waited, 1000u);
}

}  // namespace
}  // namespace gputlm
