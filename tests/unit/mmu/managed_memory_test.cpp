#include "models/mmu/managed_memory.h"

#include <gmock/gmock.h>

namespace gputlm {

void PrintTo(const PageRun& run, std::ostream* out) { *out << run.pages << " pages from " << run.first; }

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Bytes kPage = 4096;

/// Blocks of 16 pages, basic blocks of 4, nothing fetched beyond these, room for `pages`.
MmuConfig small(Bytes pages = 1000) {
  MmuConfig config;
  config.page_bytes = kPage;
  config.prefetch_bytes = 4 * kPage;
  config.prefetch_percent = 100;
  config.block_bytes = 16 * kPage;
  config.device_memory = pages * kPage;
  return config;
}

TEST(ManagedMemory, BeginsAtTheHostAndComesWhenItHasArrived) {
  ManagedMemory memory(small(), {{8 * kPage + 100, 3 * kPage}});
  EXPECT_FALSE(memory.far(7)) << "it is not managed";
  for (const std::uint64_t page : {8, 9, 10, 11}) EXPECT_TRUE(memory.far(page)) << page;
  EXPECT_FALSE(memory.far(12));
  const MigrationPlan plan = memory.plan({9});
  EXPECT_TRUE(memory.far(9));
  memory.arrived();
  EXPECT_FALSE(memory.far(9));
  EXPECT_THAT(plan.in, ElementsAre(PageRun{8, 4}));
  EXPECT_EQ(plan.prefetched, 3u);
  EXPECT_THAT(plan.out, IsEmpty());
  EXPECT_EQ(memory.used(), 4u);
}

TEST(ManagedMemory, FetchesTheBasicBlockAroundAPageAsFarAsItIsManagedAndAtTheHost) {
  ManagedMemory memory(small(), {{0, 6 * kPage}});
  EXPECT_THAT(memory.plan({5}).in, ElementsAre(PageRun{4, 2}));
  memory.arrived();
  EXPECT_THAT(memory.plan({0, 3}).in, ElementsAre(PageRun{0, 4})) << "two faults of one basic block";
}

TEST(ManagedMemory, FaultsThatLieApartAreFetchedInTheirOrder) {
  ManagedMemory memory(small(), {{0, 64 * kPage}});
  EXPECT_THAT(memory.plan({40, 3, 20}).in, ElementsAre(PageRun{40, 4}, PageRun{0, 4}, PageRun{20, 4}));
}

TEST(ManagedMemory, ARegionOfWhichMoreThanTheThresholdIsThereIsFetchedWhole) {
  MmuConfig config = small();
  config.prefetch_percent = 50;
  ManagedMemory memory(config, {{0, 16 * kPage}});
  EXPECT_THAT(memory.plan({0}).in, ElementsAre(PageRun{0, 4})) << "half of eight pages is not more than 50 %";
  memory.arrived();
  EXPECT_THAT(memory.plan({5}).in, ElementsAre(PageRun{4, 4})) << "8 of 16";
  memory.arrived();
  EXPECT_THAT(memory.plan({12}).in, ElementsAre(PageRun{8, 8})) << "12 of 16: the fourth comes along";
}

TEST(ManagedMemory, TheBlockFetchedLeastRecentlyLeavesWhenThereIsNoRoom) {
  ManagedMemory memory(small(12), {{0, 256 * kPage}});
  for (const std::uint64_t page : {0, 16, 32}) {  // of blocks 0, 1, 2
    EXPECT_THAT(memory.plan({page}).evicted, IsEmpty());
    memory.arrived();
  }
  MigrationPlan plan = memory.plan({4});  // of block 0, which is the latest now; block 1 is the oldest
  memory.arrived();
  EXPECT_THAT(plan.evicted, ElementsAre(PageRun{16, 16}));
  EXPECT_THAT(plan.out, ElementsAre(PageRun{16, 4}));
  EXPECT_TRUE(memory.far(16));
  plan = memory.plan({48});
  memory.arrived();
  EXPECT_THAT(plan.evicted, ElementsAre(PageRun{32, 16}));
  plan = memory.plan({64});
  EXPECT_THAT(plan.evicted, ElementsAre(PageRun{0, 16}));
  EXPECT_THAT(plan.out, ElementsAre(PageRun{0, 8}));
}

TEST(ManagedMemory, WhatABatchFetchesDoesNotLeaveInTheSameBatch) {
  ManagedMemory memory(small(8), {{0, 256 * kPage}});
  const MigrationPlan plan = memory.plan({0, 16, 32, 48});
  EXPECT_THAT(plan.in, ElementsAre(PageRun{0, 4}, PageRun{16, 4}));
  EXPECT_THAT(plan.evicted, IsEmpty());
  memory.arrived();
  EXPECT_TRUE(memory.far(32));
}

TEST(ManagedMemory, ABlockOfWhichABatchFetchesMoreStaysWhole) {
  ManagedMemory memory(small(8), {{0, 256 * kPage}});
  memory.plan({0});
  memory.arrived();
  const MigrationPlan plan = memory.plan({4, 16});
  EXPECT_THAT(plan.in, ElementsAre(PageRun{4, 4}));
  EXPECT_THAT(plan.evicted, IsEmpty());
  EXPECT_FALSE(memory.far(0));
}

TEST(ManagedMemory, WhereThereIsNoRoomForTheBasicBlockThePageComesAlone) {
  ManagedMemory memory(small(5), {{0, 256 * kPage}});
  const MigrationPlan plan = memory.plan({0, 18});
  EXPECT_THAT(plan.in, ElementsAre(PageRun{0, 4}, PageRun{18, 1}));
  EXPECT_EQ(memory.used(), 5u);
}

}  // namespace
}  // namespace gputlm
