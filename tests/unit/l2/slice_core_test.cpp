#include "models/l2/slice_core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/l2/slice_harness.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using test::atomic;
using test::read;
using test::Request;
using test::SliceHarness;
using test::Surroundings;
using test::write;

constexpr Cycle kLatency = 60;

/// One set of two ways, so that the third line replaces the first.
L2Config one_set() {
  L2Config config;
  config.bytes = 2 * kLineBytes;
  config.ways = 2;
  config.latency = kLatency;
  return config;
}
SliceHarness bench(std::vector<Request> requests, const L2Config& config = one_set(),
                   const Surroundings& surroundings = {}, const L2SliceLinks& links = {}) {
  return SliceHarness(config, links, surroundings, std::move(requests));
}
std::uint64_t stalled(const SliceHarness& b, L2Stall reason) {
  return b.core.statistics().stall_cycles[static_cast<std::size_t>(reason)];
}

TEST(L2Slice, AMissLeavesForDramTheCycleAfterAndIsAnsweredTheLatencyAfterItsFill) {
  auto b = bench({read(10, 0x1020, 64)});
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 1u);
  EXPECT_EQ(b.memory[0].sent, 11u);
  EXPECT_EQ(b.memory[0].address, 0x1020u);
  EXPECT_EQ(b.memory[0].bytes, 64u);
  EXPECT_EQ(b.memory[0].flits, 1u);
  EXPECT_FALSE(b.memory[0].write);
  EXPECT_EQ(b.answers[0].replied, 111u + kLatency);
  EXPECT_FALSE(b.answers[0].l2_hit);
  EXPECT_EQ(b.answers[0].row, RowOutcome::kHit);
  EXPECT_EQ(b.accesses_in_use(), 0u);
}

TEST(L2Slice, WhatIsWarmedIsThereFromThatCycleOnWhateverTheWindow) {
  for (const Cycle window : {1, 7, 20}) {
    auto b = bench({read(99, 0), read(300, kLineBytes), read(301, 2 * kLineBytes)});
    Access access;
    access.bytes = kLineBytes;
    access.address = test::memory_map().global(test::kSlice, 0);
    b.core.warm(0, 100, access);
    access.address = test::memory_map().global(test::kSlice, kLineBytes);
    b.core.warm(0, 300, access);
    access.address = test::memory_map().global(test::kSlice, 2 * kLineBytes);
    b.core.warm(0, 302, access);
    ASSERT_TRUE(b.run([&] { return window; }));
    EXPECT_FALSE(b.answers[0].l2_hit);
    EXPECT_TRUE(b.answers[1].l2_hit);
    EXPECT_FALSE(b.answers[2].l2_hit);
    EXPECT_EQ(b.core.statistics().reads, 3u) << "and is not counted";
  }
}

TEST(L2Slice, WhatIsPastWhenMoreIsWarmedIsThereInTheOrderOfCalls) {
  auto b = bench({read(500, 2 * kLineBytes), read(501, kLineBytes), read(502, 0)});
  Access access;
  access.bytes = kLineBytes;
  for (const Address line : {0, 1, 2}) {  // the third replaces the first
    access.address = test::memory_map().global(test::kSlice, line * kLineBytes);
    b.core.warm(50 * line, 100 + 50 * line, access);
  }
  ASSERT_TRUE(b.run());
  EXPECT_TRUE(b.answers[0].l2_hit);
  EXPECT_TRUE(b.answers[1].l2_hit);
  EXPECT_FALSE(b.answers[2].l2_hit);
}

TEST(L2Slice, AHitIsAnsweredTheLatencyLater) {
  auto b = bench({read(0, 0, 128), read(500, 0, 128), read(600, 96)});
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.answers[1].replied, 500 + kLatency);
  EXPECT_TRUE(b.answers[1].l2_hit);
  EXPECT_EQ(b.answers[1].row, RowOutcome::kNone);
  EXPECT_EQ(b.answers[2].replied, 600 + kLatency);
  EXPECT_EQ(b.memory.size(), 1u);
  EXPECT_EQ(b.core.statistics().read_hits, 2u);
}

TEST(L2Slice, RepliesTakeAsManyFlitsAsHeaderAndDataNeed) {
  auto b = bench({read(0, 0, 128), read(0, 0, 64), read(0, 0, 32), write(0, 0, 128), atomic(0, 0)});
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.answers[0].flits, 4u);  // 136 bytes in flits of 40
  EXPECT_EQ(b.answers[1].flits, 2u);
  EXPECT_EQ(b.answers[2].flits, 1u);
  EXPECT_EQ(b.answers[3].flits, 1u);  // an acknowledgement
  EXPECT_EQ(b.answers[4].flits, 1u);
}

TEST(L2Slice, RequestsToALineOnItsWayMergeAndFetchOnlyWhatIsMissing) {
  auto b = bench({read(0, 0), read(1, 0), read(2, 0, 128), read(3, 96)});
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 2u);
  EXPECT_EQ(b.memory[1].address, 32u);
  EXPECT_EQ(b.memory[1].bytes, 96u);
  EXPECT_EQ(b.core.statistics().mshr_merges, 3u);
  EXPECT_EQ(b.answers[0].replied, b.memory[0].answered + kLatency);
  EXPECT_EQ(b.answers[2].replied, b.memory[1].answered + kLatency);
  EXPECT_FALSE(b.answers[3].l2_hit);
}

TEST(L2Slice, EveryContiguousRunOfMissingSectorsIsOneDramAccess) {
  auto b = bench({read(0, 32), read(500, 0, 128)});
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 3u);
  EXPECT_EQ(b.memory[1].address, 0u);
  EXPECT_EQ(b.memory[1].bytes, 32u);
  EXPECT_EQ(b.memory[2].address, 64u);
  EXPECT_EQ(b.memory[2].bytes, 64u);
}

TEST(L2Slice, AWriteIsAcknowledgedWithoutAFetchAndHitsWhenItsLineIsPresent) {
  auto b = bench({write(0, 0, 64), write(100, 96), read(200, 0, 64)});
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.answers[0].replied, kLatency);
  EXPECT_FALSE(b.answers[0].l2_hit);
  EXPECT_TRUE(b.answers[1].l2_hit);
  EXPECT_TRUE(b.answers[2].l2_hit) << "the written sectors are valid";
  EXPECT_TRUE(b.memory.empty());
}

TEST(L2Slice, AReplacedLineWritesItsDirtyRunsBackInTheWritersName) {
  Request mine = write(0, 0), more = write(10, 64, 64);
  mine.application = more.application = 3;
  auto b = bench({mine, more, read(100, 0x1000), read(200, 0x2000)});
  ASSERT_TRUE(b.run());
  std::vector<test::MemoryAccess> writes;
  for (const auto& access : b.memory) {
    if (access.write) writes.push_back(access);
  }
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[0].address, 0u);
  EXPECT_EQ(writes[0].bytes, 32u);
  EXPECT_EQ(writes[0].flits, 1u);
  EXPECT_EQ(writes[1].address, 64u);
  EXPECT_EQ(writes[1].bytes, 64u);
  EXPECT_EQ(writes[1].flits, 2u);
  for (const auto& access : writes) {
    EXPECT_EQ(access.application, 3);
    EXPECT_FALSE(access.partial);
  }
  EXPECT_EQ(b.accesses_in_use(), 0u) << "write-backs are released when DRAM has answered";
}

TEST(L2Slice, APartlyWrittenSectorIsFetchedByTheNextReadOnly) {
  auto b = bench({write(0, 8, 8, true), read(100, 0), read(500, 0)});
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 1u);
  EXPECT_EQ(b.memory[0].sent, 101u);
  EXPECT_FALSE(b.memory[0].write);
  EXPECT_FALSE(b.answers[1].l2_hit);
  EXPECT_TRUE(b.answers[2].l2_hit);
}

TEST(L2Slice, AWriteWhoseEndsLieWithinSectorsLeavesThoseSectorsInvalid) {
  auto b = bench({write(0, 16, 64), read(100, 0, 128)});
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 2u);  // sector 0, then 2 and 3; sector 1 was covered
  EXPECT_EQ(b.memory[0].bytes, 32u);
  EXPECT_EQ(b.memory[1].address, 64u);
}

TEST(L2Slice, APartlyWrittenSectorIsWrittenBackAsPartial) {
  auto b = bench({write(0, 8, 8, true), read(100, 0x1000), read(200, 0x2000)});
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 3u);
  EXPECT_TRUE(b.memory[1].write && b.memory[1].partial);
}

TEST(L2Slice, AnAtomicNeedsItsSectorMakesItDirtyAndReturnsData) {
  auto b = bench({atomic(0, 4), atomic(500, 8), read(600, 0x1000), read(900, 0x2000)});
  ASSERT_TRUE(b.run());
  EXPECT_FALSE(b.answers[0].l2_hit);
  EXPECT_EQ(b.answers[0].replied, 101 + kLatency);
  EXPECT_TRUE(b.answers[1].l2_hit);
  EXPECT_EQ(b.core.statistics().atomics, 2u);
  EXPECT_EQ(b.core.statistics().atomic_hits, 1u);
  ASSERT_EQ(b.memory.size(), 4u);
  EXPECT_EQ(b.memory[2].write + b.memory[3].write, 1) << "the line went back dirty";
}

L2Config filling(Bytes bytes) {
  L2Config config = one_set();
  config.fill_bytes = static_cast<unsigned>(bytes);
  return config;
}

TEST(L2Slice, AMissFetchesTheWholeFillGroupOnce) {
  for (const auto& [fill, address, bytes] : {std::tuple{32u, 96u, 32u}, {64u, 64u, 64u}, {128u, 0u, 128u}}) {
    auto b = bench({read(0, 96), read(500, 64)}, filling(fill));
    ASSERT_TRUE(b.run());
    ASSERT_GE(b.memory.size(), 1u);
    EXPECT_EQ(b.memory[0].address, address);
    EXPECT_EQ(b.memory[0].bytes, bytes);
    EXPECT_EQ(b.answers[1].l2_hit, fill > 32);
    EXPECT_EQ(b.memory.size(), fill > 32 ? 1u : 2u);
  }
}

TEST(L2Slice, WithLargerFillsAWriteFetchesWhatItLeavesUnknownAndIsAcknowledgedAtOnce) {
  auto b = bench({write(0, 32, 32), read(10, 0, 128), write(500, 64, 8, true)}, filling(128));
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.answers[0].replied, kLatency);
  ASSERT_EQ(b.memory.size(), 2u) << "on both sides of the written sector, and never again";
  EXPECT_EQ(b.memory[0].address, 0u);
  EXPECT_EQ(b.memory[0].bytes, 32u);
  EXPECT_EQ(b.memory[1].address, 64u);
  EXPECT_EQ(b.memory[1].bytes, 64u);
  EXPECT_EQ(b.answers[1].replied, b.memory[1].answered + kLatency) << "a read waits for the write's fetch";
  EXPECT_EQ(b.accesses_in_use(), 0u);
}

TEST(L2Slice, WithLargerFillsACompleteWriteFetchesNothing) {
  auto b = bench({write(0, 0, 64), read(10, 0, 64)}, filling(64));
  ASSERT_TRUE(b.run());
  EXPECT_TRUE(b.memory.empty());
  EXPECT_TRUE(b.answers[1].l2_hit);
}

TEST(L2Slice, WithLargerFillsAReplacedLineWritesItsGroupsBackWhole) {
  for (const unsigned fill : {32u, 64u, 128u}) {
    auto b = bench({write(0, 40, 8, true), read(500, 0x1000), read(900, 0x2000)}, filling(fill));
    ASSERT_TRUE(b.run());
    unsigned written = 0;
    for (const auto& access : b.memory) {
      if (!access.write) continue;
      EXPECT_EQ(access.partial, fill == 32);
      written += access.bytes;
    }
    EXPECT_EQ(written, fill);
  }
}

TEST(L2Slice, AWriteThatMustFetchWaitsForAnMshr) {
  L2Config config = filling(128);
  config.mshrs = 1;
  auto b = bench({read(0, 0x1000), write(5, 0, 32)}, config);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.answers[1].started, b.memory[0].answered);
  EXPECT_GT(stalled(b, L2Stall::kMshr), 0u);
}

TEST(L2Slice, ABankStartsOneRequestACycleAndOthersPassOnlyInOrder) {
  L2Config config = one_set();
  config.bytes = 64 * 1024;
  config.ways = 16;
  config.banks = 1;
  std::vector<Request> requests;
  for (unsigned i = 0; i < 8; ++i) requests.push_back(write(0, i * kLineBytes));
  auto b = bench(requests, config);
  ASSERT_TRUE(b.run());
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(b.answers[i].started, i);
  EXPECT_EQ(stalled(b, L2Stall::kBank), 7u);
}

TEST(L2Slice, ItsDataArrayMovesSoManySectorsACycleForReadsAndWritesTogether) {
  for (unsigned sectors = 0; sectors <= 5; ++sectors) {
    L2Config config = one_set();
    config.bytes = 64 * 1024;
    config.ways = 16;
    config.banks = 1;
    config.data_sectors = sectors;
    L2SliceLinks links;
    links.reply_width = 4;
    std::vector<Request> requests;
    for (unsigned i = 0; i < 12; ++i) requests.push_back(write(0, i * kLineBytes, 128));
    for (unsigned i = 0; i < 12; ++i)
      requests.push_back(i % 2 ? read(1000, i * kLineBytes, 128) : write(1000, i * kLineBytes, 128));
    auto b = bench(requests, config, {}, links);
    ASSERT_TRUE(b.run());
    for (unsigned i = 0; i < 12; ++i) {
      const Cycle at = sectors == 0 || sectors > 4 ? i : 4 * i / sectors;  // the bank starts one a cycle
      EXPECT_EQ(b.answers[i].started, at) << sectors << " sectors, write " << i;
      EXPECT_EQ(b.answers[12 + i].started, 1000 + at) << sectors << " sectors, request " << i;
      EXPECT_TRUE(b.answers[12 + i].l2_hit);
    }
    EXPECT_EQ(stalled(b, L2Stall::kData) > 0, sectors > 0 && sectors < 4) << sectors;
  }
}

TEST(L2Slice, BanksAreUsedEvenlyByAnyStrideOfLines) {
  L2Config config;
  config.banks = 4;
  for (unsigned shift = 0; shift < 10; ++shift) {
    std::vector<Request> requests;
    for (Address i = 0; i < 400; ++i) requests.push_back(write(0, (i << shift) * kLineBytes));
    L2SliceLinks links;
    links.reply_width = 4;
    auto b = bench(requests, config, {}, links);
    ASSERT_TRUE(b.run());
    EXPECT_LT(stalled(b, L2Stall::kBank), 110u) << "stride " << (1u << shift) << " lines";
  }
}

TEST(L2Slice, TheHeadWaitsForAnMshr) {
  L2Config config = one_set();
  config.mshrs = 1;
  auto b = bench({read(0, 0), read(5, 0x1000), write(6, 0, 32)}, config);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.answers[1].started, b.memory[0].answered);
  EXPECT_GE(b.answers[2].started, b.answers[1].started) << "those behind it wait too";
  EXPECT_EQ(stalled(b, L2Stall::kMshr), b.memory[0].answered - 5);
}

TEST(L2Slice, TheHeadWaitsForAMergeSlot) {
  L2Config config = one_set();
  config.mshr_merges = 2;
  auto b = bench({read(0, 0), read(1, 0), read(5, 0)}, config);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(stalled(b, L2Stall::kMerge), b.memory[0].answered - 5);
  EXPECT_EQ(stalled(b, L2Stall::kBank), 1u) << "the fill takes its bank for a cycle";
  EXPECT_EQ(b.memory.size(), 1u);
}

TEST(L2Slice, TheHeadWaitsWhileEveryLineOfItsSetWaitsForAFill) {
  auto b = bench({read(0, 0), read(1, 0x1000), write(5, 0x2000)});
  ASSERT_TRUE(b.run());
  EXPECT_GE(b.answers[2].started, b.memory[0].answered);
  EXPECT_GT(stalled(b, L2Stall::kSet), 0u);
}

TEST(L2Slice, ASlowControllerHoldsUpTheHeadAndNothingIsLost) {
  L2Config config = one_set();
  config.bytes = 1 << 20;
  config.ways = 16;
  L2SliceLinks links;
  links.memory_credits = 1;
  std::vector<Request> requests;
  for (unsigned i = 0; i < 200; ++i) requests.push_back(read(0, i * kLineBytes));
  auto b = bench(requests, config, {}, links);
  ASSERT_TRUE(b.run());
  EXPECT_GT(stalled(b, L2Stall::kMemoryQueue), 10000u);
  EXPECT_EQ(b.memory.size(), 200u);
}

TEST(L2Slice, ASlowCrossbarHoldsUpTheHeadAndNothingIsLost) {
  L2SliceLinks links;
  links.reply_credits = 1;
  Surroundings slow;
  slow.reply_credit = 100;
  L2Config config = one_set();
  config.latency = 4;
  config.mshr_merges = 4;
  std::vector<Request> requests;
  for (unsigned i = 0; i < 200; ++i) requests.push_back(i % 2 ? read(0, 0) : write(0, 128));
  auto b = bench(requests, config, slow, links);
  ASSERT_TRUE(b.run());
  EXPECT_GT(stalled(b, L2Stall::kReplyQueue), 10000u);
}

TEST(L2Slice, CountsHitsAndMissesOfEachApplication) {
  Request one = read(0, 0), two = read(500, 0), three = write(600, 0), four = write(700, 0x1000);
  two.application = three.application = four.application = 2;
  auto b = bench({one, two, three, four});
  ASSERT_TRUE(b.run());
  const auto& applications = b.core.statistics().applications;
  ASSERT_EQ(applications.size(), 3u);
  EXPECT_EQ(applications[0].read_misses, 1u);
  EXPECT_EQ(applications[2].read_hits, 1u);
  EXPECT_EQ(applications[2].write_hits, 1u);
  EXPECT_EQ(applications[2].write_misses, 1u);
}

TEST(L2Slice, SaysWhenItHasWorkNextAndSleepsWithoutInput) {
  const MemoryMap map({}, 1);
  test::PlainAccesses source;
  L2SliceCore core(one_set(), {}, 0, map, source);
  EXPECT_EQ(core.advance(1000), kNever);
  Access& access = source.allocate();
  access.bytes = 32;
  core.requests().push(1500, access);
  EXPECT_EQ(core.advance(1200), 1500u);
  EXPECT_EQ(core.advance(1501), 1501u);  // its DRAM access leaves
  EXPECT_EQ(core.advance(2000), kNever);
  core.memory_replies().push(2100, *core.memory_requests().departures().at(0).item);
  EXPECT_EQ(core.advance(2150), 2100 + kLatency);
  EXPECT_EQ(core.advance(kNever), kNever);
  EXPECT_EQ(core.replies().departures().size(), 1u);
}

TEST(L2Slice, RefusesConfigurationsThatCannotWork) {
  const MemoryMap map({}, 24);
  test::PlainAccesses source;
  const auto make = [&](auto change) {
    L2Config config;
    change(config);
    L2SliceCore core(config, {}, 0, map, source);
  };
  EXPECT_NO_THROW(make([](L2Config&) {}));
  EXPECT_THROW(make([](L2Config& c) { c.bytes = 1024; }), InputError);
  EXPECT_THROW(make([](L2Config& c) { c.ways = 0; }), InputError);
  EXPECT_THROW(make([](L2Config& c) { c.banks = 0; }), InputError);
  EXPECT_THROW(make([](L2Config& c) { c.banks = kMaxL2Banks + 1; }), InputError);
  EXPECT_THROW(make([](L2Config& c) { c.mshrs = 0; }), InputError);
  EXPECT_THROW(make([](L2Config& c) { c.mshrs = kMaxL2Mshrs + 1; }), InputError);
  EXPECT_THROW(make([](L2Config& c) { c.mshr_merges = 0; }), InputError);
  for (const unsigned fill : {0u, 16u, 48u, 96u, 256u})
    EXPECT_THROW(make([&](L2Config& c) { c.fill_bytes = fill; }), InputError) << fill;
}

L2Config write_through(unsigned fill_bytes = 32) {
  L2Config config = one_set();
  config.write_through = true;
  config.fill_bytes = fill_bytes;
  return config;
}

TEST(L2SliceThatWritesThrough, SendsAWriteOnAtOnceAndKeepsItsSectors) {
  auto b = bench({write(10, 64, 32), read(200, 64), read(300, 96)}, write_through());
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 2u);
  EXPECT_TRUE(b.memory[0].write);
  EXPECT_EQ(b.memory[0].sent, 11u);
  EXPECT_EQ(b.memory[0].address, 64u);
  EXPECT_EQ(b.memory[0].bytes, 32u);
  EXPECT_EQ(b.answers[0].replied, 10 + kLatency);
  EXPECT_TRUE(b.answers[1].l2_hit);
  EXPECT_EQ(b.memory[1].address, 96u);
}

TEST(L2SliceThatWritesThrough, HasNothingToWriteBackButWhatAtomicsChanged) {
  auto b = bench({write(0, 0, 128), atomic(10, 128), read(500, 256), read(600, 384)}, write_through());
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 5u);
  EXPECT_TRUE(b.memory[0].write);
  EXPECT_FALSE(b.memory[1].write);
  EXPECT_FALSE(b.memory[2].write);
  const auto& back = b.memory[3].write ? b.memory[3] : b.memory[4];
  EXPECT_TRUE(back.write);
  EXPECT_EQ(back.address, 128u);
}

TEST(L2SliceThatWritesThrough, WithLargerFillsWritesBeforeItFetchesTheRest) {
  auto b = bench({write(10, 32, 32, true)}, write_through(128));
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 2u);
  EXPECT_TRUE(b.memory[0].write);
  EXPECT_TRUE(b.memory[0].partial);
  EXPECT_EQ(b.memory[0].bytes, 32u);
  EXPECT_FALSE(b.memory[1].write);
  EXPECT_EQ(b.memory[1].bytes, 128u);
  EXPECT_EQ(b.answers[0].replied, 10 + kLatency);
}

TEST(L2SliceThatWritesThrough, HoldsUpWritesThatFindNoRoomOnTheWayToDram) {
  std::vector<Request> writes;
  for (unsigned i = 0; i < 200; ++i) writes.push_back(write(0, 0, 32));
  auto b = bench(writes, write_through());
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.memory.size(), 200u);
  L2SliceLinks links;
  links.memory_credits = 1;
  auto slow = bench(writes, write_through(), {}, links);
  ASSERT_TRUE(slow.run());
  EXPECT_EQ(slow.memory.size(), 200u);
  EXPECT_GT(stalled(slow, L2Stall::kMemoryQueue), 1000u);
  const auto early = std::count_if(slow.answers.begin(), slow.answers.end(),
                                   [&](const auto& answer) { return answer.started < slow.memory[1].sent; });
  EXPECT_EQ(early, 33);  // one with the controller, and as many as the way there holds
}

L2Config without_cache() {
  L2Config config = one_set();
  config.enabled = false;
  return config;
}

TEST(L2SliceWithoutACache, FetchesALineAgainForEveryRead) {
  auto b = bench({read(0, 0x1020, 64), read(1, 0x1020, 64), read(500, 0x1020)}, without_cache());
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 3u);
  EXPECT_EQ(b.memory[0].sent, 1u);
  EXPECT_EQ(b.memory[0].address, 0x1020u);
  EXPECT_EQ(b.memory[0].bytes, 64u);
  EXPECT_EQ(b.answers[0].replied, b.memory[0].answered + kLatency);
  EXPECT_EQ(b.answers[0].row, RowOutcome::kHit);
  EXPECT_EQ(b.answers[2].replied, b.memory[2].answered + kLatency);
  EXPECT_EQ(b.core.statistics().read_hits, 0u);
  EXPECT_EQ(b.core.statistics().fills, 3u);
}

TEST(L2SliceWithoutACache, WritesThroughAndAcknowledgesAtOnce) {
  auto b = bench({write(10, 64, 32), write(20, 64, 32, true), read(600, 64)}, without_cache());
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 3u);
  EXPECT_TRUE(b.memory[0].write);
  EXPECT_EQ(b.memory[0].sent, 11u);
  EXPECT_FALSE(b.memory[0].partial);
  EXPECT_TRUE(b.memory[1].partial);
  EXPECT_EQ(b.answers[0].replied, 10 + kLatency);
  EXPECT_FALSE(b.answers[1].l2_hit);
  EXPECT_FALSE(b.memory[2].write);
}

TEST(L2SliceWithoutACache, ReadsAndWritesForAnAtomic) {
  auto b = bench({atomic(0, 0)}, without_cache());
  ASSERT_TRUE(b.run());
  ASSERT_EQ(b.memory.size(), 2u);
  EXPECT_FALSE(b.memory[0].write);
  EXPECT_TRUE(b.memory[1].write);
  EXPECT_EQ(b.answers[0].replied, b.memory[0].answered + kLatency);
}

TEST(L2SliceWithoutACache, HoldsUpReadsThatFindNoMshr) {
  L2Config config = without_cache();
  config.mshrs = 2;
  auto b = bench({read(0, 0), read(0, 0), read(0, 0)}, config);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.memory[2].sent, b.memory[0].answered + 1);
  EXPECT_GT(stalled(b, L2Stall::kMshr), 50u);
}

TEST(L2SliceWithoutACache, HasNoBankThatIsBusy) {
  L2Config config = without_cache();
  config.banks = 1;
  L2SliceLinks links;
  links.memory_width = links.reply_width = 2;
  auto b = bench({read(0, 0), read(0, 0)}, config, {}, links);
  ASSERT_TRUE(b.run());
  EXPECT_EQ(b.memory[0].answered, b.memory[1].answered);
  EXPECT_EQ(b.answers[0].replied, b.answers[1].replied);
  EXPECT_EQ(stalled(b, L2Stall::kBank), 0u);
}

}  // namespace
}  // namespace gputlm
