// Decisions of a switch's output, played on the reference alone: in cycles of the hardware, each answer is the same.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "models/bit_words.h"
#include "models/noc/switch_core.h"
#include "testbench/kinds/flit_arbiter/reference.h"
#include "testbench/kinds/flit_arbiter/traffic.h"
#include "tests/unit/platform/played_course.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using FlitKind = FlitArbiterEvent::Kind;

constexpr FlitArbiterSize kFlitSize{90, 3, 6, 4, 6};

auto play_flits(const std::string& policy, const FlitArbiterRecording& recording) {
  return play(FlitArbiterReference(kFlitSize, policy), PlayedFlitArbiter(kFlitSize, recording));
}

TEST(PlayedFlitArbiter, ShowsHeadsFromTheirArrivalOnAndTakesOneACycle) {
  const FlitArbiterRecording recording{{1, 1, 1},
                                       {{20, FlitKind::kArrives, 70, 90, {18, 3, 2}},
                                        {21, FlitKind::kArrives, 5, 90, {20, 1, 0}},
                                        {23, FlitKind::kLeaves, 70, 90, {18, 3, 2}},
                                        {23, FlitKind::kArrives, 70, 90, {19, 1, 2}},
                                        {23, FlitKind::kLeaves, 70, 90, {19, 1, 2}},
                                        {900, FlitKind::kLeaves, 5, 90, {20, 1, 0}}}};
  const auto course = play_flits("oldest", recording);
  EXPECT_EQ(course.played.answers, 3u);
  EXPECT_EQ(course.played.others, 0u);
  EXPECT_EQ(course.played.cycles, 881u);
  const auto ages = [&](std::size_t cycle, unsigned input) { return course.inputs[cycle].head_age.at(input, 6); };
  EXPECT_FALSE(course.inputs[0].rst_n);
  EXPECT_EQ(numbers_of(course.inputs[1].head_valid), (std::vector<unsigned>{70}));
  EXPECT_EQ(ages(1, 70), 2u);
  EXPECT_EQ(numbers_of(course.inputs[2].head_valid), (std::vector<unsigned>{5, 70}));
  EXPECT_EQ(ages(3, 70), 4u);
  EXPECT_TRUE(!course.inputs[3].grant_ready && course.inputs[4].grant_ready && course.inputs[5].grant_ready);
  EXPECT_EQ(ages(4, 70), 5u);
  EXPECT_EQ(ages(5, 70), 4u);  // as it was in the cycle in which it left
  EXPECT_EQ(numbers_of(course.inputs[6].head_valid), (std::vector<unsigned>{5}));
  EXPECT_EQ(ages(6, 5), 5u);
  // Cycle by cycle until the age is as large as can be, and then at once.
  EXPECT_EQ(course.cycles[6], 1u);
  EXPECT_EQ(course.cycles[course.cycles.size() - 2], 900u - (20 + 63 + 1));
  EXPECT_EQ(ages(course.inputs.size() - 1, 5), 63u);
}

TEST(PlayedFlitArbiter, CountsAnswersThatAreNotTheRunsAndGoesOnAsTheRunDid) {
  const FlitArbiterRecording recording{{},
                                       {{5, FlitKind::kArrives, 0, 90, {1}},
                                        {5, FlitKind::kArrives, 1, 90, {0}},
                                        {5, FlitKind::kLeaves, 1, 90, {0}},
                                        {6, FlitKind::kLeaves, 0, 90, {1}}}};
  EXPECT_EQ(play_flits("oldest", recording).played.others, 0u);
  EXPECT_EQ(play_flits("round_robin", recording).played.others, 1u);
}

TEST(PlayedFlitArbiter, RefusesWhatTheDesignCannotHold) {
  const auto one = [](unsigned input, FlitHead head, unsigned weight = 1) {
    play_flits("round_robin", {{weight}, {{1, FlitKind::kArrives, static_cast<std::uint16_t>(input), 256, head}}});
  };
  EXPECT_NO_THROW(one(89, {0, 15, 2}, 63));
  EXPECT_THROW(one(90, {0, 15, 2}), InputError);
  EXPECT_THROW(one(89, {0, 16, 2}), InputError);
  EXPECT_THROW(one(89, {0, 15, 3}), InputError);
  EXPECT_THROW(one(89, {0, 15, 2}, 64), InputError);
}

/// Random packets of three applications for one of two outputs, in bursts.
struct RandomPackets {
  explicit RandomPackets(std::uint64_t seed) : random(seed) {
    inputs = seed % 3 ? static_cast<unsigned>(2 + random() % 6) : static_cast<unsigned>(60 + random() % 30);
    width = static_cast<unsigned>(1 + random() % 4);
    for (Cycle at = 100; at < 1500; at += random() % (seed % 5 ? 3 : 60)) {
      Access& access = packets.emplace_back();
      access.source = static_cast<std::uint16_t>(random() % inputs);
      access.slice = static_cast<std::uint16_t>(random() % 2);
      access.flits = static_cast<std::uint16_t>(1 + random() % 5);
      access.identity.application = static_cast<ApplicationId>(random() % 3);
      access.issued = at - random() % 90;
      arrivals.push_back(at);
    }
  }
  /// Cycle by cycle, or all at once; the inputs in the order in which their packets left.
  std::vector<unsigned> run(SwitchCore& core, Cycle window) {
    std::size_t next = 0;
    for (Cycle until = window; until < 5000 + window; until += window) {
      for (; next < packets.size() && arrivals[next] < until; ++next)
        core.input(packets[next].source).push(arrivals[next], packets[next]);
      core.advance(until);
    }
    std::vector<unsigned> order;
    for (const auto& departure : core.output(1).departures()) order.push_back(departure.item->source);
    return order;
  }
  std::unique_ptr<SwitchCore> make(const std::string& policy) {
    const auto route = [](const Access& access) { return unsigned{access.slice}; };
    auto core = std::make_unique<SwitchCore>(inputs, 2000, 2, width, 2000, route);
    if (policy != kRoundRobin)
      core->ask({policy, {{"oldest.age_bits", FieldValue(6u)}, {"weighted.weight_1", FieldValue(7u)}}});
    return core;
  }
  std::mt19937_64 random;
  unsigned inputs = 2, width = 1;
  std::deque<Access> packets;
  std::vector<Cycle> arrivals;
};

TEST(PlayedFlitArbiter, AnswersAsTheSwitchDidThatWasRecorded) {
  std::uint64_t answers = 0, contended = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string policy = std::vector<std::string>{kRoundRobin, "oldest", "weighted"}[seed % 3];
    RandomPackets random(seed);
    const std::vector<unsigned> alone = random.run(*random.make(policy), 5000);
    FlitArbiterRecording recording{{1, 7, 1}, {}};
    const auto core = random.make(policy);
    auto& tap = core->record(1);
    tap.watch([&](const FlitArbiterEvent& event) { recording.events.push_back(event); });
    EXPECT_EQ(random.run(*core, 1 + seed % 40), alone) << seed;
    tap.flush();
    const auto course = play_flits(policy, recording);
    EXPECT_EQ(course.played.others, 0u) << seed;
    EXPECT_EQ(course.played.answers, alone.size()) << seed;
    answers += course.played.answers;
    for (const FlitArbiterInputs& inputs : course.inputs)
      contended += inputs.grant_ready && numbers_of(inputs.head_valid).size() > 1;
    // A packet is shown from the cycle on in which it has come, or the one before it in its input has left.
    EXPECT_TRUE(std::is_sorted(recording.events.begin(), recording.events.end(), [](const auto& a, const auto& b) {
      return a.at < b.at;
    })) << seed;
  }
  EXPECT_GT(answers, 10000u);
  EXPECT_GT(contended, answers / 3);
}

}  // namespace
}  // namespace gputlm
