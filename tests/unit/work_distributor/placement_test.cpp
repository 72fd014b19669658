#include "models/work_distributor/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

#include "tests/unit/work_distributor/work_distributor_harness.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using test::ShapeKernel;
using testing::ElementsAre;

const SmSet kEverywhere = SmSet().set();

/// SMs on which only warps are scarce.
SmLimits sm_of_warps(unsigned warps) {
  SmLimits sm;
  sm.warps = warps;
  sm.threads = warps * 32;
  sm.blocks = 32;
  return sm;
}

/// A GPU whose blocks stay.
struct Gpu {
  Gpu(const std::string& policy, const std::string& order, unsigned sms, const SmLimits& config = sm_of_warps(64))
      : sm(config), placement(make_placement(policy, {sm_order(order, sms), {}, capacity(config)})),
        free(sms, capacity(sm)) {}

  BlockDemand demand(const Kernel& kernel) const { return block_demand(kernel, sm, distributor); }
  /// SMs of the kernel's blocks, as far as they fit.
  std::vector<SmId> place(const Kernel& kernel) {
    std::vector<SmId> where;
    for (std::uint64_t b = 0; b < kernel.blocks(); ++b) {
      const auto chosen = placement->choose(demand(kernel), free, kEverywhere);
      if (!chosen) break;
      placement->placed(*chosen);
      free[*chosen] -= demand(kernel).takes;
      where.push_back(*chosen);
    }
    return where;
  }
  void put(SmId on, const Kernel& kernel) { free[on] -= demand(kernel).takes; }

  SmLimits sm;
  WorkDistributorConfig distributor;
  std::unique_ptr<Placement> placement;
  std::vector<Resources> free;
};

TEST(Placement, UnknownNamesAreRefused) {
  EXPECT_THROW(make_placement("best_fit", {{0}}), InputError);
  EXPECT_THROW(sm_order("descending", 4), InputError);
  for (const auto& policy : placements()) EXPECT_NE(make_placement(policy.name, {{0}}), nullptr);
}

TEST(Placement, OrdersOfSms) {
  EXPECT_THAT(sm_order("ascending", 5), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(sm_order("evens_then_odds", 5), ElementsAre(0, 2, 4, 1, 3));
}

TEST(MostRoom, EqualKernelsFillEmptySmsFirst) {  // cuda-hierarchy, Figure 5, left
  Gpu xavier("most_room", "evens_then_odds", 8);
  EXPECT_THAT(xavier.place(ShapeKernel(4, 128)), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(xavier.place(ShapeKernel(4, 128)), ElementsAre(1, 3, 5, 7));
}

TEST(MostRoom, BlocksThatDoNotDivideTheSmShareItWithoutLoss) {  // cuda-hierarchy, Figure 5, right
  Gpu xavier("most_room", "evens_then_odds", 8);
  EXPECT_THAT(xavier.place(ShapeKernel(4, 128)), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(xavier.place(ShapeKernel(4, 160)), ElementsAre(0, 2, 4, 6));
}

TEST(MostRoom, TakesTheFirstSmOfThoseWithTheMostRoomWhateverDecides) {
  std::mt19937 random(7);
  const auto upto = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
  const std::vector<SmId> order = sm_order("evens_then_odds", 24);
  const Resources all{1024, 32, 16, 32768, 65536};
  const auto placement = make_placement("most_room", {order, {}, all});
  unsigned placed = 0;
  for (int i = 0; i < 20000; ++i) {
    BlockDemand demand;
    demand.takes = {1 + upto(127), 1 + upto(3), 1, 1 + upto(4095), 1 + upto(8191)};
    demand.registers_decide = upto(1);
    demand.shared_memory_decides = upto(1);
    std::vector<Resources> free;
    for (std::size_t sm = 0; sm < order.size(); ++sm) {
      const bool empty = upto(9) == 0;
      free.push_back(empty ? all : Resources{upto(1024), upto(32), upto(16), upto(32768), upto(65536)});
    }
    const SmSet allowed(random());
    std::optional<SmId> best;
    for (const SmId sm : order) {
      const unsigned most = best ? room(demand, free[*best]) : 0;
      if (allowed[sm] && room(demand, free[sm]) > most) best = sm;
    }
    ASSERT_EQ(placement->choose(demand, free, allowed), best) << i;
    placed += best ? 1 : 0;
  }
  EXPECT_GT(placed, 15000u);
}

TEST(MostRoom, OneWarpAndThreeWarpsShareAnSm) {
  Gpu xavier("most_room", "evens_then_odds", 8);
  EXPECT_THAT(xavier.place(ShapeKernel(1, 32)), ElementsAre(0));
  EXPECT_THAT(xavier.place(ShapeKernel(1, 96)), ElementsAre(0));
}

TEST(MostRoom, IdleSmsTakeBlocksUntilAllHaveTheSameRoom) {
  for (const unsigned threads : {64u, 128u}) {
    Gpu xavier("most_room", "evens_then_odds", 8);
    EXPECT_THAT(xavier.place(ShapeKernel(6, 512)), ElementsAre(0, 2, 4, 6, 1, 3));
    const auto where = xavier.place(ShapeKernel(16, threads));
    const std::size_t until_even = threads == 64 ? 16 : 8;
    for (std::size_t b = 0; b < until_even; ++b) EXPECT_EQ(where[b], b % 2 ? 7 : 5);
    if (threads == 128) {
      EXPECT_THAT(std::vector<SmId>(where.begin() + 8, where.end()), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
    }
  }
}

TEST(MostRoom, TiesGoToTheFirstSmOfTheGpusOrder) {
  for (const char* order : {"ascending", "evens_then_odds"}) {
    Gpu gpu("most_room", order, 7);
    EXPECT_EQ(gpu.place(ShapeKernel(7, 1024)), sm_order(order, 7));
  }
}

TEST(MostRoom, ThreadsRoundUpToWholeWarps) {
  Gpu gpu("most_room", "ascending", 1, sm_of_warps(32));
  EXPECT_EQ(gpu.demand(ShapeKernel(1, 33)).takes.warps, 2u);
  EXPECT_EQ(room(gpu.demand(ShapeKernel(1, 33)), gpu.free[0]), 16u);
  EXPECT_EQ(gpu.place(ShapeKernel(40, 33)).size(), 16u);
}

TEST(MostRoom, TheBlocksThatFollowFillTheRoomThatAnEndedBlockLeft) {  // most-room, section 4
  const auto y_on_pascal = [](std::uint32_t x_threads, std::uint32_t y_threads) {
    Gpu pascal("most_room", "ascending", 5);
    const ShapeKernel x(5, x_threads);
    EXPECT_THAT(pascal.place(x), ElementsAre(0, 1, 2, 3, 4));
    pascal.free[0] += pascal.demand(x).takes;
    return pascal.place(ShapeKernel(3, y_threads));
  };
  EXPECT_THAT(y_on_pascal(256, 160), ElementsAre(0, 0, 1));
  EXPECT_THAT(y_on_pascal(1024, 32), ElementsAre(0, 0, 1));
  EXPECT_THAT(y_on_pascal(1024, 33), ElementsAre(0, 0, 0));
}

TEST(MostRoom, SharedMemoryUpToTheThresholdDoesNotDecideButHolds) {
  SmLimits sm = sm_of_warps(64);
  sm.blocks = 64;
  Gpu gpu("most_room", "ascending", 2, sm);
  gpu.put(0, ShapeKernel(1, 32, 0, 60 * 1024));
  gpu.put(1, ShapeKernel(1, 64));
  // SM 0 has 63 warps and 4 KB, SM 1 has 62 warps and 64 KB.
  const auto choice = [&](Bytes shared) {
    return gpu.placement->choose(gpu.demand(ShapeKernel(1, 32, 0, shared)), gpu.free, kEverywhere);
  };
  EXPECT_EQ(choice(3072), SmId{0});
  EXPECT_EQ(choice(3073), SmId{1});
  EXPECT_EQ(gpu.demand(ShapeKernel(1, 32, 0, 3073)).takes.shared_memory, 3328u);
  EXPECT_THAT(gpu.place(ShapeKernel(2, 32, 0, 3072)), ElementsAre(0, 1));  // the second one does not fit beside it
}

TEST(MostRoom, RegistersUpToTheThresholdDoNotDecideButHold) {
  SmLimits sm = sm_of_warps(64);
  sm.blocks = 64;
  Gpu gpu("most_room", "ascending", 2, sm);
  gpu.put(0, ShapeKernel(1, 1024, 56));
  gpu.put(1, ShapeKernel(1, 1024));
  gpu.put(1, ShapeKernel(1, 32));
  // SM 0 has 32 warps and 8192 registers, SM 1 has 31 warps and 65536.
  const auto choice = [&](std::uint32_t registers) {
    return gpu.placement->choose(gpu.demand(ShapeKernel(1, 32, registers)), gpu.free, kEverywhere);
  };
  EXPECT_EQ(choice(32), SmId{0});
  EXPECT_EQ(choice(33), SmId{1});
  EXPECT_THAT(gpu.place(ShapeKernel(2, 256, 32)), ElementsAre(0, 1));
}

TEST(MostRoom, LooksOnlyAtTheSmsItMayUse) {
  Gpu gpu("most_room", "ascending", 4);
  SmSet allowed;
  EXPECT_EQ(gpu.placement->choose(gpu.demand(ShapeKernel(1, 32)), gpu.free, allowed), std::nullopt);
  allowed.set(2).set(3);
  EXPECT_EQ(gpu.placement->choose(gpu.demand(ShapeKernel(1, 32)), gpu.free, allowed), SmId{2});
}

/// Puts blocks on until a resource that decides runs out; nothing if the first does not fit.
unsigned brute_force_room(const BlockDemand& demand, Resources free) {
  if (!fits(demand, free)) return 0;
  const Resources& t = demand.takes;
  unsigned n = 0;
  for (; t.threads <= free.threads && t.warps <= free.warps && t.blocks <= free.blocks; ++n) {
    if (demand.registers_decide && t.registers > free.registers) break;
    if (demand.shared_memory_decides && t.shared_memory > free.shared_memory) break;
    free.threads -= t.threads, free.warps -= t.warps, free.blocks -= t.blocks;
    if (demand.registers_decide) free.registers -= t.registers;
    if (demand.shared_memory_decides) free.shared_memory -= t.shared_memory;
  }
  return n;
}

TEST(MostRoom, AgreesWithCountingOnRandomGpus) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const auto sms = static_cast<unsigned>(1 + random() % 12);
    const char* order = random() % 2 ? "ascending" : "evens_then_odds";
    Gpu gpu("most_room", order, sms);
    for (int step = 0; step < 30; ++step) {
      const ShapeKernel kernel(1, static_cast<std::uint32_t>(1 + random() % 1024),
                               static_cast<std::uint32_t>(random() % 65), random() % 2 ? 0 : random() % 20000);
      const BlockDemand demand = gpu.demand(kernel);
      std::optional<SmId> expected;
      unsigned most = 0;
      for (const SmId sm : sm_order(order, sms)) {
        const unsigned here = brute_force_room(demand, gpu.free[sm]);
        ASSERT_EQ(room(demand, gpu.free[sm]), here);
        if (here > most) most = here, expected = sm;
      }
      const auto chosen = gpu.placement->choose(demand, gpu.free, kEverywhere);
      ASSERT_EQ(chosen, expected);
      if (chosen) gpu.free[*chosen] -= demand.takes;
    }
  }
}

/// cuda-hierarchy, Definitions III.1 to III.3: whether a block of y warps goes to the SM that a block of x warps has
/// just gone to, over all block sizes and for SMs of mw warps, where nothing else is scarce.
class SameSm : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr unsigned kMaxBlock = 32;
  static constexpr unsigned kSms = 3;
  const unsigned mw_ = GetParam();

  static SmLimits config(unsigned warps) {
    SmLimits sm = sm_of_warps(warps);
    sm.blocks = warps;
    return sm;
  }
  static std::optional<SmId> choice(const Gpu& gpu, unsigned warps) {
    return gpu.placement->choose(gpu.demand(ShapeKernel(1, warps * 32)), gpu.free, kEverywhere);
  }
};

TEST_P(SameSm, OnAnIdleGpuIffEquation2Holds) {
  for (unsigned x = 1; x <= kMaxBlock; ++x) {
    for (unsigned y = 1; y <= kMaxBlock; ++y) {
      Gpu gpu("most_room", "ascending", kSms, config(mw_));
      const auto first = gpu.place(ShapeKernel(1, x * 32));
      ASSERT_THAT(first, ElementsAre(0));
      const bool equation = mw_ - x >= ((mw_ - y) / y + 1) * y;
      ASSERT_EQ(choice(gpu, y) == first[0], equation) << "x " << x << ", y " << y;
    }
  }
}

TEST_P(SameSm, OnEvenlyLoadedSmsIffEquation3Holds) {
  for (unsigned z = 1; z < mw_; ++z) {
    for (unsigned x = 1; x <= std::min(kMaxBlock, mw_ - z); ++x) {
      for (unsigned y = 1; y <= std::min(kMaxBlock, mw_ - z); ++y) {
        Gpu gpu("most_room", "ascending", kSms, config(mw_));
        for (Resources& free : gpu.free) free.warps -= z, free.threads -= z * 32, free.blocks -= 1;
        const auto first = gpu.place(ShapeKernel(1, x * 32));
        ASSERT_THAT(first, ElementsAre(0));
        const bool equation = mw_ - z - x >= ((mw_ - z - y) / y + 1) * y;
        ASSERT_EQ(choice(gpu, y) == first[0], equation) << "z " << z << ", x " << x << ", y " << y;
      }
    }
  }
}

TEST_P(SameSm, OnTheOnlySmThatWasIdleIffEquation4Holds) {
  for (unsigned z = 1; z <= mw_; ++z) {
    for (unsigned x = 1; x <= kMaxBlock; ++x) {
      for (unsigned y = 1; y <= kMaxBlock; ++y) {
        Gpu gpu("most_room", "ascending", kSms, config(mw_));
        for (unsigned sm = 0; sm + 1 < kSms; ++sm)
          gpu.free[sm].warps -= z, gpu.free[sm].threads -= z * 32, gpu.free[sm].blocks -= 1;
        gpu.put(kSms - 1, ShapeKernel(1, x * 32));
        const unsigned filled = (mw_ - x) / y * y;
        const bool equation = mw_ - z < filled && filled <= mw_ - x;
        ASSERT_EQ(choice(gpu, y) == SmId{kSms - 1}, equation) << "z' " << z << ", x " << x << ", y " << y;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(MostRoom, SameSm, testing::Values(32u, 64u), testing::PrintToStringParamName());

TEST(RoundRobin, TakesTheSmsInTheGpusOrderAndGoesOnWhereItStopped) {
  Gpu gpu("round_robin", "evens_then_odds", 5);
  EXPECT_THAT(gpu.place(ShapeKernel(3, 64)), ElementsAre(0, 2, 4));
  EXPECT_THAT(gpu.place(ShapeKernel(4, 512)), ElementsAre(1, 3, 0, 2));
}

TEST(RoundRobin, BeginsAgainWhenTheGpuWasIdle) {
  Gpu gpu("round_robin", "ascending", 5);
  EXPECT_THAT(gpu.place(ShapeKernel(3, 64)), ElementsAre(0, 1, 2));
  gpu.placement->idle();
  EXPECT_THAT(gpu.place(ShapeKernel(1, 64)), ElementsAre(0));
}

TEST(RoundRobin, PassesOverFullAndForbiddenSms) {
  Gpu gpu("round_robin", "ascending", 4);
  gpu.put(1, ShapeKernel(1, 1024));
  gpu.put(1, ShapeKernel(1, 1024));
  EXPECT_THAT(gpu.place(ShapeKernel(4, 32)), ElementsAre(0, 2, 3, 0));
  SmSet allowed;
  allowed.set(1).set(3);
  EXPECT_EQ(gpu.placement->choose(gpu.demand(ShapeKernel(1, 32)), gpu.free, allowed), SmId{3});
  EXPECT_EQ(gpu.placement->choose(gpu.demand(ShapeKernel(1, 32)), gpu.free, allowed.reset(3)), std::nullopt);
}

}  // namespace
}  // namespace gputlm
