#include "models/work_distributor/carveout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/work_distributor/work_distributor_harness.h"

namespace gputlm::test {
namespace {

constexpr Bytes kKiB = 1024;

SmLimits volta() {
  SmLimits sm;
  sm.threads = 2048;
  sm.warps = 64;
  sm.blocks = 32;
  sm.shared_memory = 96 * kKiB;
  sm.carveout = "cc70";
  return sm;
}

Bytes wanted(const ShapeKernel& kernel, CacheConfig config = CacheConfig::kAny,
             std::optional<unsigned> percent = std::nullopt) {
  KernelLaunch launch;
  launch.cache_config = config;
  launch.shared_percent = percent;
  const SmLimits sm = volta();
  return wanted_carveout(carveouts().at(sm.carveout).make, launch, block_demand(kernel, sm, {}), capacity(sm)) / kKiB;
}

TEST(Carveout, IsTheSmallestThatLetsAnSmHaveItsBlocks) {
  EXPECT_EQ(wanted(ShapeKernel(1, 256)), 0u);
  EXPECT_EQ(wanted(ShapeKernel(1, 1024, 0, 1 * kKiB)), 8u);     // two blocks of 1 KiB
  EXPECT_EQ(wanted(ShapeKernel(1, 1024, 0, 4 * kKiB)), 8u);     // two of 4 KiB
  EXPECT_EQ(wanted(ShapeKernel(1, 1024, 0, 5 * kKiB)), 16u);    // 10 KiB
  EXPECT_EQ(wanted(ShapeKernel(1, 64, 0, 1 * kKiB)), 32u);      // 32 blocks
  EXPECT_EQ(wanted(ShapeKernel(1, 64, 0, 16 * kKiB)), 96u);     // 512 KiB: as much as there is
  EXPECT_EQ(wanted(ShapeKernel(1, 1024, 40, 40 * kKiB)), 64u);  // registers leave room for one
}

TEST(Carveout, HintsAreHeededAsFarAsABlockHasRoom) {
  const ShapeKernel none(1, 1024), some(1, 1024, 0, 20 * kKiB);
  EXPECT_EQ(wanted(none, CacheConfig::kShared), 96u);
  EXPECT_EQ(wanted(none, CacheConfig::kL1), 0u);
  EXPECT_EQ(wanted(some, CacheConfig::kL1), 32u);
  EXPECT_EQ(wanted(none, CacheConfig::kEqual), 64u);
  EXPECT_EQ(wanted(none, CacheConfig::kAny, 0), 0u);
  EXPECT_EQ(wanted(none, CacheConfig::kAny, 10), 16u);  // 9.6 KiB
  EXPECT_EQ(wanted(none, CacheConfig::kAny, 100), 96u);
  EXPECT_EQ(wanted(some, CacheConfig::kShared, 0), 32u) << "a share goes before a preference";
}

TEST(Carveout, EveryListIsAscendingAndLeavesSomeL1) {
  for (const auto& sizes : carveouts()) {
    if (sizes.make.array == 0) continue;
    EXPECT_TRUE(std::is_sorted(sizes.make.shared.begin(), sizes.make.shared.end())) << sizes.name;
    EXPECT_LT(sizes.make.shared.back(), sizes.make.array) << sizes.name;
  }
}

/// What a block of a kernel is sent with, by kernel.
struct Divided {
  Cycle at;
  std::optional<Bytes> carveout;
};
Divided second_of(const ShapeKernel& first, const ShapeKernel& second, const SmLimits& sm) {
  DistributorHarness gpu({}, sm, 1, [](KernelId, std::uint32_t, SmId) { return Cycle{1000}; });
  ShapeKernel a = first, b = second;
  gpu.launch(a);
  gpu.launch(b);
  EXPECT_TRUE(gpu.run());
  const auto sent =
      std::find_if(gpu.dispatched.begin(), gpu.dispatched.end(), [](const Dispatch& d) { return d.kernel == 1; });
  return {sent->at, gpu.carveouts.at({1, 0})};
}

TEST(Carveout, ABlockThatNeedsMoreWaitsUntilTheSmIsEmptyAndDividesItAnew) {
  const Divided larger = second_of(ShapeKernel(1, 64), ShapeKernel(1, 64, 0, 1 * kKiB), volta());
  EXPECT_GT(larger.at, 1000u);
  EXPECT_EQ(larger.carveout, 32 * kKiB);
  const Divided smaller = second_of(ShapeKernel(1, 64, 0, 8 * kKiB), ShapeKernel(1, 64, 0, 1 * kKiB), volta());
  EXPECT_LT(smaller.at, 100u);
  EXPECT_EQ(smaller.carveout, 96 * kKiB) << "as the first one divided it";
}

TEST(Carveout, ChosenSizesAreArraysOfTheirOwn) {
  EXPECT_EQ(with_arrays(volta(), 128 * kKiB).carveout, "cc70");
  EXPECT_EQ(with_arrays(volta(), 64 * kKiB).carveout, "fixed");
  SmLimits less = volta();
  less.shared_memory = 64 * kKiB;
  EXPECT_EQ(with_arrays(less, 128 * kKiB).carveout, "fixed");
}

TEST(Carveout, ArraysOfTheirOwnAreNotDivided) {
  SmLimits sm = volta();
  sm.carveout = "fixed";
  const Divided second = second_of(ShapeKernel(1, 64), ShapeKernel(1, 64, 0, 96 * kKiB), sm);
  EXPECT_LT(second.at, 100u);
  EXPECT_EQ(second.carveout, std::nullopt);
}

}  // namespace
}  // namespace gputlm::test
