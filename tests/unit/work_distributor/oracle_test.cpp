/// Kernel orders that know the runtimes, and fifo, in a whole work distributor.
#include "models/work_distributor/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/work_distributor/kernel_order_runs.h"
#include "tlm/base/error.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;

DistributorHarness run_of(const std::string& order, DistributorHarness::Duration duration) {
  return {config_of(order), sm_config(), kSms, std::move(duration)};
}

/// Kernels in the order of their first blocks.
std::vector<KernelId> beginnings(const DistributorHarness& run) {
  std::vector<KernelId> order;
  for (const Dispatch& d : run.dispatched) {
    if (std::find(order.begin(), order.end(), d.kernel) == order.end()) order.push_back(d.kernel);
  }
  return order;
}

TEST(Fifo, IsLeftoverByAnotherName) {
  const auto dispatched = [](const char* order) {
    ShapeKernel a(50, 192), b(7, 800), c(40, 32);
    auto run = run_of(order, [](KernelId kernel, std::uint32_t block, SmId) { return 100 + kernel * 77 + block % 9; });
    run.launch(a, 0);
    run.launch(b, 30);
    run.launch(c, 60);
    EXPECT_TRUE(run.run());
    return run.dispatched;
  };
  EXPECT_TRUE(dispatched("fifo") == dispatched("leftover"));
}

TEST(Oracles, AreTheOrdersThatRefuseALaunchWithoutAloneCycles) {
  for (const auto& policy : kernel_orders()) {
    const std::string name = policy.name;
    ShapeKernel kernel(3, 64);
    auto told = run_of(name, thousand);
    told.launch(kernel, 0, SmSet().set(), 5);
    EXPECT_TRUE(told.run()) << name;
    auto run = run_of(name, thousand);
    run.launch(kernel);
    try {
      EXPECT_TRUE(run.run()) << name;
      EXPECT_FALSE(policy.has(Property::kNeedsAloneCycles)) << name;
    } catch (const InputError& error) {
      EXPECT_TRUE(policy.has(Property::kNeedsAloneCycles)) << name;
      EXPECT_THAT(error.what(), testing::HasSubstr("launch 0 of kernel shape: found no alone_cycles")) << name;
    }
  }
}

/// Five kernels of which the first fills the GPU before the others come.
std::vector<KernelId> order_of(const char* policy) {
  ShapeKernel kernel(40, 192);
  auto run = run_of(policy, thousand);
  run.launch(kernel, 0, SmSet().set(), 9000);
  const Cycle alone[] = {500, 300, 800, 300};
  for (unsigned k = 0; k < 4; ++k) run.launch(kernel, 100 + k, SmSet().set(), alone[k]);
  EXPECT_TRUE(run.run());
  return beginnings(run);
}

TEST(Oracles, TheShortestOrTheLongestOfThoseThatHaveNotBegunIsNextTiesInOrderOfArrival) {
  EXPECT_THAT(order_of("fifo"), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(order_of("sjf"), ElementsAre(0, 2, 4, 1, 3));
  EXPECT_THAT(order_of("ljf"), ElementsAre(0, 3, 1, 2, 4));
}

TEST(Oracles, ShortestAndLongestJobFirstInterruptNobody) {
  for (const char* policy : {"sjf", "ljf"}) {
    ShapeKernel first(100, 192), second(10, 192);
    auto run = run_of(policy, thousand);
    run.launch(first, 0, SmSet().set(), 3000);
    run.launch(second, 100, SmSet().set(), *policy == 's' ? 1000 : 9000);
    ASSERT_TRUE(run.run());
    EXPECT_GT(first_dispatch(run, 1), last_dispatch(run, 0)) << policy;
  }
}

TEST(Oracles, NobodyPassesTheShortestThoughItsBlocksDoNotFit) {
  ShapeKernel running(6, 192), large(4, 1536), small(20, 32);
  auto run = run_of("sjf", thousand);
  run.launch(running, 0, SmSet().set(), 2000);
  run.launch(small, 10, SmSet(1), 9000);  // fills nothing
  run.launch(large, 10, SmSet().set(), 100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&running, &small, &large});
  EXPECT_EQ(owners(run, 1), "ac");
}

TEST(SrtfZeroSampling, TheShorterGetsEverySmAsItsBlocksEnd) {
  ShapeKernel a(400, 192), b(64, 192);
  auto run =
      run_of("srtf_zero_sampling", [](KernelId kernel, std::uint32_t, SmId) { return kernel == 0 ? 5000 : 1000; });
  run.launch(a, 0, SmSet().set(), 65000);
  run.launch(b, 100, SmSet().set(), 2100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b});
  EXPECT_EQ(last_dispatch(run, 1) / 1000, 6u) << "two waves: no sampling, only the hand-off";
  for (SmId sm = 0; sm < kSms; ++sm) EXPECT_EQ(owners(run, sm), "aba") << sm;
}

TEST(SrtfZeroSampling, WhatIsLeftIsTheShareOfTheBlocksThatHaveNotEnded) {
  // After half of a, 5000 of its 10000 cycles are left: less than the 6000 of b, more than the 4000 of c.
  ShapeKernel a(32 * 10, 192), b(64, 192), c(64, 192);
  auto run = run_of("srtf_zero_sampling", thousand);
  run.launch(a, 0, SmSet().set(), 10000);
  run.launch(b, 5500, SmSet().set(), 6000);
  run.launch(c, 5500, SmSet().set(), 4000);
  ASSERT_TRUE(run.run());
  EXPECT_GT(first_dispatch(run, 1), last_dispatch(run, 0));
  EXPECT_LT(last_dispatch(run, 2), last_dispatch(run, 0));
}

TEST(SrtfZeroSampling, OfEqualOnesTheFirstToArriveGoesFirst) {
  ShapeKernel kernel(64, 192);
  auto run = run_of("srtf_zero_sampling", thousand);
  for (unsigned k = 0; k < 3; ++k) run.launch(kernel, 0, SmSet().set(), 2000);
  ASSERT_TRUE(run.run());
  EXPECT_THAT(beginnings(run), ElementsAre(0, 1, 2));
  for (KernelId k = 1; k < 3; ++k) EXPECT_GE(first_dispatch(run, k), last_dispatch(run, k - 1));
}

TEST(SrtfZeroSampling, DoesNotOverflow) {
  ShapeKernel a(400, 192), b(40, 192);  // 100 of a to an SM: the product is beyond 64 bits
  auto run = run_of("srtf_zero_sampling", thousand);
  run.launch(a, 0, SmSet().set(), 9000000000000000000);
  run.launch(b, 100, SmSet().set(), 1000000000000000000);
  ASSERT_TRUE(run.run());
  EXPECT_LT(last_dispatch(run, 1), last_dispatch(run, 0));
}

}  // namespace
}  // namespace gputlm::test
