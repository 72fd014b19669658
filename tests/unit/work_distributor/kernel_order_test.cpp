/// MPMax and SRTF in a whole work distributor, with durations of blocks given by the test.
#include "models/work_distributor/kernel_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/work_distributor/kernel_order_runs.h"

namespace gputlm::test {
namespace {

TEST(MpMax, EachLeavesRoomForABlockOfTheOthersAndTakesItBack) {
  ShapeKernel a(300, 192), b(12, 384);  // alone, eight and four blocks fit on an SM
  DistributorHarness run(config_of("mpmax"), sm_config(), kSms, [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b});
  for (SmId sm = 0; sm < kSms; ++sm) {
    EXPECT_EQ(most_resident(run, 0, sm, 0, 100), 8u) << "alone";
    // Once the blocks from before have ended: (1536 - 384) / 192.
    EXPECT_LE(most_resident(run, 0, sm, 1100, last_dispatch(run, 1)), 6u);
    EXPECT_EQ(most_resident(run, 0, sm, last_dispatch(run, 1) + 1, 100000), 8u) << "alone again";
    EXPECT_GE(most_resident(run, 1, sm, 0, 100000), 1u);
  }
  EXPECT_GT(first_dispatch(run, 1), Cycle{1000}) << "blocks that run are not interrupted";
  EXPECT_LT(first_dispatch(run, 1), Cycle{1200});
}

TEST(MpMax, TheFirstComesFirstUpToItsLimit) {
  ShapeKernel a(60, 192), b(60, 192);
  DistributorHarness run(config_of("mpmax"), sm_config(), kSms, [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0);
  run.launch(b, 0);
  ASSERT_TRUE(run.run());
  for (SmId sm = 0; sm < kSms; ++sm) {
    EXPECT_EQ(most_resident(run, 0, sm, 0, 900), 7u);
    EXPECT_EQ(most_resident(run, 1, sm, 0, 900), 1u);
  }
}

TEST(MpMax, OfThreeKernelsTheLastIsNotKeptOutByTheSecond) {
  ShapeKernel a(200, 192), b(60, 192), c(12, 192);
  DistributorHarness run(config_of("mpmax"), sm_config(), kSms, [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0);
  run.launch(b, 100);
  run.launch(c, 200);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b, &c});
  const Cycle c_begins = first_dispatch(run, 2);
  EXPECT_LT(c_begins, Cycle{1200}) << "as soon as blocks from before it have ended";
  for (SmId sm = 0; sm < kSms; ++sm) {
    EXPECT_EQ(most_resident(run, 0, sm, 2000, last_dispatch(run, 2)), 6u);
    EXPECT_EQ(most_resident(run, 1, sm, 2000, last_dispatch(run, 2)), 1u);
    EXPECT_EQ(most_resident(run, 2, sm, 2000, last_dispatch(run, 2)), 1u);
  }
}

TEST(MpMax, KernelsOnOtherSmsTakeNoRoom) {
  ShapeKernel a(60, 192), b(60, 192);
  DistributorHarness run(config_of("mpmax"), sm_config(), kSms, [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0, SmSet(0b0011));
  run.launch(b, 0, SmSet(0b1100));
  ASSERT_TRUE(run.run());
  EXPECT_EQ(most_resident(run, 0, 0, 0, 900), 8u);
  EXPECT_EQ(most_resident(run, 1, 3, 0, 900), 8u);
}

TEST(MpMax, KernelsThatCannotShareAnSmStillRun) {
  ShapeKernel a(20, 1024), b(20, 1024), c(20, 1024);
  DistributorHarness run(config_of("mpmax"), sm_config(), kSms, [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0);
  run.launch(b, 0);
  run.launch(c, 0);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b, &c});
}

DistributorHarness srtf_run(DistributorHarness::Duration duration) {
  return {config_of("srtf"), sm_config(), kSms, std::move(duration)};
}

TEST(Srtf, SamplesTheNewcomerOnOneSmThenTheShorterGoesFirst) {
  ShapeKernel a(400, 192), b(64, 192);
  auto run = srtf_run([](KernelId kernel, std::uint32_t, SmId) { return kernel == 0 ? 5000 : 1000; });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b});
  // Sampling delay: b waits for blocks of a on SM 0; until one of its blocks has ended it is nowhere else, and there
  // alone.
  Cycle first_b = kNever, first_b_elsewhere = kNever, known = kNever;
  for (const Dispatch& d : run.dispatched) {
    if (d.kernel != 1) continue;
    first_b = std::min(first_b, d.at);
    if (d.sm != 0) first_b_elsewhere = std::min(first_b_elsewhere, d.at);
  }
  for (const Dispatch& d : run.heard) {
    if (d.kernel == 1) known = std::min(known, d.at + DistributorHarness::kHop);
  }
  EXPECT_GT(first_b, Cycle{5000});
  EXPECT_LT(first_b, Cycle{5200});
  EXPECT_GE(first_b_elsewhere, known);
  for (const Dispatch& d : run.dispatched) {
    if (d.kernel != 0) continue;
    // Hand-off: once b is known to be shorter, a gets no block until all of b are out.
    EXPECT_TRUE(d.at < known || d.at > end_of(run, 1) - 2000) << d.at;
    if (d.sm == 0) {
      EXPECT_TRUE(d.at < first_b || d.at > end_of(run, 1) - 1000) << d.at;
    }
  }
  EXPECT_LT(end_of(run, 1), Cycle{14000});
}

TEST(Srtf, TheSampledSmIsLeftToTheNewcomerThoughItsBlocksAreLarger) {
  ShapeKernel a(400, 192), b(8, 1536);
  auto run =
      srtf_run([](KernelId kernel, std::uint32_t block, SmId) { return kernel == 0 ? 1000 + block * 97 % 4000 : 900; });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  for (const Dispatch& d : run.dispatched) {
    if (d.kernel == 1) {
      EXPECT_LT(d.at, Cycle{5200}) << "as soon as the first blocks of a have ended";
      break;
    }
  }
}

TEST(Srtf, ALongerNewcomerIsSampledAndThenWaits) {
  ShapeKernel a(100, 192), b(400, 192);
  auto run = srtf_run([](KernelId kernel, std::uint32_t, SmId) { return kernel == 0 ? 1000 : 3000; });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  unsigned early = 0;
  Cycle last_a = 0;
  for (const Dispatch& d : run.dispatched) {
    if (d.kernel == 0) last_a = d.at;
  }
  for (const Dispatch& d : run.dispatched) {
    if (d.kernel != 1 || d.at >= last_a) continue;
    ++early;
    EXPECT_EQ(d.sm, 0u);
  }
  EXPECT_EQ(early, 8u) << "a full SM of it, until the first has ended";
}

TEST(Srtf, SwitchesBackWhenLaterBlocksDoMoreWork) {
  ShapeKernel a(600, 192), b(400, 192);
  // Only the blocks of b that are its sample are short.
  auto run = srtf_run([](KernelId kernel, std::uint32_t block, SmId) {
    if (kernel == 0) return 2000;
    return block < 8 ? 500 : 9000;
  });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b});
  EXPECT_LT(end_of(run, 0), end_of(run, 1));
  const auto sent_to = [&](SmId sm) {
    return std::count_if(run.dispatched.begin(), run.dispatched.end(), [&](const Dispatch& d) {
      return d.kernel == 1 && d.sm == sm && d.at < last_dispatch(run, 0);
    });
  };
  for (SmId sm = 1; sm < kSms; ++sm) {
    EXPECT_EQ(owners(run, sm), "abab") << "b as the copied prediction has it, a as its own has it, and what is left";
    EXPECT_LE(sent_to(sm), 8) << "until the first block of b has ended there";
  }
  EXPECT_EQ(owners(run, 0), "ab") << "the sampled SM has a t of its own from the sample, until a slice begins";
}

TEST(Srtf, SwitchesBackInANewSlice) {
  ShapeKernel a(600, 192), b(400, 192), c(1, 192);
  // The first blocks of b are short on all SMs; a launch and an end make a new slice, in which the longer ones show.
  auto run = srtf_run([](KernelId kernel, std::uint32_t block, SmId) {
    if (kernel == 0) return 2000;
    return kernel == 1 && block < 40 ? 500 : 9000;
  });
  run.launch(a, 0);
  run.launch(b, 100);
  run.launch(c, 9000);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b, &c});
  EXPECT_LT(end_of(run, 0), end_of(run, 1));
  for (SmId sm = 1; sm < kSms; ++sm) EXPECT_EQ(owners(run, sm).substr(0, 3), "aba");
}

TEST(Srtf, SeveralNewcomersAreSampledOneAfterTheOtherInOrderOfArrival) {
  ShapeKernel a(800, 192), b(100, 192), c(100, 192), d(100, 192);
  const Cycle durations[] = {4000, 3000, 1000, 2000};
  auto run = srtf_run([&](KernelId kernel, std::uint32_t, SmId) { return durations[kernel]; });
  run.launch(a, 0);
  run.launch(b, 100);
  run.launch(c, 200);
  run.launch(d, 300);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b, &c, &d});
  Cycle first[4] = {kNever, kNever, kNever, kNever}, known[4] = {kNever, kNever, kNever, kNever};
  for (const Dispatch& e : run.dispatched) first[e.kernel] = std::min(first[e.kernel], e.at);
  for (const Dispatch& e : run.heard) known[e.kernel] = std::min(known[e.kernel], e.at + DistributorHarness::kHop);
  EXPECT_GE(first[2], known[1]);
  EXPECT_GE(first[3], known[2]);
  EXPECT_LT(end_of(run, 2), end_of(run, 3));
  EXPECT_LT(end_of(run, 3), end_of(run, 1));
  EXPECT_LT(end_of(run, 1), end_of(run, 0));
}

TEST(Srtf, NothingIsLostWhateverArrives) {
  for (unsigned seed = 1; seed < 30; ++seed) {
    std::vector<std::unique_ptr<ShapeKernel>> kernels;
    std::vector<const ShapeKernel*> shapes;
    auto run = srtf_run([=](KernelId kernel, std::uint32_t block, SmId) {
      return 50 + (kernel * 977 + block * 131 + seed * 7919) % 3000;
    });
    for (unsigned k = 0; k < 1 + seed % 5; ++k) {
      kernels.push_back(std::make_unique<ShapeKernel>(1 + (seed * 37 + k * 91) % 150, 32 * (1 + (seed + k * 5) % 16)));
      shapes.push_back(kernels.back().get());
      run.launch(*kernels.back(), seed * k * 53, k % 2 ? SmSet(0b0111) : SmSet().set());
    }
    ASSERT_TRUE(run.run()) << seed;
    expect_all_blocks_once(run, shapes);
  }
}

/// Under every policy, each end of a block makes a prediction, from the events that the policy's decisions led to.
TEST(WorkDistributor, PredictsUnderEveryOrder) {
  for (const auto& policy : kernel_orders()) {
    ShapeKernel a(300, 192), b(75, 384);
    DistributorHarness run(config_of(policy.name), sm_config(), kSms, [](KernelId kernel, std::uint32_t block, SmId) {
      return kernel == 0 ? 1000 + block % 7 * 50 : 700;
    });
    run.core.predict();
    run.launch(a, 0, SmSet().set(), 10000);
    run.launch(b, 100, SmSet(0b0111), 4000);
    ASSERT_TRUE(run.run()) << policy.name;
    ASSERT_EQ(run.predictions.size(), 375u);
    std::map<std::pair<KernelId, SmId>, Prediction> last;
    unsigned slices = 0;
    for (std::size_t i = 0; i < run.predictions.size(); ++i) {
      const Prediction& p = run.predictions[i];
      ASSERT_EQ(p.kernel, run.heard[i].kernel);
      ASSERT_EQ(p.sm, run.heard[i].sm);
      ASSERT_GE(p.at, run.heard[i].at + DistributorHarness::kHop);
      const auto [before, is_first] = last.try_emplace({p.kernel, p.sm});
      EXPECT_EQ(p.done_blocks, before->second.done_blocks + 1) << policy.name;
      EXPECT_EQ(p.total_blocks, p.kernel == 0 ? 75u : 25u);
      EXPECT_TRUE(!is_first || p.first_of_slice);
      EXPECT_EQ(p.first_of_slice || before->second.t == p.t, true);
      slices += p.first_of_slice;
      before->second = p;
    }
    EXPECT_GT(slices, 7u) << policy.name << ": all begin again when the other ends";
    for (const auto& [where, p] : last) {
      const Cycle active = run.active.at(where.first)[where.second];
      EXPECT_TRUE(p.done_blocks < p.total_blocks || p.predicted == active) << policy.name;
    }
  }
}

TEST(WorkDistributor, PredictsOnlyForAPolicyThatNeedsIt) {
  for (const auto& policy : kernel_orders()) {
    ShapeKernel kernel(30, 192);
    DistributorHarness run(config_of(policy.name), sm_config(), kSms,
                           [](KernelId, std::uint32_t, SmId) { return 100; });
    run.launch(kernel, 0, SmSet().set(), 1000);
    ASSERT_TRUE(run.run()) << policy.name;
    const bool predicts = policy.has(Property::kNeedsPredictor);
    EXPECT_EQ(run.predictions.size(), predicts ? 30u : 0u) << policy.name;
    EXPECT_EQ(run.active.at(0).size(), predicts ? kSms : 0u) << policy.name;
  }
}

TEST(Srtf, CountsTheLaunchesThatItSamplesAndTheSmsThatChangeHands) {
  ShapeKernel a(300, 192), b(40, 192);
  DistributorHarness run(config_of("srtf"), sm_config(), kSms,
                         [](KernelId kernel, std::uint32_t, SmId) { return kernel == 0 ? 1000 : 100; });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  const PolicyRecord order = run.core.policies().records().at(1);  // behind the application policy
  EXPECT_EQ(order.policy, "srtf");
  EXPECT_EQ(order.counters.at(0).name, "samples");
  EXPECT_EQ(order.counters[0].value, 1u) << "the newcomer; the first one has nobody beside it";
  EXPECT_EQ(order.counters.at(1).value, 2u) << "the sampled SM, and back: the newcomer ends before blocks elsewhere do";
}

}  // namespace
}  // namespace gputlm::test
