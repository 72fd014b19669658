/// Clusters in the work distributor, with blocks that run for a given time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "models/work_distributor/cluster_placement.h"
#include "models/work_distributor/gpcs.h"
#include "models/work_distributor/kernel_order.h"
#include "tests/unit/work_distributor/work_distributor_harness.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using test::DistributorHarness;
using test::ShapeKernel;
using testing::ElementsAre;

ShapeKernel clustered(Dim3 grid, Dim3 cluster, std::uint32_t threads = 128) {
  ShapeKernel kernel(1, threads);
  kernel.grid = grid;
  kernel.cluster = cluster;
  return kernel;
}

/// One block of 1024 threads on an SM.
SmLimits one_block() {
  SmLimits sm;
  sm.blocks = 1;
  return sm;
}

std::vector<unsigned> gpc_of_sms(const std::vector<unsigned>& sms_of_gpcs) {
  std::vector<unsigned> gpc_of;
  for (unsigned gpc = 0; gpc < sms_of_gpcs.size(); ++gpc) gpc_of.insert(gpc_of.end(), sms_of_gpcs[gpc], gpc);
  return gpc_of;
}

TEST(ClusterOrder, BlocksOfAClusterComeByRank) {
  const ShapeKernel kernel = clustered({4, 4, 2}, {2, 2, 1});
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t place = 0; place < 10; ++place) blocks.push_back(kernel.block_at(place));
  EXPECT_THAT(blocks, ElementsAre(0, 1, 4, 5, 2, 3, 6, 7, 8, 9));
  EXPECT_EQ(kernel.block_at(16), 16u);
  EXPECT_EQ(clustered({4, 4, 2}, {1, 1, 2}).block_at(1), 16u);
}

TEST(ClusterOrder, EveryBlockIsThereOnce) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n + 1); };
    const Dim3 cluster{below(4), below(3), below(3)};
    const ShapeKernel kernel = clustered({cluster.x * below(4), cluster.y * below(4), cluster.z * below(3)}, cluster);
    std::set<std::uint64_t> blocks;
    for (std::uint64_t place = 0; place < kernel.blocks(); ++place) blocks.insert(kernel.block_at(place));
    EXPECT_EQ(blocks.size(), kernel.blocks());
    EXPECT_EQ(*blocks.rbegin(), kernel.blocks() - 1);
  }
}

TEST(ResidentClusters, ThatGpcsHoldTogether) {
  const std::vector<SmSet> gpcs = gpc_sets({16, 18, 14});
  EXPECT_EQ(resident_clusters(8, 1, gpcs, all_sms(48)), 2u + 2u + 1u);
  EXPECT_EQ(resident_clusters(16, 1, gpcs, all_sms(48)), 2u);
  EXPECT_EQ(resident_clusters(4, 2, gpcs, all_sms(48)), 8u + 9u + 7u);
  EXPECT_EQ(resident_clusters(8, 1, gpcs, all_sms(20)), 2u);
  EXPECT_EQ(least_residency(16, gpc_sets({4, 6}), all_sms(10)), 3u);
  EXPECT_EQ(least_residency(16, gpc_sets({4, 6}), all_sms(4)), 4u);
}

TEST(ClusterPlacement, Policies) {
  const std::vector<GpcRoom> gpcs{{0, 2, 5, 2, 1}, {2, 3, 6, 2, 2}, {5, 1, 2, 2, 0}, {6, 3, 7, 2, 1}};
  const auto chosen = [&](const std::string& policy) { return make_cluster_placement(policy, {8})->choose(gpcs); };
  EXPECT_EQ(chosen("most_room"), 3u);
  EXPECT_EQ(chosen("least_room"), 2u);
  EXPECT_EQ(chosen("most_idle"), 1u);
  EXPECT_EQ(make_cluster_placement("most_idle", {8})->choose({{3, 4, 8, 3, 1}, {4, 5, 9, 3, 2}}), 0u)
      << "none has three";
  const auto turns = make_cluster_placement("round_robin", {8});
  EXPECT_EQ(turns->choose(gpcs), 0u);
  turns->placed(2);
  EXPECT_EQ(turns->choose(gpcs), 2u);
  turns->placed(6);
  EXPECT_EQ(turns->choose(gpcs), 0u);
  EXPECT_THROW(make_cluster_placement("nearest", {8}), InputError);
}

TEST(Clusters, MostRoomSpreadsThemOverGpcsAndTheirBlocksOverSms) {
  DistributorHarness harness({}, test::four_blocks(), 8, test::thousand, {}, {4, 4});
  ShapeKernel kernel = clustered({6}, {2});
  harness.launch(kernel);
  ASSERT_TRUE(harness.run());
  std::vector<SmId> sms;
  for (const test::Dispatch& block : harness.dispatched) sms.push_back(block.sm);
  EXPECT_THAT(sms, ElementsAre(0, 1, 4, 5, 2, 3));
}

TEST(Clusters, WaitUntilAGpcHasRoomForAllBlocks) {
  const auto duration = [](KernelId kernel, std::uint32_t block, SmId) -> Cycle {
    return kernel == 0 ? 1000 * (block + 1) : 100;
  };
  DistributorHarness harness({}, one_block(), 4, duration, {}, {2, 2});
  ShapeKernel first(4, 128), second = clustered({2}, {2});
  harness.launch(first);
  harness.launch(second);
  ASSERT_TRUE(harness.run());
  EXPECT_EQ(harness.dispatched[4].sm, 0);
  EXPECT_EQ(harness.dispatched[5].sm, 1);
  EXPECT_GE(harness.dispatched[4].at, 2000u) << "SM 0 is free after 1000 cycles, SM 1 after 2000";
  EXPECT_LT(harness.dispatched[5].at, 2100u);
}

TEST(Clusters, AreNoneOnAGpuWithout) {
  WorkDistributorConfig config;
  config.cluster_blocks = config.non_portable_cluster_blocks = 1;
  DistributorHarness harness(config, one_block(), 3, test::hundred, {}, {1, 1, 1});
  ShapeKernel kernel = clustered({4}, {2});
  harness.launch(kernel);
  ASSERT_TRUE(harness.run());
  EXPECT_EQ(harness.dispatched[1].sm, 1);
}

/// An empty SM has all memory free, but its first block divides it.
TEST(Clusters, SeeAnEmptySmAsTheirFirstBlockDividesIt) {
  SmLimits sm;
  sm.carveout = "cc90";
  sm.shared_memory = 233472;
  DistributorHarness harness({}, sm, 4, test::hundred, {}, {2, 2});
  ShapeKernel kernel = clustered({4}, {4});
  kernel.shared_memory = 32 * 1024;
  harness.launch(kernel, 0, SmSet().set(), std::nullopt, 0, CacheConfig::kL1);  // a block an SM: never fits
  EXPECT_FALSE(harness.run(20000));
  EXPECT_TRUE(harness.dispatched.empty());
}

struct Shares {
  explicit Shares(std::size_t count) { applications.shares.resize(count); }
  Applications applications;
};

WorkDistributorConfig together() {
  WorkDistributorConfig config;
  config.application = "partitioned";
  return config;
}

/// Blocks of one application take every place that becomes free; clusters of another one need eight at once.
Cycle end_beside_single_blocks(bool keeps, KernelId which) {
  WorkDistributorConfig config = together();
  config.clusters_keep_gpc = keeps;
  const auto duration = [](KernelId, std::uint32_t block, SmId) -> Cycle { return 300 + 37 * (block % 11); };
  DistributorHarness harness(config, one_block(), 16, duration, Shares(2).applications, {8, 8});
  ShapeKernel single(3000, 128), clusters = clustered({80}, {8});
  harness.launch_of(0, single);
  harness.launch_of(1, clusters, 100);
  EXPECT_TRUE(harness.run());
  for (const test::KernelEnd& kernel : harness.ended) {
    if (kernel.kernel == which) return kernel.at;
  }
  return 0;
}

TEST(Clusters, DoNotStarveBesideSingleBlocks) {
  EXPECT_LT(end_beside_single_blocks(true, 1), end_beside_single_blocks(true, 0) / 2);
  EXPECT_GT(end_beside_single_blocks(false, 1), end_beside_single_blocks(false, 0)) << "nothing keeps places for them";
}

TEST(Clusters, DoNotStarveSingleBlocks) {
  DistributorHarness harness(together(), one_block(), 8, test::hundred, Shares(3).applications, {8});
  ShapeKernel first = clustered({4000}, {8}), second = clustered({4000}, {8}), single(40, 128);
  harness.launch_of(0, first);
  harness.launch_of(1, second);
  harness.launch_of(2, single, 50);
  ASSERT_TRUE(harness.run());
  EXPECT_EQ(harness.ended.front().kernel, 2u);
  EXPECT_LT(harness.ended.front().at, harness.ended.back().at / 2);
}

TEST(Clusters, OfALessUrgentLevelKeepNothingFromAMoreUrgentOne) {
  // Blocks that fill an SM: while they run, a cluster would keep the SMs.
  Cycle end[2];
  for (const bool beside : {false, true}) {
    Shares shares(2);
    DistributorHarness harness(together(), one_block(), 8, test::hundred, shares.applications, {8});
    ShapeKernel urgent(200, 1024), clusters = clustered({8}, {4}, 1024);
    harness.launch_of(0, urgent, 0, SmSet().set(), -1);
    if (beside) harness.launch_of(1, clusters);
    ASSERT_TRUE(harness.run());
    EXPECT_EQ(harness.ended.front().kernel, 0u);
    end[beside] = harness.ended.front().at;
  }
  EXPECT_EQ(end[0], end[1]) << "nothing of it waits";
}

TEST(Clusters, LeaveTheEngineWholeAndComeBackWhole) {
  for (const bool preempts : {false, true}) {
    WorkDistributorConfig config;
    config.application = "time_sliced";
    config.dispatch_interval = 7;  // a cluster takes 56 cycles to go
    config.options.at("time_sliced.instruction_preemption", false) = preempts;
    Shares shares(2);
    shares.applications.clock = Clock::from_mhz(1000);
    for (EngineShare& share : shares.applications.shares) share.time_slice = Femtoseconds{1000000} * 130;  // 130 cycles
    const auto duration = [](KernelId, std::uint32_t, SmId) -> Cycle { return 400; };
    DistributorHarness harness(config, test::four_blocks(), 8, duration, shares.applications, {8});
    ShapeKernel first = clustered({64}, {8}), second = clustered({64}, {8});
    harness.launch_of(0, first);
    harness.launch_of(1, second);
    ASSERT_TRUE(harness.run());
    std::map<std::pair<KernelId, std::uint32_t>, std::vector<Cycle>> sent;
    for (const test::Dispatch& block : harness.dispatched) sent[{block.kernel, block.block / 8}].push_back(block.at);
    for (const auto& [cluster, at] : sent) EXPECT_EQ(at.back() - at.front(), 7 * 7u) << preempts;
    EXPECT_GT(harness.slices.size(), 4u);
  }
}

/// What a random run consists of.
struct RandomRun {
  explicit RandomRun(unsigned seed) : random(seed) {
    for (unsigned g = between(1, 5); g > 0; --g) sms_of_gpcs.push_back(between(1, 9));
    sms = std::accumulate(sms_of_gpcs.begin(), sms_of_gpcs.end(), 0u);
    sm.blocks = between(1, 6);
    sm.warps = 32;
    config.dispatch_interval = between(1, 4);
    config.dispatch_width = between(1, 3);
    config.clusters_keep_gpc = between(0, 3) > 0;
    config.kernel_order =
        pick({"leftover", "mpmax", "srtf", "srtf_adaptive", "srtf_zero_sampling", "sjf", "residency"});
    config.placement = pick({"most_room", "round_robin"});
    config.cluster_placement = pick({"most_room", "least_room", "round_robin", "most_idle"});
    config.application = pick({"concurrent", "exclusive", "partitioned", "time_sliced"});
    config.options.at("time_sliced.instruction_preemption", false) = between(0, 1) == 1;
    applications.resize(between(1, 3));
    for (EngineShare& share : applications) share.time_slice = Femtoseconds{1000000} * between(50, 900);
    for (unsigned k = between(1, 5); k > 0; --k) kernels.push_back(kernel());
  }

  unsigned between(unsigned least, unsigned most) { return least + random() % (most - least + 1); }
  std::string pick(const std::vector<std::string>& names) { return names[between(0, names.size() - 1)]; }

  /// A kernel whose clusters fit on the largest GPC.
  ShapeKernel kernel() {
    for (;;) {
      const Dim3 cluster{between(1, 4), between(1, 3), between(1, 2)};
      const ShapeKernel made =
          clustered({cluster.x * between(1, 4), cluster.y * between(1, 3), cluster.z * between(1, 2)}, cluster,
                    32 * between(1, 12));
      const unsigned of_sm = residency(block_demand(made, sm, config), capacity(sm));
      const unsigned most = *std::max_element(sms_of_gpcs.begin(), sms_of_gpcs.end());
      if (cluster.count() <= 16 && cluster.count() <= most * of_sm) return made;
    }
  }

  std::mt19937 random;
  WorkDistributorConfig config;
  SmLimits sm;
  std::vector<unsigned> sms_of_gpcs;
  unsigned sms = 0;
  std::vector<EngineShare> applications;
  std::vector<ShapeKernel> kernels;
};

TEST(ClustersProperty, EveryClusterIsOnOneGpcAtOnceAndEveryBlockIsSentOnce) {
  unsigned clusters = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    RandomRun run(seed);
    const auto duration = [seed](KernelId kernel, std::uint32_t block, SmId sm) -> Cycle {
      return 400 + (seed * 7919 + kernel * 131 + block * 17 + sm) % 500;
    };
    Applications applications{run.applications, Clock::from_mhz(1000)};
    DistributorHarness harness(run.config, run.sm, run.sms, duration, applications, run.sms_of_gpcs);
    for (ShapeKernel& kernel : run.kernels) {
      harness.launch(kernel, run.between(0, 2000), SmSet().set(), run.between(1000, 50000));
      harness.of_last(run.between(0, static_cast<unsigned>(run.applications.size()) - 1));
    }
    ASSERT_TRUE(harness.run(2000000)) << "seed " << seed << ": " << run.config.kernel_order << ", "
                                      << run.config.application << ": "
                                      << testing::PrintToString(harness.core.waiting());
    const std::vector<unsigned> gpc_of = gpc_of_sms(run.sms_of_gpcs);
    std::map<std::pair<KernelId, std::uint64_t>, std::vector<test::Dispatch>> of_cluster;
    std::vector<std::map<std::uint64_t, std::uint64_t>> place_of(run.kernels.size());
    for (std::size_t k = 0; k < run.kernels.size(); ++k) {
      for (std::uint64_t p = 0; p < run.kernels[k].blocks(); ++p) place_of[k][run.kernels[k].block_at(p)] = p;
    }
    std::set<std::pair<KernelId, std::uint32_t>> sent;
    for (const test::Dispatch& block : harness.dispatched) {
      EXPECT_TRUE(sent.insert({block.kernel, block.block}).second) << "seed " << seed;
      const std::uint64_t cluster = place_of[block.kernel].at(block.block) / run.kernels[block.kernel].cluster.count();
      of_cluster[{block.kernel, cluster}].push_back(block);
    }
    std::uint64_t blocks = 0;
    for (const ShapeKernel& kernel : run.kernels) blocks += kernel.blocks();
    EXPECT_EQ(sent.size(), blocks) << "seed " << seed;
    for (const auto& [cluster, members] : of_cluster) {
      EXPECT_EQ(members.size(), run.kernels[cluster.first].cluster.count());
      Cycle first = kNever, last = 0;
      for (const test::Dispatch& block : members) {
        EXPECT_EQ(gpc_of[block.sm], gpc_of[members.front().sm]) << "seed " << seed;
        first = std::min(first, block.at);
        last = std::max(last, block.at);
      }
      // Contexts send by turns, so that each may wait for the others: no block has ended before the last has come.
      EXPECT_LT(last - first, 400u) << "seed " << seed;
      clusters += members.size() > 1;
    }
  }
  EXPECT_GT(clusters, 2000u);
}

/// One application has work for very long, the other little; one of them, or both, has clusters.
TEST(ClustersProperty, NoApplicationWaitsForeverForAnother) {
  for (unsigned seed = 1; seed <= 90; ++seed) {
    RandomRun run(seed);
    run.config.application = seed % 3 == 0 ? "time_sliced" : "partitioned";
    run.config.clusters_keep_gpc = true;
    run.applications.resize(2);
    for (EngineShare& share : run.applications) share.time_slice = Femtoseconds{1000000} * run.between(50, 900);
    ShapeKernel few = run.kernel(), many = run.kernel();
    if (few.cluster.count() * many.cluster.count() == 1) continue;
    const auto shape = [](ShapeKernel& kernel, std::uint32_t clusters) {
      kernel.grid = {kernel.cluster.x * clusters, kernel.cluster.y, kernel.cluster.z};
    };
    shape(few, 4);
    shape(many, 32 * run.sms * run.sm.blocks / static_cast<std::uint32_t>(many.cluster.count()) + 1);
    const auto duration = [seed](KernelId kernel, std::uint32_t block, SmId sm) -> Cycle {
      return 100 + (seed * 7919 + kernel * 131 + block * 17 + sm) % 300;
    };
    Applications applications{run.applications, Clock::from_mhz(1000)};
    DistributorHarness harness(run.config, run.sm, run.sms, duration, applications, run.sms_of_gpcs);
    harness.launch(many, 0, SmSet().set(), 100000);
    harness.launch(few, 2000, SmSet().set(), 1000);
    harness.of_last(1);
    ASSERT_TRUE(harness.run(6000000)) << "seed " << seed;
    std::uint64_t sent_before = 0;
    Cycle few_ended = 0;
    for (const test::KernelEnd& kernel : harness.ended) {
      if (kernel.kernel == 1) few_ended = kernel.at;
    }
    for (const test::Dispatch& block : harness.dispatched) sent_before += block.kernel == 0 && block.at < few_ended;
    EXPECT_LT(sent_before, many.blocks())
        << "seed " << seed << ": " << run.config.application << ", " << run.config.kernel_order << ", clusters of "
        << few.cluster.count() << " beside " << many.cluster.count() << " on " << run.sms << " SMs";
  }
}

}  // namespace
}  // namespace gputlm
