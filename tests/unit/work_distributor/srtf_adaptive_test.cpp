/// SRTF/Adaptive in a whole work distributor, with durations of blocks given by the test.
#include <gtest/gtest.h>

#include <memory>

#include "tests/unit/work_distributor/kernel_order_runs.h"

namespace gputlm::test {
namespace {

DistributorHarness adaptive_run_of(const std::string& order, DistributorHarness::Duration duration) {
  return {config_of(order), sm_config(), kSms, std::move(duration)};
}

/// Two kernels of blocks of 1000 cycles; the second comes when the first has filled the GPU.
std::unique_ptr<DistributorHarness> pair_run(const std::string& order, unsigned first, unsigned second,
                                             const SmSet& first_sms = SmSet().set(),
                                             const SmSet& second_sms = SmSet().set()) {
  ShapeKernel a(first, 192), b(second, 192);
  auto run = std::make_unique<DistributorHarness>(config_of(order), sm_config(), kSms,
                                                  [](KernelId, std::uint32_t, SmId) { return 1000; });
  run->launch(a, 0, first_sms);
  run->launch(b, 100, second_sms);
  EXPECT_TRUE(run->run());
  expect_all_blocks_once(*run, {&a, &b});
  return run;
}

TEST(SrtfAdaptive, IsSrtfWhileThatIsFair) {
  // Slowdowns of 1 and (T1 + T2) / T2.
  for (const auto& [first, second] : {std::pair{1600u, 128u}, {400u, 1000u}, {440u, 1000u}}) {
    EXPECT_TRUE(pair_run("srtf_adaptive", first, second)->dispatched == pair_run("srtf", first, second)->dispatched)
        << first << ", " << second;
  }
}

TEST(SrtfAdaptive, BeginsToShareOnlyWhenThatIsFairer) {
  // (T1 + T2) / T2 = 1.6 for the second; but with three of eight places from its beginning the first would take 2.7 times
  // as long. When a third of it is done, limiting the rest makes up for less than what the second gains.
  const auto made = pair_run("srtf_adaptive", 600, 1000);
  const DistributorHarness& run = *made;
  EXPECT_EQ(most_resident(run, 1, 1, 0, 5000), 0u);
  EXPECT_EQ(most_resident(run, 0, 1, 4000, 5000), 8u);
  EXPECT_EQ(most_resident(run, 1, 1, 8000, 20000), 5u);
  EXPECT_EQ(most_resident(run, 0, 1, 8000, 20000), 3u);
}

TEST(SrtfAdaptive, SharesWithTheFastestLimitedToThreeWhenOneWouldWaitTooLong) {
  ShapeKernel a(800, 192), b(960, 192);
  auto run = adaptive_run_of("srtf_adaptive", [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b});
  for (SmId sm = 0; sm < kSms; ++sm) {
    // Once the blocks from before b was known have ended.
    EXPECT_EQ(most_resident(run, 0, sm, 4500, last_dispatch(run, 1)), 3u) << sm;
    EXPECT_EQ(most_resident(run, 1, sm, 4500, last_dispatch(run, 1)), 5u) << sm;
  }
  EXPECT_EQ(most_resident(run, 0, 1, last_dispatch(run, 1) + 1100, 100000), 8u) << "the rest of it, alone";

  ShapeKernel c(800, 192), d(960, 192);
  auto srtf = adaptive_run_of("srtf", [](KernelId, std::uint32_t, SmId) { return 1000; });
  srtf.launch(c, 0);
  srtf.launch(d, 100);
  ASSERT_TRUE(srtf.run());
  const auto unfairness = [](const DistributorHarness& r) {  // alone 25000 and 30000
    const double first = static_cast<double>(end_of(r, 0)) / 25, second = static_cast<double>(end_of(r, 1)) / 30;
    return std::max(first, second) / std::min(first, second);
  };
  EXPECT_LT(unfairness(run), unfairness(srtf));
}

TEST(SrtfAdaptive, DoesNotLimitAKernelBesideWhichNobodyElseFits) {
  // (T1 + T2) / T2 = 1.8; three blocks of the first leave room for 768 threads.
  const auto dispatched = [](const char* order) {
    ShapeKernel a(600, 256), b(500, 800);
    auto run = adaptive_run_of(order, [](KernelId kernel, std::uint32_t, SmId) { return kernel == 0 ? 1000 : 250; });
    run.launch(a, 0);
    run.launch(b, 100);
    EXPECT_TRUE(run.run());
    return run.dispatched;
  };
  EXPECT_TRUE(dispatched("srtf_adaptive") == dispatched("srtf"));
}

TEST(SrtfAdaptive, GoesBackWhenSharingIsTheLessFair) {
  // While they share, blocks of both last much longer than predicted: the first, which came to share because that was
  // fairer to the second, has the larger slowdown in the end.
  ShapeKernel a(800, 192), b(1000, 192);
  auto run = adaptive_run_of("srtf_adaptive", [](KernelId kernel, std::uint32_t block, SmId) -> Cycle {
    if (kernel == 0) return block < 100 ? 1000 : 4000;
    return block < 60 ? 1000 : 20000;
  });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b});
  const Cycle end = last_dispatch(run, 0);
  EXPECT_EQ(most_resident(run, 0, 1, 5000, 40000), 3u);
  EXPECT_EQ(most_resident(run, 0, 1, 50000, end), 8u);
  for (const Dispatch& d : run.dispatched) {
    EXPECT_TRUE(d.kernel == 0 || d.at < 50000 || d.at > end) << d.at;
  }
}

TEST(SrtfAdaptive, KernelsOnOtherSmsAreNotComparedAndSharedSetsAreLeftAlone) {
  ShapeKernel a(400, 192), b(480, 192);
  auto run = adaptive_run_of("srtf_adaptive", [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0, SmSet(0b0011));
  run.launch(b, 0, SmSet(0b1100));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(most_resident(run, 0, 0, 0, 100000), 8u);
  EXPECT_EQ(most_resident(run, 1, 2, 3000, 100000), 8u);
  // Sets that overlap without being the same, and one kernel beside two that could share.
  const auto dispatched = [](const char* order) {
    return pair_run(order, 600, 720, SmSet(0b0111), SmSet(0b1110))->dispatched;
  };
  EXPECT_TRUE(dispatched("srtf_adaptive") == dispatched("srtf"));
  ShapeKernel e(600, 192), f(720, 192), g(2000, 192);
  auto three = adaptive_run_of("srtf_adaptive", [](KernelId, std::uint32_t, SmId) { return 1000; });
  three.launch(g, 0, SmSet(0b0001));
  three.launch(e, 50);
  three.launch(f, 100);
  ASSERT_TRUE(three.run());
  expect_all_blocks_once(three, {&g, &e, &f});
  EXPECT_EQ(most_resident(three, 1, 1, 5000, 10000), 8u);
  EXPECT_EQ(most_resident(three, 2, 1, 5000, 10000), 0u);
}

TEST(SrtfAdaptive, ThreeAndFourKernelsAreSampledInOrderOfArrivalAndAllEnd) {
  for (const unsigned count : {3u, 4u}) {
    for (const std::string order : {"srtf", "srtf_adaptive"}) {
      const Cycle durations[] = {1000, 900, 1100, 950};
      ShapeKernel kernel(400, 192);
      auto run = adaptive_run_of(order, [&](KernelId k, std::uint32_t, SmId) { return durations[k]; });
      std::vector<const ShapeKernel*> kernels;
      for (unsigned k = 0; k < count; ++k) {
        run.launch(kernel, 100 * k);
        kernels.push_back(&kernel);
      }
      ASSERT_TRUE(run.run()) << order;
      expect_all_blocks_once(run, kernels);
      for (KernelId k = 2; k < count; ++k) {
        Cycle known = kNever;  // the one before it
        for (const Dispatch& d : run.heard) {
          if (d.kernel == k - 1) known = std::min(known, d.at + DistributorHarness::kHop);
        }
        EXPECT_GE(first_dispatch(run, k), known) << order << ", kernel " << k;
      }
    }
  }
}

TEST(SrtfAdaptive, NothingIsLostWhateverArrives) {
  unsigned shared = 0;
  for (unsigned seed = 1; seed < 60; ++seed) {
    std::vector<std::unique_ptr<ShapeKernel>> kernels;
    std::vector<const ShapeKernel*> shapes;
    auto run = adaptive_run_of("srtf_adaptive", [=](KernelId kernel, std::uint32_t block, SmId) {
      return 50 + (kernel * 977 + block * 131 + seed * 7919) % 3000;
    });
    for (unsigned k = 0; k < 1 + seed % 5; ++k) {
      kernels.push_back(std::make_unique<ShapeKernel>(1 + (seed * 37 + k * 91) % 350, 32 * (1 + (seed + k * 5) % 16)));
      shapes.push_back(kernels.back().get());
      run.launch(*kernels.back(), seed * k * 53, k % 2 && seed % 3 == 0 ? SmSet(0b0111) : SmSet().set());
    }
    ASSERT_TRUE(run.run()) << seed;
    expect_all_blocks_once(run, shapes);
    auto srtf = adaptive_run_of("srtf", [=](KernelId kernel, std::uint32_t block, SmId) {
      return 50 + (kernel * 977 + block * 131 + seed * 7919) % 3000;
    });
    for (unsigned k = 0; k < 1 + seed % 5; ++k)
      srtf.launch(*kernels[k], seed * k * 53, k % 2 && seed % 3 == 0 ? SmSet(0b0111) : SmSet().set());
    ASSERT_TRUE(srtf.run()) << seed;
    shared += !(srtf.dispatched == run.dispatched);
  }
  EXPECT_GT(shared, 5u) << "runs in which kernels shared";
}

}  // namespace
}  // namespace gputlm::test
