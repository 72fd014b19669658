// The MMU: L2 TLB, walks, far faults and their handling by the host.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/mmu/mmu_harness.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Pages in the order in which they were answered.
std::vector<std::uint64_t> pages(const MmuHarness& mmu) {
  std::vector<std::uint64_t> list;
  for (const Answer& answer : mmu.answers) list.push_back(answer.page);
  return list;
}

TEST(Mmu, AWalkReadsALevelAfterTheOtherAndAHitNone) {
  const MmuConfig config = small_mmu();
  MmuHarness mmu(config);
  mmu.ask(5, 0, 10);
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.read.size(), config.levels);
  EXPECT_EQ(mmu.answers[0].at, 10 + config.tlb_latency + config.levels * mmu.read_latency);
  mmu.ask(5, 1, 1000);
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.read.size(), config.levels);
  EXPECT_EQ(mmu.answers[1].at, 1000 + config.tlb_latency);
  EXPECT_EQ(mmu.statistics().tlb_hits, 1u);
  EXPECT_EQ(mmu.statistics().tlb_misses, 1u);
}

TEST(Mmu, NeighbouringPagesShareTheSectorOfTheirEntriesAndFarOnesDoNot) {
  MmuHarness mmu(small_mmu());
  mmu.ask(4, 0, 0);
  mmu.ask(7, 0, 1000);
  mmu.ask(8, 0, 2000);
  ASSERT_TRUE(mmu.run());
  const auto leaf = [&](std::size_t walk) { return mmu.read[walk]; };
  // The last level alone is read from the second walk on: the walk cache holds the table.
  ASSERT_EQ(mmu.read.size(), 5u);
  EXPECT_EQ(leaf(2), leaf(3));
  EXPECT_EQ(leaf(4), leaf(2) + 32);
}

TEST(Mmu, TheWalkCacheSavesTheReadsOfUpperLevels) {
  MmuConfig config = small_mmu();
  config.walk_cache_entries = 8;
  MmuHarness mmu(config);
  mmu.ask(0, 0, 0);
  mmu.ask(1, 0, 1000);          // the same leaf table
  mmu.ask(512, 0, 2000);        // another leaf table under the same node
  mmu.ask(512 * 512, 0, 3000);  // another node under the root
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.read.size(), 3u + 1 + 2 + 3);
}

TEST(Mmu, RequestsOfSeveralSmsForAPageShareItsWalk) {
  MmuHarness mmu(small_mmu(), {}, 4);
  for (unsigned sm = 0; sm < 4; ++sm) mmu.ask(9, sm, sm);
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.statistics().walks, 1u);
  EXPECT_EQ(mmu.statistics().merged, 3u);
  EXPECT_EQ(mmu.answers.size(), 4u);
}

TEST(Mmu, NoMoreWalksAreUnderWayThanThereAreWalkers) {
  MmuConfig config = small_mmu();
  config.walkers = 2;
  MmuHarness mmu(config);
  for (std::uint64_t p = 0; p < 4; ++p) mmu.ask(p << 20, 0, p);  // nothing of their walks is shared
  ASSERT_TRUE(mmu.run());
  const Cycle walk = config.levels * mmu.read_latency;
  EXPECT_THAT(pages(mmu), ElementsAre(0u, 1u << 20, 2u << 20, 3u << 20));
  EXPECT_GE(mmu.answers[2].at, mmu.answers[0].at + walk);
  EXPECT_LT(mmu.answers[1].at, mmu.answers[0].at + walk);
}

TEST(Mmu, PagesBeyondTheReachOfTheTlbAreWalkedForAgain) {
  MmuConfig config = small_mmu();
  config.tlb_entries = config.tlb_ways = 4;
  for (const std::uint64_t footprint : {4u, 5u}) {
    MmuHarness mmu(config);
    for (unsigned i = 0; i < 40; ++i) mmu.ask(i % footprint, 0, 1000 * i);
    ASSERT_TRUE(mmu.run());
    EXPECT_EQ(mmu.statistics().walks, footprint == 4 ? 4u : 40u) << "least recently used, in a circle";
  }
}

TEST(Mmu, AFarFaultWaitsForTheHostTheLinkAndTheReplay) {
  const MmuConfig config = small_mmu();
  MmuHarness mmu(config, {{0, 64 * kPage}});
  mmu.ask(5);
  ASSERT_TRUE(mmu.run());
  ASSERT_EQ(mmu.copied.size(), 1u);
  const Copy& copy = mmu.copied[0].copy;
  EXPECT_EQ(copy.kind, CopyKind::kHostToDevice);
  EXPECT_EQ(copy.to, 5 * kPage);
  EXPECT_EQ(copy.bytes, kPage);
  const Cycle fault = config.tlb_latency + config.levels * mmu.read_latency;
  EXPECT_EQ(mmu.copied[0].at, fault + config.batch_ns + config.fault_ns);
  // The replay finds the last table in the walk cache.
  EXPECT_EQ(mmu.answers[0].at, mmu.copied[0].at + mmu.copy_latency + mmu.read_latency);
  const MmuStatistics s = mmu.statistics();
  EXPECT_EQ(s.faults.handled, 1u);
  EXPECT_EQ(s.faults.batches, 1u);
  EXPECT_EQ(s.replayed, 1u);
  EXPECT_EQ(s.walks, 2u);
  EXPECT_EQ(s.faults.migrated_in, kPage);
  EXPECT_EQ(s.faults.busy, config.batch_ns + config.fault_ns + mmu.copy_latency);
}

TEST(Mmu, PagesThatAreNotManagedDoNotFault) {
  MmuHarness mmu(small_mmu(), {{0, 64 * kPage}});
  mmu.ask(64);
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.statistics().faults.handled, 0u);
  EXPECT_THAT(mmu.copied, IsEmpty());
}

TEST(Mmu, FaultsThatComeWhileTheHostIsOnItsWayAreHandledTogether) {
  const MmuConfig config = small_mmu();
  MmuHarness mmu(config, {{0, 64 * kPage}});
  for (std::uint64_t p = 0; p < 6; ++p) mmu.ask(10 * p, 0, 100 * p);
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.statistics().faults.batches, 1u);
  EXPECT_EQ(mmu.statistics().faults.handled, 6u);
  EXPECT_EQ(mmu.copied[0].at,
            config.tlb_latency + config.levels * mmu.read_latency + config.batch_ns + 6 * config.fault_ns);
}

TEST(Mmu, AFaultThatComesLaterWaitsForTheNextBatch) {
  const MmuConfig config = small_mmu();
  MmuHarness mmu(config, {{0, 64 * kPage}});
  mmu.ask(1, 0, 0);
  mmu.ask(40, 0, 1500);  // the host has read the first one by then
  ASSERT_TRUE(mmu.run());
  const FaultStatistics s = mmu.statistics().faults;
  EXPECT_EQ(s.batches, 2u);
  EXPECT_EQ(s.dropped, 1u) << "it was in the buffer at the replay, and came again";
  EXPECT_EQ(s.handled, 2u);
  EXPECT_THAT(pages(mmu), ElementsAre(1u, 40u));
  EXPECT_GE(mmu.copied[1].at, mmu.answers[0].at + config.batch_ns);
}

TEST(Mmu, ABatchHasNoMoreFaultsThanTheHostTakesTogether) {
  MmuConfig config = small_mmu();
  config.batch_faults = 4;
  MmuHarness mmu(config, {{0, 64 * kPage}});
  for (std::uint64_t p = 0; p < 10; ++p) mmu.ask(p, 0, p);
  ASSERT_TRUE(mmu.run());
  const FaultStatistics s = mmu.statistics().faults;
  EXPECT_EQ(s.batches, 3u);
  EXPECT_EQ(s.handled, 10u);
  EXPECT_EQ(s.dropped, 6u + 2);
  EXPECT_EQ(mmu.statistics().replayed, 10u + 6 + 2);
}

TEST(Mmu, AFaultThatFindsTheBufferFullComesAgainAfterTheReplay) {
  MmuConfig config = small_mmu();
  config.fault_buffer = 3;
  MmuHarness mmu(config, {{0, 64 * kPage}});
  for (std::uint64_t p = 0; p < 5; ++p) mmu.ask(p, 0, p);
  ASSERT_TRUE(mmu.run());
  const FaultStatistics s = mmu.statistics().faults;
  EXPECT_EQ(s.lost, 2u);
  EXPECT_EQ(s.batches, 2u);
  EXPECT_EQ(mmu.answers.size(), 5u);
}

TEST(Mmu, PrefetchingTheNeighbourhoodSavesFaults) {
  MmuConfig config = small_mmu();
  std::uint64_t before = ~std::uint64_t{0};
  for (const Bytes neighbourhood : {1u, 4u, 16u}) {
    config.prefetch_bytes = neighbourhood * kPage;
    MmuHarness mmu(config, {{0, 64 * kPage}});
    for (std::uint64_t p = 0; p < 64; ++p) mmu.ask(p, 0, 5000 * p);
    ASSERT_TRUE(mmu.run());
    const FaultStatistics s = mmu.statistics().faults;
    EXPECT_EQ(s.handled, 64 / neighbourhood);
    EXPECT_EQ(s.prefetched, 64 - s.handled);
    EXPECT_EQ(s.migrated_in, 64 * kPage);
    EXPECT_LT(s.handled, before);
    before = s.handled;
  }
}

TEST(Mmu, ABlockIsForgottenEverywhereAndWrittenBackBeforeItsRoomIsUsed) {
  MmuConfig config = small_mmu();
  config.device_memory = 16 * kPage;
  MmuHarness mmu(config, {{0, 64 * kPage}}, 3);
  for (std::uint64_t p = 0; p < 15; ++p) mmu.ask(p, 0, p);
  mmu.ask(16, 1, 20000);  // there is room for it alone
  mmu.ask(17, 1, 40000);  // not for this one: block 0, which came first, leaves
  ASSERT_TRUE(mmu.run());
  ASSERT_EQ(mmu.shot_down.size(), 1u);
  EXPECT_EQ(mmu.shot_down[0].first_page, 0u);
  const FaultStatistics s = mmu.statistics().faults;
  EXPECT_EQ(s.evicted, 1u);
  EXPECT_EQ(s.migrated_out, 15 * kPage);
  ASSERT_EQ(mmu.copied.size(), 15u + 1 + 1 + 1);
  const auto& out = mmu.copied[16];
  const auto& in = mmu.copied[17];
  EXPECT_EQ(out.copy.kind, CopyKind::kDeviceToHost);
  EXPECT_EQ(out.copy.from, 0u);
  EXPECT_EQ(out.copy.bytes, 15 * kPage);
  EXPECT_EQ(out.at, mmu.shot_down[0].at + 2 * kHop + 2) << "the third SM's acknowledgement";
  EXPECT_EQ(in.copy.to, 17 * kPage);
  EXPECT_EQ(in.at, out.at + mmu.copy_latency);
  // What has left faults again, though its translation had been in the L2 TLB.
  mmu.ask(14, 0, 60000);
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.statistics().faults.handled, 15u + 2 + 1);
}

TEST(Mmu, WithRoomForOnePageEveryoneGetsOnAllTheSame) {
  MmuConfig config = small_mmu();
  config.batch_ns = config.fault_ns = 0;
  config.block_bytes = config.device_memory = kPage;
  MmuHarness mmu(config, {{0, 64 * kPage}}, 4);
  for (unsigned i = 0; i < 40; ++i) mmu.ask(i * 7 % 13, i % 4, i);
  ASSERT_TRUE(mmu.run());
  EXPECT_EQ(mmu.answers.size(), 40u);
}

TEST(Mmu, WhatABatchHasFetchedStaysUntilThoseWhoWaitedForItHaveIt) {
  MmuConfig config = small_mmu();
  config.batch_ns = config.fault_ns = 0;
  config.batch_faults = 1;
  config.block_bytes = config.device_memory = kPage;
  const std::uint64_t other = 5 * 512 * 512;
  MmuHarness mmu(config, {{0, kPage}, {other * kPage, kPage}});
  // The walk cache has the tables of the second page, so its replay faults before that of the first one ends.
  mmu.ask(0, 0, 0);
  mmu.ask(other, 0, 1);
  ASSERT_TRUE(mmu.run());
  EXPECT_THAT(pages(mmu), ElementsAre(0u, other));
  EXPECT_EQ(mmu.statistics().faults.handled, 2u) << "each page was fetched once";
}

TEST(Mmu, DoesTheSameHoweverTimeIsCut) {
  MmuConfig config = small_mmu();
  config.device_memory = 24 * kPage;
  config.prefetch_bytes = 2 * kPage;
  const auto run = [&](const std::function<Cycle()>& window) {
    MmuHarness mmu(config, {{0, 40 * kPage}}, 4);
    std::mt19937 random(7);
    for (unsigned i = 0; i < 600; ++i) mmu.ask(random() % 60, i % 4, 30 * i);
    EXPECT_TRUE(mmu.run(window));
    // Answers of a call come SM by SM.
    std::sort(mmu.answers.begin(), mmu.answers.end(), [](const Answer& a, const Answer& b) {
      return std::make_tuple(a.at, a.sm) < std::make_tuple(b.at, b.sm);
    });
    return mmu.answers;
  };
  const std::vector<Answer> whole = run([] { return kHop; });
  EXPECT_EQ(run([] { return Cycle{1}; }), whole);
  std::mt19937 random(3);
  EXPECT_EQ(run([&] { return 1 + random() % kHop; }), whole);
}

}  // namespace
}  // namespace gputlm::test
