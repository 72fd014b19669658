/// MPMax and SRTF, asked through a whole work distributor whose blocks last as long as the test says.
#include "models/work_distributor/kernel_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/work_distributor/work_distributor_harness.h"

namespace gputlm {
namespace {

using test::Dispatch;
using test::DistributorHarness;
using test::ShapeKernel;

constexpr unsigned kSms = 4;

WorkDistributorConfig config_of(const char* order) {
  WorkDistributorConfig config;
  config.kernel_order = order;
  return config;
}

SmConfig sm_config() {
  SmConfig sm;
  sm.threads = 1536;
  sm.warps = 48;
  sm.blocks = 8;
  return sm;
}

/// Most blocks of a kernel that were on an SM at once in [from, until), as the work distributor saw it.
unsigned most_resident(const DistributorHarness& run, KernelId kernel, SmId sm, Cycle from, Cycle until) {
  unsigned most = 0, now = 0;
  std::vector<std::pair<Cycle, int>> changes;
  for (const Dispatch& d : run.dispatched) {
    if (d.kernel == kernel && d.sm == sm) changes.emplace_back(d.at, 1);
  }
  for (const Dispatch& d : run.heard) {
    if (d.kernel == kernel && d.sm == sm) changes.emplace_back(d.at + DistributorHarness::kHop, -1);
  }
  std::sort(changes.begin(), changes.end());
  for (const auto& [at, change] : changes) {
    now += static_cast<unsigned>(change);
    if (at >= from && at < until) most = std::max(most, now);
  }
  return most;
}

void expect_all_blocks_once(const DistributorHarness& run, const std::vector<const ShapeKernel*>& kernels) {
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    std::vector<std::uint32_t> blocks;
    for (const Dispatch& d : run.dispatched) {
      if (d.kernel == k) blocks.push_back(d.block);
    }
    std::sort(blocks.begin(), blocks.end());
    ASSERT_EQ(blocks.size(), kernels[k]->grid.x);
    for (std::uint32_t b = 0; b < blocks.size(); ++b) ASSERT_EQ(blocks[b], b);
  }
}

TEST(MpMax, EachLeavesRoomForABlockOfTheOthersAndTakesItBack) {
  ShapeKernel a(300, 192), b(12, 384);  // alone, eight and four blocks fit on an SM
  DistributorHarness run(config_of("mpmax"), sm_config(), kSms, [](KernelId, std::uint32_t, SmId) { return 1000; });
  run.launch(a, 0);
  run.launch(b, 100);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b});
  const auto first_of = [&](KernelId kernel) {
    return std::find_if(run.dispatched.begin(), run.dispatched.end(),
                        [=](const Dispatch& d) { return d.kernel == kernel; })
        ->at;
  };
  const auto last_b =
      std::find_if(run.dispatched.rbegin(), run.dispatched.rend(), [](const Dispatch& d) { return d.kernel == 1; });
  for (SmId sm = 0; sm < kSms; ++sm) {
    EXPECT_EQ(most_resident(run, 0, sm, 0, 100), 8u) << "alone";
    // Once the blocks from before have ended: (1536 - 384) / 192.
    EXPECT_LE(most_resident(run, 0, sm, 1100, last_b->at), 6u);
    EXPECT_EQ(most_resident(run, 0, sm, last_b->at + 1, 100000), 8u) << "alone again";
    EXPECT_GE(most_resident(run, 1, sm, 0, 100000), 1u);
  }
  EXPECT_GT(first_of(1), Cycle{1000}) << "blocks that run are not interrupted";
  EXPECT_LT(first_of(1), Cycle{1200});
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

/// Runs under srtf; eight blocks of any of the kernels fill an SM.
DistributorHarness srtf_run(DistributorHarness::Duration duration) {
  return {config_of("srtf"), sm_config(), kSms, std::move(duration)};
}

Cycle end_of(const DistributorHarness& run, KernelId kernel) {
  return std::find_if(run.ended.begin(), run.ended.end(), [=](auto& end) { return end.kernel == kernel; })->end;
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
  // The first blocks of b are short; a launch and an end make a new slice, in which the longer ones show.
  auto run = srtf_run([](KernelId kernel, std::uint32_t block, SmId) {
    if (kernel == 0) return 2000;
    return kernel == 1 && block < 40 ? 500 : 9000;
  });
  ShapeKernel c(1, 192);
  run.launch(a, 0);
  run.launch(b, 100);
  run.launch(c, 9000);
  ASSERT_TRUE(run.run());
  expect_all_blocks_once(run, {&a, &b, &c});
  EXPECT_LT(end_of(run, 0), end_of(run, 1));
  // Three phases of SM 1: a, then b, then a again while b has blocks left.
  std::string owners;
  for (const Dispatch& d : run.dispatched) {
    if (d.sm != 1 || d.kernel == 2) continue;
    const char owner = d.kernel == 0 ? 'a' : 'b';
    if (owners.empty() || owners.back() != owner) owners += owner;
  }
  EXPECT_EQ(owners.substr(0, 3), "aba");
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

}  // namespace
}  // namespace gputlm
