// Decisions of a context's kernel order, played on the reference alone: in cycles of the hardware, each answer is the same.
#include <gtest/gtest.h>

#include <random>

#include "models/bit_words.h"
#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/kinds/kernel_order/traffic.h"
#include "tests/unit/platform/played_course.h"
#include "tests/unit/work_distributor/work_distributor_harness.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using OrderKind = KernelOrderEvent::Kind;

constexpr KernelOrderSize kOrderSize{8, 3};

auto play_order(const std::vector<KernelOrderEvent>& events) {
  return play(KernelOrderReference(kOrderSize, "leftover"), PlayedKernelOrder(kOrderSize, events));
}

TEST(PlayedKernelOrder, SendsABlockACycleAndKeepsShowingWhatHasBlocksLeft) {
  const auto course = play_order({{5, OrderKind::kComes, 0, 1},
                                  {5, OrderKind::kComes, 1, -2},
                                  {6, OrderKind::kSends, 1, 0, {0, 1}},
                                  {6, OrderKind::kSendsLast, 1, 0, {0, 1}},
                                  {20, OrderKind::kEnds, 1},
                                  {20, OrderKind::kSendsLast, 0, 0, {0}}});
  EXPECT_EQ(course.played.answers, 3u);
  EXPECT_EQ(course.played.others, 0u);
  ASSERT_EQ(course.inputs.size(), 8u);  // reset, two kernels, two blocks, nothing, an end, a block
  EXPECT_TRUE(course.inputs[1].event_valid && course.inputs[1].event_enter && course.inputs[1].event_level == 5);
  EXPECT_EQ(course.inputs[2].event_level, 2u);
  EXPECT_FALSE(course.inputs[3].event_valid);
  EXPECT_EQ(course.expected[4], 1u);
  EXPECT_EQ(numbers_of(course.inputs[5].pending), (std::vector<unsigned>{0}));  // 1 has none left
  EXPECT_EQ(course.expected[5], 0u);
  EXPECT_TRUE(course.inputs[6].event_valid && !course.inputs[6].event_enter);
}

TEST(PlayedKernelOrder, CountsAnswersThatAreNotTheRuns) {
  const std::vector<KernelOrderEvent> events{
      {1, OrderKind::kComes, 3, 0}, {2, OrderKind::kComes, 1, 0}, {9, OrderKind::kSends, 1, 0, {1, 3}}};
  const Played played = play_order(events).played;
  EXPECT_EQ(played.answers, 1u);
  EXPECT_EQ(played.others, 1u);
}

TEST(PlayedKernelOrder, RefusesWhatTheDesignCannotHold) {
  EXPECT_THROW(play_order({{1, OrderKind::kComes, 8, 0}}), InputError);
  EXPECT_THROW(play_order({{1, OrderKind::kComes, 0, 4}}), InputError);
  EXPECT_THROW(play_order({{1, OrderKind::kComes, 0, -5}}), InputError);
  EXPECT_NO_THROW(play_order({{1, OrderKind::kComes, 7, -4}, {2, OrderKind::kComes, 6, 3}}));
}

// Random kernels with priorities, each on all SMs, on some, or on none that another may use.
TEST(PlayedKernelOrder, AnswersAsTheContextDidThatWasRecorded) {
  std::uint64_t sent = 0, chosen = 0, passed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    WorkDistributorConfig config;
    config.kernels_in_flight = static_cast<unsigned>(1 + random() % 8);
    config.dispatch_width = static_cast<unsigned>(1 + random() % 4);
    SmLimits sm;
    sm.blocks = static_cast<unsigned>(1 + random() % 6);
    test::DistributorHarness gpu(config, sm, 4, [](KernelId id, std::uint32_t block, SmId on) {
      return 1 + (id * 977u + block * 331u + on * 57u) % 300;
    });
    std::vector<KernelOrderEvent> events;
    std::vector<std::optional<KernelId>> numbers(config.kernels_in_flight);
    const auto number = [&](KernelId id) {
      return static_cast<KernelId>(std::find(numbers.begin(), numbers.end(), id) - numbers.begin());
    };
    auto& tap = gpu.core.record_order(0);
    tap.watch([&](KernelOrderEvent event) {
      const KernelId id = event.kernel;
      if (event.kind == OrderKind::kComes) *std::find(numbers.begin(), numbers.end(), std::nullopt) = id;
      event.kernel = number(id);
      for (KernelId& pending : event.pending) pending = number(pending);
      if (event.kind == OrderKind::kEnds) numbers[event.kernel].reset();
      events.push_back(std::move(event));
    });
    std::vector<std::unique_ptr<test::ShapeKernel>> kernels;
    for (unsigned k = 0; k < 12; ++k) {
      kernels.push_back(std::make_unique<test::ShapeKernel>(1 + random() % 20, 32 * (1 + random() % 8)));
      SmSet sms = SmSet().set();
      if (seed % 2) sms = SmSet(1 + random() % 15);
      gpu.launch(*kernels.back(), random() % 2000, sms, std::nullopt, static_cast<int>(random() % 4) - 2);
    }
    ASSERT_TRUE(gpu.run()) << seed;
    tap.flush();
    const auto course = play_order(events);
    EXPECT_EQ(course.played.others, 0u) << seed;
    std::uint64_t blocks = 0;
    for (const auto& kernel : kernels) blocks += kernel->blocks();
    EXPECT_EQ(course.played.answers, blocks) << seed;
    sent += blocks;
    for (const KernelOrderEvent& event : events) {
      chosen += event.pending.size() > 1;
      passed += !event.pending.empty() && event.kernel != event.pending.front();
    }
  }
  EXPECT_GT(chosen, sent / 3);
  EXPECT_GT(passed, 100u);
}

}  // namespace
}  // namespace gputlm
