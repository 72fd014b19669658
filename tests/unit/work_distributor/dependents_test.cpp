/// Programmatic dependent launch in the work distributor: when a dependent kernel begins, and when its blocks hear of the end
/// of the kernel before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/unit/work_distributor/work_distributor_harness.h"

namespace gputlm {
namespace {

using test::DistributorHarness;
using test::kHop;
using test::ShapeKernel;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr unsigned kSms = 4;

/// Blocks of kernel 0 last as long as their number says, those of others 100 cycles.
Cycle longer_and_longer(KernelId kernel, std::uint32_t block, SmId) { return kernel == 0 ? 1000 * (block + 1) : 100; }

class Dependents : public testing::Test {
 protected:
  DistributorHarness& begin(const DistributorHarness::LetsGo& lets_go, const WorkDistributorConfig& config = {},
                            const DistributorHarness::Duration& duration = longer_and_longer) {
    harness_.emplace(config, test::four_blocks(), kSms, duration);
    harness_->allow_dependents(lets_go);
    return *harness_;
  }
  Cycle first_sent(KernelId kernel) const {
    Cycle first = kNever;
    for (const test::Dispatch& block : harness_->dispatched) {
      if (block.kernel == kernel) first = std::min(first, block.at);
    }
    return first;
  }
  Cycle sent(KernelId kernel, std::uint32_t number) const {
    for (const test::Dispatch& block : harness_->dispatched) {
      if (block.kernel == kernel && block.block == number) return block.at;
    }
    return kNever;
  }
  const test::KernelEnd& end_of(KernelId kernel) const {
    return *std::find_if(harness_->ended.begin(), harness_->ended.end(),
                         [=](const test::KernelEnd& k) { return k.kernel == kernel; });
  }
  std::optional<DistributorHarness> harness_;
};

TEST_F(Dependents, BeginWhenTheLastBlockHasLetThem) {
  // The second block is the last that does; the first has ended by then, which counts no second time.
  DistributorHarness& harness = begin([](KernelId kernel, std::uint32_t block) -> std::optional<Cycle> {
    if (kernel > 0) return std::nullopt;
    return block == 1 ? 1800 : 100 * (block + 1);
  });
  ShapeKernel first(4, 128), second(4, 128);
  harness.launch(first);
  harness.launch(second, 10);
  harness.last_is_after(0);
  ASSERT_TRUE(harness.run());
  EXPECT_GE(first_sent(1), sent(0, 1) + kHop + 1800 + kHop);
  EXPECT_LT(first_sent(1), sent(0, 1) + kHop + 1800 + kHop + 10);
  for (std::uint32_t b = 0; b < 4; ++b) EXPECT_TRUE((harness.waits_for_grid[{1, b}])) << b;
}

TEST_F(Dependents, BeginNotBeforeAllBlocksHaveBeenSent) {
  // Room for sixteen of eighteen; all let go at once.
  DistributorHarness& harness =
      begin([](KernelId kernel, std::uint32_t) { return kernel == 0 ? std::optional<Cycle>(0) : std::nullopt; }, {},
            [](KernelId, std::uint32_t, SmId) -> Cycle { return 500; });
  ShapeKernel first(18, 128), second(2, 128);
  harness.launch(first);
  harness.launch(second, 10);
  harness.last_is_after(0);
  ASSERT_TRUE(harness.run());
  EXPECT_GE(first_sent(1), sent(0, 17) + 2 * kHop);
  EXPECT_LT(first_sent(1), end_of(0).end);
}

TEST_F(Dependents, HearOfTheEndWhereTheirBlocksAreWhenItsWritesAreVisible) {
  WorkDistributorConfig config;
  config.kernel_completion_latency = 300;
  DistributorHarness& harness =
      begin([](KernelId kernel, std::uint32_t) { return kernel == 0 ? std::optional<Cycle>(0) : std::nullopt; }, config,
            [](KernelId kernel, std::uint32_t, SmId) -> Cycle { return kernel == 0 ? 1000 : 3000; });
  ShapeKernel first(4, 128), second(3, 128);
  harness.launch(first);
  harness.launch(second, 10);
  harness.last_is_after(0);
  ASSERT_TRUE(harness.run());
  std::vector<SmId> sms, told;
  for (const test::Dispatch& block : harness.dispatched) {
    if (block.kernel == 1) sms.push_back(block.sm);
  }
  for (const test::Dispatch& each : harness.told_of_end) {
    told.push_back(each.sm);
    EXPECT_EQ(each.kernel, 1u);
    EXPECT_EQ(each.at, end_of(0).at) << "when the host is told";
  }
  EXPECT_GE(end_of(0).at, end_of(0).end + 300);
  EXPECT_THAT(told, testing::UnorderedElementsAreArray(sms));
}

TEST_F(Dependents, BlocksThatAreSentAfterTheEndDoNotWait) {
  // Those of the second kernel fill the GPU, and the rest comes when the first has ended.
  DistributorHarness& harness =
      begin([](KernelId kernel, std::uint32_t) { return kernel == 0 ? std::optional<Cycle>(0) : std::nullopt; }, {},
            [](KernelId kernel, std::uint32_t, SmId) -> Cycle { return kernel == 0 ? 500 : 2000; });
  ShapeKernel first(4, 128), second(30, 128);
  harness.launch(first);
  harness.launch(second, 10);
  harness.last_is_after(0);
  ASSERT_TRUE(harness.run());
  std::size_t waiting = 0;
  for (std::uint32_t b = 0; b < 30; ++b) {
    const bool before = sent(1, b) <= end_of(0).at;
    EXPECT_EQ((harness.waits_for_grid[{1, b}]), before) << b;
    waiting += before;
  }
  EXPECT_GE(waiting, 12u);
  EXPECT_LT(waiting, 30u);
}

TEST_F(Dependents, OfAKernelThatHasEndedWaitForNothing) {
  DistributorHarness& harness = begin([](KernelId, std::uint32_t) { return std::nullopt; });
  ShapeKernel first(1, 128), second(2, 128);
  harness.launch(first);
  harness.launch(second, 5000);
  harness.last_is_after(0);
  ASSERT_TRUE(harness.run());
  EXPECT_LT(first_sent(1), 5000 + 2 * kHop);
  EXPECT_FALSE((harness.waits_for_grid[{1, 0}]));
  EXPECT_THAT(harness.told_of_end, IsEmpty());
}

TEST_F(Dependents, MayEndBeforeWhatTheyDependOn) {
  DistributorHarness& harness =
      begin([](KernelId kernel, std::uint32_t) { return kernel == 0 ? std::optional<Cycle>(0) : std::nullopt; });
  ShapeKernel first(4, 128), second(1, 128), third(1, 128);
  harness.launch(first);
  harness.launch(second, 10);
  harness.last_is_after(0);
  harness.launch(third, 20);
  harness.last_is_after(1);
  ASSERT_TRUE(harness.run());
  EXPECT_LT(end_of(1).end, end_of(0).end);
  EXPECT_GE(first_sent(2), end_of(1).end) << "nothing let it begin before";
  EXPECT_LT(first_sent(2), end_of(0).end) << "it depends on the second, not on the first";
  EXPECT_THAT(harness.core.waiting(), IsEmpty());
}

TEST_F(Dependents, OfADependentThatHasNotBegunWaitForIt) {
  // The second lets go as soon as it begins, but it begins late.
  DistributorHarness& harness =
      begin([](KernelId kernel, std::uint32_t) -> std::optional<Cycle> { return kernel == 0 ? 2000 : 0; }, {},
            [](KernelId, std::uint32_t, SmId) -> Cycle { return 4000; });
  ShapeKernel first(1, 128), second(1, 128), third(1, 128);
  harness.launch(first);
  harness.launch(second, 10);
  harness.last_is_after(0);
  harness.launch(third, 20);
  harness.last_is_after(1);
  ASSERT_TRUE(harness.run());
  EXPECT_GE(first_sent(1), sent(0, 0) + 2000);
  EXPECT_GE(first_sent(2), first_sent(1) + 2 * kHop);
  EXPECT_LT(first_sent(2), end_of(0).end);
}

}  // namespace
}  // namespace gputlm
