#include "models/work_distributor/carveout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

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

SmLimits orin() {
  SmLimits sm;
  sm.threads = 1536;
  sm.warps = 48;
  sm.blocks = 16;
  sm.shared_memory = 164 * kKiB;
  sm.driver_shared_memory = kKiB;
  sm.carveout = "cc80";
  return sm;
}

Bytes wanted(const SmLimits& sm, const ShapeKernel& kernel, const KernelLaunch& launch = {}) {
  return wanted_carveout(carveouts().at(sm.carveout).make, launch, block_demand(kernel, sm, {}), capacity(sm)) / kKiB;
}

Bytes wanted(const ShapeKernel& kernel, CacheConfig config = CacheConfig::kAny,
             std::optional<unsigned> percent = std::nullopt) {
  KernelLaunch launch;
  launch.cache_config = config;
  launch.shared_percent = percent;
  return wanted(volta(), kernel, launch);
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

/// What Nsight Compute reports of such kernels as their "Shared Memory Configuration Size": of blocks of 128 threads on an
/// Orin, of 256 and 1024 on GPUs of compute capability 8.6.
TEST(Carveout, HasRoomForWhatTheDriverTakesOfEachBlock) {
  EXPECT_EQ(wanted(orin(), ShapeKernel(1, 128)), 16u);  // twelve blocks
  EXPECT_EQ(wanted(orin(), ShapeKernel(1, 256)), 8u);   // six
  EXPECT_EQ(wanted(orin(), ShapeKernel(1, 1024)), 8u);  // one
  EXPECT_EQ(wanted(orin(), ShapeKernel(1, 32)), 16u);   // sixteen: no SM holds more
  EXPECT_EQ(wanted(orin(), ShapeKernel(1, 512, 0, 2 * kKiB)), 16u);
  const SmLimits sm = orin();
  EXPECT_TRUE(fits(block_demand(ShapeKernel(1, 64, 0, 163 * kKiB), sm, {}), capacity(sm)));
  EXPECT_FALSE(fits(block_demand(ShapeKernel(1, 64, 0, 164 * kKiB), sm, {}), capacity(sm)));
  EXPECT_FALSE(block_demand(ShapeKernel(1, 64), sm, {}).shared_memory_decides) << "it says nothing about the kernel";
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

/// Blocks of `first` threads, one on each of the first `busy` of 6 SMs, for 1000 cycles; after 100, six of `second`. Of each
/// SM when the first of the second kernel comes there.
std::map<SmId, Cycle> comes(const std::string& division, unsigned busy, std::uint32_t first, std::uint32_t second) {
  constexpr unsigned kSms = 6;
  WorkDistributorConfig config;
  config.placement = "round_robin";
  config.division = division;
  ShapeKernel a(busy, first), b(kSms, second);
  DistributorHarness gpu(config, orin(), kSms, [](KernelId, std::uint32_t, SmId) { return Cycle{1000}; });
  gpu.launch(a);
  gpu.launch(b, 100);
  EXPECT_TRUE(gpu.run());
  std::map<SmId, Cycle> at;
  for (const Dispatch& d : gpu.dispatched) {
    if (d.kernel == 1) at.emplace(d.sm, d.at);
  }
  return at;
}

TEST(Division, DecidesWhereAKernelThatWantsMoreSharedMemoryMayBegin) {
  for (unsigned busy = 1; busy <= 6; ++busy) {
    const auto at_once = [&](const std::string& division, std::uint32_t first, std::uint32_t second) {
      std::set<SmId> sms;
      for (const auto& [sm, at] : comes(division, busy, first, second)) {
        if (at < 1000) sms.insert(sm);
      }
      return sms;
    };
    std::set<SmId> all, free_sms, free_tpcs;
    for (SmId sm = 0; sm < 6; ++sm) {
      all.insert(sm);
      if (sm >= busy) free_sms.insert(sm);
      if (sm / 2 * 2 >= static_cast<int>(busy)) free_tpcs.insert(sm);
    }
    EXPECT_EQ(at_once("room", 256, 128), all);
    EXPECT_EQ(at_once("launch", 256, 128), free_sms) << busy;
    EXPECT_EQ(at_once("launch_tpc", 256, 128), free_tpcs) << busy;
    for (const char* division : {"launch", "launch_tpc"}) {
      EXPECT_EQ(at_once(division, 128, 256), all) << "with less it joins";
      EXPECT_EQ(at_once(division, 256, 256), all) << "as much";
    }
  }
}

TEST(Division, AnSmWithoutBlocksIsDividedAsItsTpc) {
  WorkDistributorConfig config;
  config.division = "launch_tpc";
  ShapeKernel a(1, 128), b(1, 256);
  DistributorHarness gpu(config, orin(), 2, [](KernelId, std::uint32_t, SmId) { return Cycle{1000}; });
  gpu.launch(a);
  gpu.launch(b, 100);
  ASSERT_TRUE(gpu.run());
  EXPECT_EQ(gpu.carveouts.at({1, 1}), 16 * kKiB);
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
