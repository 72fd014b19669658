#include "models/work_distributor/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "models/kernel/random.h"
#include "models/work_distributor/links.h"
#include "tests/unit/work_distributor/work_distributor_harness.h"
#include "tlm/base/error.h"

namespace gputlm::test {
namespace {

TEST(KernelOrder, UnknownNamesAreRefused) {
  const SlicingPredictor predictor(1);
  const KernelOrderSetup setup{1, {}, &predictor};
  EXPECT_THROW(make_kernel_order("random", setup), InputError);
  for (const auto& policy : kernel_orders()) EXPECT_NE(make_kernel_order(policy.name, setup), nullptr);
}

TEST(Leftover, OffersOnlyTheFirstKernelWithBlocksLeftAndAllSms) {
  const auto order = make_kernel_order("leftover", {1, {}});
  std::vector<KernelState> kernels(4);
  std::vector<Offer> offers;
  for (KernelState& kernel : kernels) kernel.blocks = 3;
  for (std::size_t head = 0; head < 4; ++head) {
    offers.clear();
    order->offers(kernels, offers);
    ASSERT_EQ(offers.size(), 1u);
    EXPECT_EQ(offers[0].kernel, head);
    EXPECT_TRUE(offers[0].sms.all());
    kernels[head].dispatched = 3;
  }
  offers.clear();
  order->offers(kernels, offers);
  EXPECT_TRUE(offers.empty());
}

SmSet sms(std::initializer_list<unsigned> ids) {
  SmSet set;
  for (const unsigned id : ids) set.set(id);
  return set;
}

TEST(Leftover, OffersEachKernelOnTheSmsThatNoEarlierOneWithBlocksLeftMayUse) {
  const auto order = make_kernel_order("leftover", {1, {}});
  std::vector<KernelState> kernels(4);
  for (KernelState& kernel : kernels) kernel.blocks = 1;
  kernels[0].sms = sms({0, 1});
  kernels[1].sms = sms({1, 2});
  kernels[2].sms = sms({2, 3});  // shares nothing with the first, but waits for the second where it does
  const auto offered = [&] {
    std::vector<Offer> offers;
    order->offers(kernels, offers);
    std::vector<std::pair<std::size_t, SmSet>> list;
    for (const Offer& offer : offers) list.emplace_back(offer.kernel, offer.sms);
    return list;
  };
  using List = std::vector<std::pair<std::size_t, SmSet>>;
  const SmSet rest = ~sms({0, 1, 2, 3});
  EXPECT_EQ(offered(), (List{{0, sms({0, 1})}, {1, sms({2})}, {2, sms({3})}, {3, rest}}));
  kernels[1].dispatched = 1;
  EXPECT_EQ(offered(), (List{{0, sms({0, 1})}, {2, sms({2, 3})}, {3, rest}}));
  kernels[0].dispatched = 1;
  EXPECT_EQ(offered(), (List{{2, sms({2, 3})}, {3, ~sms({2, 3})}}));
  kernels[1].dispatched = 0;
  kernels[1].sms = sms({2, 3});
  EXPECT_EQ(offered(), (List{{1, sms({2, 3})}, {3, ~sms({2, 3})}}));  // nothing is left for kernel 2
}

TEST(Leftover, OffersMoreUrgentKernelsFirstAndThoseOfALevelInOrderOfArrival) {
  const auto order = make_kernel_order("leftover", {1, {}});
  std::vector<KernelState> kernels(4);
  for (KernelState& kernel : kernels) kernel.blocks = 1;
  kernels[1].priority = kernels[3].priority = -1;
  for (const std::size_t head : {1, 3, 0, 2}) {
    std::vector<Offer> offers;
    order->offers(kernels, offers);
    ASSERT_EQ(offers.size(), 1u);
    EXPECT_EQ(offers[0].kernel, head);
    kernels[head].dispatched = 1;
  }
}

// Amert et al., RTSS 2017: K1 runs at the low priority when K2, high, comes at 0.5; when K3, high, comes at 2.5, all
// blocks of K2 have been dispatched, so K3 is the head of the high queue and the rest of K1 waits until 5.0.
TEST(Leftover, ALowPriorityKernelStarvesWhileMoreUrgentOnesHaveBlocksLeft) {
  DistributorHarness gpu({}, four_blocks(), 1, thousand);
  ShapeKernel low(8, 32), high(8, 32), later(8, 32);
  gpu.launch(low, 0);
  gpu.launch(high, 500, SmSet().set(), std::nullopt, -1);
  gpu.launch(later, 2500, SmSet().set(), std::nullopt, -1);
  ASSERT_TRUE(gpu.run());
  std::vector<KernelId> generations;
  std::vector<Cycle> begins;
  for (std::size_t i = 0; i < gpu.dispatched.size(); i += 4) {
    for (std::size_t j = i; j < i + 4; ++j) EXPECT_EQ(gpu.dispatched[j].kernel, gpu.dispatched[i].kernel);
    generations.push_back(gpu.dispatched[i].kernel);
    begins.push_back(gpu.dispatched[i].at);
  }
  // Blocks that run are not preempted: K1 keeps its places until 1.0.
  EXPECT_THAT(generations, testing::ElementsAre(0, 1, 1, 2, 2, 0));
  for (std::size_t i = 0; i < begins.size(); ++i) EXPECT_NEAR(begins[i], 1000.0 * i, 50.0 * i);
}

TEST(WorkDistributor, KernelsThatWantTheMemoryOfSmsDividedOtherwiseRunOneAfterTheOther) {
  const auto second_begins = [](CacheConfig first, CacheConfig second) {
    DistributorHarness gpu({}, four_blocks(), 1, thousand);
    ShapeKernel a(2, 32), b(2, 32);
    gpu.launch(a, 0, SmSet().set(), std::nullopt, 0, first);
    gpu.launch(b, 0, SmSet().set(), std::nullopt, 0, second);
    EXPECT_TRUE(gpu.run());
    return std::find_if(gpu.dispatched.begin(), gpu.dispatched.end(), [](const Dispatch& d) { return d.kernel == 1; })
        ->at;
  };
  EXPECT_GT(second_begins(CacheConfig::kShared, CacheConfig::kL1), 1000u);
  EXPECT_LT(second_begins(CacheConfig::kL1, CacheConfig::kL1), 10u);
  EXPECT_LT(second_begins(CacheConfig::kL1, CacheConfig::kAny), 10u);
  EXPECT_LT(second_begins(CacheConfig::kAny, CacheConfig::kEqual), 10u);
}

TEST(Leftover, AnUrgentKernelHoldsBackNobodyOnSmsThatItMayNotUse) {
  DistributorHarness gpu({}, four_blocks(), 2, thousand);
  ShapeKernel low(4, 32), high(8, 32);
  gpu.launch(high, 0, sms({0}), std::nullopt, -1);
  gpu.launch(low, 0, sms({1}));
  ASSERT_TRUE(gpu.run());
  EXPECT_THAT(gpu.ended, testing::ElementsAre(testing::Field(&KernelEnd::kernel, 1), testing::_));
}

TEST(WorkDistributor, SendsABlockEachIntervalFromTheKernelsArrivalOn) {
  for (const unsigned interval : {1u, 3u, 10u}) {
    WorkDistributorConfig config;
    config.dispatch_interval = interval;
    ShapeKernel kernel(9, 256);
    DistributorHarness gpu(config, {}, 3, hundred);
    gpu.launch(kernel, 50);
    ASSERT_TRUE(gpu.run());
    ASSERT_EQ(gpu.dispatched.size(), 9u);
    for (unsigned b = 0; b < 9; ++b)
      EXPECT_EQ(gpu.dispatched[b], (Dispatch{50 + b * interval, 0, b, static_cast<SmId>(b % 3)}));
    const Cycle last = 50 + 8 * interval;
    EXPECT_EQ(gpu.ended.at(0), (KernelEnd{last + kHop + 100 + kHop, 0, 50, 50 + kHop, last + kHop + 100, 9}));
    EXPECT_EQ(kernel.rewound, 1u);
  }
}

TEST(WorkDistributor, TheWayFromTheHostIsATimeWhateverTheClockUnlessItIsInCycles) {
  WorkDistributorConfig config;
  config.host_latency = 500;
  for (const double mhz : {1000.0, 1410.0, 1980.0}) EXPECT_EQ(host_hop(Clock::from_mhz(mhz), config), 500u);
  config.host_ns = 425;
  EXPECT_EQ(host_hop(Clock::from_mhz(1000), config), 425u);
  EXPECT_EQ(host_hop(Clock::from_mhz(1410), config), 600u) << "rounded up from 599.25";
  EXPECT_EQ(host_hop(Clock::from_mhz(1980), config), 842u);
  EXPECT_EQ(host_link(Clock::from_mhz(1000), config).latency, 425u * Clock::from_mhz(1000).period());
}

TEST(WorkDistributor, PreparesAKernelBeforeItsFirstBlockAndCompletesItAfterItsLast) {
  WorkDistributorConfig config;
  config.kernel_launch_latency = 700;
  config.kernel_completion_latency = 300;
  ShapeKernel first(1, 256), second(1, 256);
  DistributorHarness gpu(config, {}, 2, hundred);
  gpu.launch(first, 50);
  gpu.launch(second, 60);  // both are prepared at the same time
  ASSERT_TRUE(gpu.run());
  ASSERT_EQ(gpu.dispatched.size(), 2u);
  EXPECT_EQ(gpu.dispatched[0].at, 50u + 700);
  EXPECT_EQ(gpu.dispatched[1].at, 60u + 700);
  const Cycle start = 50 + 700 + kHop, end = start + 100;
  EXPECT_EQ(gpu.ended.at(0), (KernelEnd{end + kHop + 300, 0, 50, start, end, 1}));
  EXPECT_EQ(gpu.ended.at(1).at, gpu.ended.at(0).at + 10);
}

TEST(WorkDistributor, SendsAsManyBlocksAtOnceAsItsWidthEachToAnotherSm) {
  for (const char* placement : {"round_robin", "most_room"}) {
    for (unsigned width = 1; width <= 7; ++width) {
      for (const unsigned interval : {1u, 4u}) {
        constexpr unsigned kSms = 5, kBlocks = 19;
        WorkDistributorConfig config;
        config.placement = placement;
        config.dispatch_width = width;
        config.dispatch_interval = interval;
        ShapeKernel kernel(kBlocks, 64);
        DistributorHarness gpu(config, {}, kSms, hundred);
        gpu.launch(kernel, 50);
        ASSERT_TRUE(gpu.run());
        ASSERT_EQ(gpu.dispatched.size(), kBlocks);
        const unsigned at_once = std::min(width, kSms);
        for (unsigned b = 0; b < kBlocks; ++b) {
          EXPECT_EQ(gpu.dispatched[b], (Dispatch{50 + b / at_once * interval, 0, b, static_cast<SmId>(b % kSms)}))
              << placement << ", width " << width;
        }
      }
    }
  }
}

TEST(WorkDistributor, KernelsShareADispatch) {
  WorkDistributorConfig config;
  config.dispatch_width = 4;
  ShapeKernel first(3, 64), second(3, 64);
  DistributorHarness gpu(config, {}, 4, hundred);
  gpu.launch(first, 0);
  gpu.launch(second, 0);  // one launch arrives a cycle
  ASSERT_TRUE(gpu.run());
  std::vector<std::pair<Cycle, KernelId>> sent;
  for (const Dispatch& d : gpu.dispatched) sent.emplace_back(d.at, d.kernel);
  using List = std::vector<std::pair<Cycle, KernelId>>;
  EXPECT_EQ(sent, (List{{0, 0}, {0, 0}, {0, 0}, {1, 1}, {1, 1}, {1, 1}}));
  ShapeKernel odd(6, 64), rest(3, 64);
  DistributorHarness other(config, {}, 4, hundred);
  other.launch(odd, 0);
  other.launch(rest, 0);
  ASSERT_TRUE(other.run());
  sent.clear();
  for (const Dispatch& d : other.dispatched) sent.emplace_back(d.at, d.kernel);
  EXPECT_EQ(sent, (List{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 1}, {1, 1}, {2, 1}}));
}

TEST(WorkDistributor, MarksTheFirstBlockOfALaunchOnEachSm) {
  ShapeKernel kernel(9, 256);
  DistributorHarness gpu({}, {}, 3, hundred);
  gpu.launch(kernel);
  gpu.launch(kernel);
  ASSERT_TRUE(gpu.run());
  ASSERT_EQ(gpu.dispatched.size(), 18u);
  EXPECT_EQ(gpu.first_visits.size(), 6u);
  for (const auto& [where, times] : gpu.first_visits) EXPECT_EQ(times, 1u) << where.first << " on " << where.second;
}

TEST(WorkDistributor, FillsAFreedPlaceInTheCycleInWhichItHearsOfIt) {
  ShapeKernel kernel(3, 1024);
  DistributorHarness gpu({}, {}, 1, hundred);
  gpu.launch(kernel);
  ASSERT_TRUE(gpu.run());
  ASSERT_EQ(gpu.dispatched.size(), 3u);
  for (unsigned b = 0; b < 3; ++b) EXPECT_EQ(gpu.dispatched[b].at, b * (2 * kHop + 100));
}

TEST(WorkDistributor, NobodyPassesTheKernelAtTheHead) {
  ShapeKernel large(2, 768), small(4, 32);  // beside one block of the large kernel the small one's would fit
  DistributorHarness gpu({}, {}, 1, hundred);
  gpu.launch(large);
  gpu.launch(small);
  ASSERT_TRUE(gpu.run());
  ASSERT_EQ(gpu.dispatched.size(), 6u);
  EXPECT_EQ(gpu.dispatched[1].at, 2 * kHop + 100);
  EXPECT_EQ(gpu.dispatched[1].kernel, 0u);
  EXPECT_EQ(gpu.dispatched[2].at, 2 * kHop + 100 + 1);  // what is left, as soon as the head has no blocks any more
}

TEST(WorkDistributor, AKernelThatWaitsForItsSmsHoldsUpNobodyOnOthers) {
  ShapeKernel large(4, 1024), small(6, 512);
  DistributorHarness gpu({}, {}, 2, hundred);
  gpu.launch(large, 0, sms({0}));
  gpu.launch(small, 0, sms({1}));
  ASSERT_TRUE(gpu.run());
  std::vector<Cycle> at;
  for (const Dispatch& d : gpu.dispatched) {
    EXPECT_EQ(d.sm, d.kernel);
    if (d.kernel == 1) at.push_back(d.at);
  }
  EXPECT_THAT(at, testing::ElementsAre(1, 2, 141, 142, 281, 282));  // two at a time; the large kernel's go first
  EXPECT_EQ(gpu.ended[0].kernel, 1u);
}

TEST(WorkDistributor, OnSharedSmsTheFirstLaunchedGoesFirst) {
  ShapeKernel first(3, 1024), second(2, 1024), third(2, 1024);
  DistributorHarness gpu({}, {}, 3, hundred);
  gpu.launch(first, 0, sms({0}));
  gpu.launch(second, 0, sms({0, 1}));
  gpu.launch(third, 0, sms({1, 2}));
  ASSERT_TRUE(gpu.run());
  std::vector<std::pair<KernelId, SmId>> where;
  for (const Dispatch& d : gpu.dispatched) where.emplace_back(d.kernel, d.sm);
  // SM 0 is the first kernel's as long as it has blocks, SM 1 the second's; the third has SM 2 until the second is out.
  using List = std::vector<std::pair<KernelId, SmId>>;
  EXPECT_EQ(where, (List{{0, 0}, {1, 1}, {2, 2}, {0, 0}, {1, 1}, {2, 2}, {0, 0}}));
}

TEST(WorkDistributor, PlacesAKernelOnItsOwnSmsAsIfNobodyRanOnOthers) {
  for (const char* placement : {"round_robin", "most_room"}) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const auto placed = [&](bool alone) {
        WorkDistributorConfig config;
        config.placement = placement;
        std::vector<std::unique_ptr<ShapeKernel>> kernels;
        DistributorHarness gpu(config, {}, 8, [](KernelId, std::uint32_t, SmId) { return Cycle{10000}; });
        for (unsigned k = 0; k < 12; ++k) {
          const bool other = k % 2;
          kernels.push_back(std::make_unique<ShapeKernel>(1 + random_bits(seed, k, 0, 0, 0) % 5, 64));
          if (!other || !alone) gpu.launch(*kernels.back(), 3 * k, other ? sms({1, 3, 5}) : sms({0, 2, 4, 6, 7}));
        }
        EXPECT_TRUE(gpu.run());
        std::vector<SmId> list;
        for (const Dispatch& d : gpu.dispatched) {
          if (d.sm % 2 == 0 || d.sm == 7) list.push_back(d.sm);
        }
        return list;
      };
      ASSERT_EQ(placed(true), placed(false)) << placement << ", seed " << seed;
    }
  }
}

TEST(WorkDistributor, KnowsTheBlocksWhoseEndsItHasNotHeardOf) {
  ShapeKernel kernel(6, 1024);
  DistributorHarness gpu({}, {}, 2, hundred);
  gpu.launch(kernel);
  gpu.run([] { return Cycle{1}; }, 2 * kHop + 100 + 1);  // the first has ended, and what took its place has been sent
  const auto outstanding = gpu.core.outstanding();
  ASSERT_EQ(outstanding.size(), 2u);
  EXPECT_EQ(outstanding[0].kernel, outstanding[1].kernel);
  // The second block was sent a cycle after the first, and the third takes the place of that a round trip after its end.
  const std::set<Cycle> starts{outstanding[0].start.value(), outstanding[1].start.value()};
  EXPECT_THAT(starts, testing::ElementsAre(kHop + 1, 3 * kHop + 100));
  ASSERT_TRUE(gpu.run());
  EXPECT_TRUE(gpu.core.outstanding().empty());
}

TEST(WorkDistributor, DropsNothingWithMoreLaunchesThanFitInFlight) {
  WorkDistributorConfig config;
  config.kernels_in_flight = 8;
  std::vector<std::unique_ptr<ShapeKernel>> kernels;
  DistributorHarness gpu(config, {}, 4, [](KernelId id, std::uint32_t, SmId) { return 10 + mix(id) % 500; });
  for (unsigned k = 0; k < 300; ++k) {
    kernels.push_back(std::make_unique<ShapeKernel>(1 + k % 5, 32 + k * 3));
    gpu.launch(*kernels.back());
  }
  ASSERT_TRUE(gpu.run());
  std::set<KernelId> ended;
  for (const KernelEnd& kernel : gpu.ended) {
    EXPECT_TRUE(ended.insert(kernel.kernel).second);
    EXPECT_EQ(kernel.blocks, 1 + kernel.kernel % 5);
  }
  EXPECT_EQ(ended.size(), 300u);
  EXPECT_EQ(gpu.blocks_in_use(), 0u);
  EXPECT_TRUE(gpu.core.waiting().empty());
}

TEST(WorkDistributor, ReportsWhatIsInFlight) {
  ShapeKernel kernel(3, 1024);
  DistributorHarness gpu({}, {}, 1, [](KernelId, std::uint32_t, SmId) { return Cycle{1} << 40; });
  gpu.launch(kernel);
  EXPECT_FALSE(gpu.run(1000));
  ASSERT_EQ(gpu.core.waiting().size(), 1u);
  EXPECT_THAT(gpu.core.waiting()[0], testing::HasSubstr("1 of 3 blocks dispatched, 0 ended"));
}

TEST(WorkDistributor, RoundRobinBeginsAgainOnlyAfterAllKernelsHaveEnded) {
  WorkDistributorConfig config;
  config.placement = "round_robin";
  ShapeKernel kernel(3, 64);
  DistributorHarness gpu(config, {}, 4, hundred);
  gpu.launch(kernel, 0);
  gpu.launch(kernel, 50);    // the first one is running
  gpu.launch(kernel, 1000);  // idle
  ASSERT_TRUE(gpu.run());
  std::vector<SmId> sms;
  for (const Dispatch& dispatch : gpu.dispatched) sms.push_back(dispatch.sm);
  EXPECT_THAT(sms, testing::ElementsAre(0, 1, 2, 3, 0, 1, 0, 1, 2));
}

/// A random GPU with random kernels; the seed alone decides which.
struct RandomGpu {
  explicit RandomGpu(std::uint64_t seed) : random(seed) {
    sms = static_cast<unsigned>(1 + random() % 6);
    sm.warps = random() % 2 ? 32 : 64;
    sm.threads = sm.warps * 32;
    sm.blocks = static_cast<unsigned>(1 + random() % 16);
    config.placement = random() % 2 ? "most_room" : "round_robin";
    config.sm_order = random() % 2 ? "ascending" : "evens_then_odds";
    config.dispatch_interval = static_cast<unsigned>(1 + random() % 4);
    config.dispatch_width = static_cast<unsigned>(1 + random() % 4);
    config.kernels_in_flight = static_cast<unsigned>(1 + random() % 6);
    gpu = std::make_unique<DistributorHarness>(config, sm, sms, [](KernelId id, std::uint32_t block, SmId) {
      return 1 + random_bits(1, id, block, 0, 0) % 300;
    });
    const unsigned count = static_cast<unsigned>(1 + random() % 12);
    for (unsigned k = 0; k < count; ++k) {
      const auto registers = static_cast<std::uint32_t>(random() % 65);
      kernels.push_back(std::make_unique<ShapeKernel>(1 + random() % 40, 1 + random() % 1024, registers,
                                                      random() % 2 ? 0 : random() % 30000));
      gpu->launch(*kernels.back(), random() % 2000);
    }
  }
  std::mt19937_64 random;
  unsigned sms = 1;
  SmLimits sm;
  WorkDistributorConfig config;
  std::vector<std::unique_ptr<ShapeKernel>> kernels;
  std::unique_ptr<DistributorHarness> gpu;
};

TEST(WorkDistributor, NeverGivesAnSmMoreThanItHasAndKeepsTheOrderOfBlocks) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomGpu random(seed);
    ASSERT_TRUE(random.gpu->run()) << "seed " << seed;
    // What is on an SM from a block's dispatch to its end, in order of time; an end frees before a dispatch takes.
    std::map<std::tuple<Cycle, int, std::size_t>, std::pair<SmId, BlockDemand>> events;
    std::map<std::pair<KernelId, std::uint32_t>, Cycle> end_of;
    for (const Dispatch& end : random.gpu->heard) end_of[{end.kernel, end.block}] = end.at;
    std::pair<KernelId, std::uint32_t> last{0, 0};
    for (std::size_t i = 0; i < random.gpu->dispatched.size(); ++i) {
      const Dispatch& d = random.gpu->dispatched[i];
      const BlockDemand demand = block_demand(*random.kernels[d.kernel], random.sm, random.config);
      events[{d.at, 1, i}] = {d.sm, demand};
      events[{end_of.at({d.kernel, d.block}), 0, i}] = {d.sm, demand};
      const std::pair<KernelId, std::uint32_t> place{d.kernel, d.block};
      ASSERT_TRUE(i == 0 || last < place) << "seed " << seed;
      last = place;
    }
    std::vector<Resources> free(random.sms, capacity(random.sm));
    for (const auto& [when, what] : events) {
      if (std::get<1>(when) == 1) {
        ASSERT_TRUE(fits(what.second, free[what.first])) << "seed " << seed << ", cycle " << std::get<0>(when);
        free[what.first] -= what.second.takes;
      } else {
        free[what.first] += what.second.takes;
      }
    }
    for (const auto& kernel : random.kernels) ASSERT_EQ(kernel->asked.size(), kernel->blocks());
  }
}

TEST(WorkDistributor, DoesTheSameForEveryWindow) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomGpu widest(seed);
    ASSERT_TRUE(widest.gpu->run());
    std::mt19937_64 cuts(seed);
    const std::vector<std::function<Cycle()>> windows = {[] { return Cycle{1}; }, [] { return Cycle{4}; },
                                                         [&cuts] { return Cycle{1 + cuts() % kHop}; }};
    for (std::size_t w = 0; w < windows.size(); ++w) {
      RandomGpu other(seed);
      ASSERT_TRUE(other.gpu->run(windows[w]));
      ASSERT_TRUE(other.gpu->dispatched == widest.gpu->dispatched) << "seed " << seed << ", window " << w;
      ASSERT_TRUE(other.gpu->ended == widest.gpu->ended) << "seed " << seed << ", window " << w;
      ASSERT_TRUE(other.gpu->heard == widest.gpu->heard) << "seed " << seed << ", window " << w;
    }
  }
}

}  // namespace
}  // namespace gputlm::test
