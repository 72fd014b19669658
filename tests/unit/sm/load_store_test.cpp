#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

using Code = std::vector<Instruction>;

/// Lanes 128 bytes apart.
Address line_a_lane(const Instruction& in, const WarpPosition&, unsigned lane) { return in.operand + lane * 128u; }

TEST(LoadStoreUnit, AsksForOneMissingLineACycleAndNamesIt) {
  SmConfig config = one_sub_core();
  config.l1.tag_lines = 4;  // that look up more does not make more miss
  HandKernel kernel(1, 1, {{load_from(0x10000, 1)}});
  kernel.address = line_a_lane;
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 32u);
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(sm.left[i].at, 2 + i);
    EXPECT_EQ(sm.left[i].address, 0x10000u + i * 128);
    EXPECT_EQ(sm.left[i].bytes, 32u);
    EXPECT_EQ(sm.left[i].flits, 1u);
  }
  const BlockCounters& count = sm.ended.at(0).counters;
  EXPECT_EQ(count.global_loads, 1u);
  EXPECT_EQ(count.l1_sector_misses, 32u);
  EXPECT_EQ(count.memory_requests, 32u);
  EXPECT_EQ(count.request_flits, 32u);
}

TEST(LoadStoreUnit, SectorsThatDoNotTouchTravelApart) {
  HandKernel kernel(1, 1, {{load_from(0, 1), store_to(4096)}});
  kernel.address = [](const Instruction& in, const WarpPosition&, unsigned lane) {  // the first and third sector
    return Address{in.operand} + lane % 8 * 4 + (lane / 8 % 2) * 64;
  };
  SmHarness sm(one_sub_core(), {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 4u);
  for (const Left& access : sm.left) {
    EXPECT_EQ(access.bytes, 32u);
    EXPECT_FALSE(access.partial);
  }
  EXPECT_EQ(sm.left[1].address, 64u);
  EXPECT_EQ(sm.left[3].address, 4096u + 64);
  EXPECT_TRUE(sm.left[2].write);
}

TEST(LoadStoreUnit, AStoreThatLeavesOutBytesOfASectorIsPartial) {
  Instruction some = store_to(4096);
  some.mask = 0x7f;  // 28 bytes of the first sector
  HandKernel kernel(1, 1, {{store_to(0), some}});
  SmHarness sm(one_sub_core(), {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 2u);
  EXPECT_FALSE(sm.left[0].partial);
  EXPECT_TRUE(sm.left[1].partial);
  EXPECT_EQ(sm.left[0].flits, (8u + 128 + 39) / 40);
}

TEST(LoadStoreUnit, LoadsOfALineUnderWayMergeAndEndTogether) {
  const SmConfig config = one_sub_core();
  HandKernel kernel(1, 4, {{load_from(0, 1)}});
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.left.size(), 1u);
  EXPECT_EQ(sm.ended.at(0).end, 2 + 100 + config.l1.fill_latency);
  EXPECT_EQ(sm.core.statistics(0).load_store.l1.mshr_merges, 3u);
  EXPECT_EQ(sm.ended[0].counters.l1_sector_misses, 16u);
  EXPECT_EQ(sm.ended[0].counters.l1_sector_hits, 0u);
}

TEST(LoadStoreUnit, AMergeFetchesOnlySectorsThatAreNotUnderWay) {
  Instruction half = load_from(0, 1);
  half.mask = 0xffff;  // the first two sectors
  HandKernel kernel(1, 2, {{half}, {load_from(0, 1)}});
  SmHarness sm(one_sub_core(), {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 2u);
  EXPECT_EQ(sm.left[0].bytes, 64u);
  EXPECT_EQ(sm.left[1].address, 64u);
  EXPECT_EQ(sm.left[1].bytes, 64u);
}

TEST(LoadStoreUnit, AMissFetchesTheAlignedGroupOfSectorsAroundIt) {
  for (const auto& [fill, address, bytes] : {std::tuple{32u, 96u, 32u}, {64u, 64u, 64u}, {128u, 0u, 128u}}) {
    SmConfig config = one_sub_core();
    config.l1.fill_bytes = fill;
    Instruction last = load_from(0, 1);
    last.mask = 0xff000000;  // the last sector
    Instruction third = load_from(0, 2);
    third.mask = 0x00ff0000;
    HandKernel kernel(1, 1, {{last, third}});
    SmHarness sm(config, {});
    sm.launch(kernel);
    ASSERT_TRUE(sm.run());
    ASSERT_EQ(sm.left.size(), fill == 32 ? 2u : 1u) << "the third sector is on its way with the last";
    EXPECT_EQ(sm.left[0].address, address);
    EXPECT_EQ(sm.left[0].bytes, bytes);
    EXPECT_EQ(sm.ended.at(0).counters.l1_sector_misses, 2u) << "what loads asked for is counted, not what came along";
  }
}

TEST(LoadStoreUnit, ABlockDoesNotEndBeforeWhatItMadeComeAlongHasCome) {
  SmConfig config = one_sub_core();
  config.l1.fill_bytes = 128;
  Instruction first_and_third = atomic_on(0, 2);  // they go stale in the L1
  first_and_third.mask = 0x00ff00ff;
  first_and_third.source[first_and_third.sources++] = 1;
  Instruction first = load_from(0, 3);
  first.mask = 0xff;
  first.source[first.sources++] = 2;
  HandKernel kernel(1, 1, {{load_from(0, 1), first_and_third, first}});
  Surroundings around;
  around.latency = [](const Access& a) { return Cycle{a.address == 64 && !a.atomic ? 1000u : 100u}; };
  SmHarness sm(config, {}, around);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 5u) << "the line, two sectors for the atomic, the first one again, and the third";
  EXPECT_GT(sm.ended.at(0).end, sm.left[4].at + 1000);
}

TEST(LoadStoreUnit, SectorsThatCameAlongAreHits) {
  SmConfig config = one_sub_core();
  config.l1.fill_bytes = 128;
  Instruction first = load_from(0, 1);
  first.mask = 0xff;
  Instruction needs = load_from(0, 2);  // waits for the first load
  needs.source[needs.sources++] = 1;
  HandKernel kernel(1, 1, {{first, needs}});
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.left.size(), 1u);
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_hits, 4u);
}

TEST(LoadStoreUnit, AFullMshrTakesNoFurtherMerge) {
  SmConfig config = one_sub_core();
  config.l1.mshr_merges = 2;
  HandKernel kernel(1, 5, {{load_from(0, 1)}});
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.left.size(), 1u);
  EXPECT_EQ(sm.core.statistics(0).load_store.l1.mshr_merges, 1u);
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_misses, 8u);
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_hits, 12u);
  // Two served at 2 and 3; the third is tried at 4 and goes on when the reply comes at 102.
  EXPECT_EQ(sm.core.statistics(0).load_store.mshr_full_cycles, 98u);
}

TEST(LoadStoreUnit, ALineThatHadToWaitForAnMshrIsFoundOnceItHasCome) {
  SmConfig config = one_sub_core();
  config.l1.mshrs = 1;
  Instruction again = load_from(4096, 3);
  again.source[again.sources++] = 2;
  HandKernel kernel(1, 1, {{load_from(0, 1), load_from(4096, 2), again}});
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.left.size(), 2u);
  EXPECT_GT(sm.core.statistics(0).load_store.mshr_full_cycles, 0u);
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_misses, 8u);
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_hits, 4u);
}

TEST(LoadStoreUnit, NeverHasMoreLinesUnderWayThanMshrsAndAlwaysGetsOn) {
  for (const unsigned mshrs : {1u, 2u, 3u, 7u, 64u}) {
    SmConfig config = one_sub_core();
    config.l1.mshrs = mshrs;
    HandKernel kernel(1, 4, {{load_from(0, 1), load_from(0x8000, 2), arithmetic(Pipe::kFp32, 3, {1, 2})}});
    kernel.address = [](const Instruction& in, const WarpPosition& position, unsigned lane) {
      return in.operand + (position.warp * 32 + lane) * 128u;
    };
    SmHarness sm(config, {});
    sm.launch(kernel);
    ASSERT_TRUE(sm.run()) << mshrs;
    EXPECT_EQ(sm.left.size(), 256u);
    for (std::size_t i = mshrs; i < sm.left.size(); ++i)
      ASSERT_GE(sm.left[i].at, sm.left[i - mshrs].at + 100) << mshrs << " MSHRs";
    EXPECT_GT(sm.core.statistics(0).load_store.mshr_full_cycles, 0u) << mshrs << " MSHRs";
  }
}

TEST(LoadStoreUnit, StoresGoAtTheRateAtWhichTheReceiverTakesThem) {
  SmConfig config = one_sub_core();
  config.l1.queue = 4;
  NocConfig noc;
  noc.queue = 4;
  Surroundings slow;
  slow.service = 25;
  constexpr unsigned n = 60;
  HandKernel kernel(1, 1, {Code(n, store_to(0))});
  SmHarness sm(config, noc, slow);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), n);
  for (unsigned i = 10; i < n; ++i) EXPECT_EQ(sm.left[i].at - sm.left[i - 1].at, 25u);
  EXPECT_GT(sm.core.statistics(0).load_store.queue_full_cycles, 20u * 25);
  EXPECT_GT(sm.ended.at(0).stall(Stall::kNotSelected), 20u * 25);
}

TEST(LoadStoreUnit, AStoreNeitherAllocatesNorInvalidates) {
  const Instruction use = arithmetic(Pipe::kFp32, 9, {1});
  HandKernel kernel(1, 1, {{store_to(0), load_from(0, 1), use, store_to(0), load_from(0, 1), use}});
  SmHarness sm(one_sub_core(), {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_misses, 4u);
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_hits, 4u);
}

TEST(LoadStoreUnit, AnAtomicGoesToTheL2AndLeavesNoOldCopyBehind) {
  const Instruction use = arithmetic(Pipe::kFp32, 9, {1});
  HandKernel kernel(1, 1, {{load_from(0, 1), use, atomic_on(0, 1), use, load_from(0, 1), use}});
  SmHarness sm(one_sub_core(), {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 3u);
  EXPECT_TRUE(sm.left[1].atomic);
  EXPECT_EQ(sm.left[1].flits, 4u);
  EXPECT_EQ(sm.ended.at(0).counters.l1_sector_misses, 8u);
}

TEST(LoadStoreUnit, AFillWakesItsWarpAtTheExactCycleWhileOthersRun) {
  SmConfig config = one_sub_core();
  config.integer = {1, 1};
  for (const unsigned fill : {1u, 12u, 63u, 64u, 65u, 200u}) {
    config.l1.fill_latency = fill;
    HandKernel kernel(1, 2, {{load_from(0, 1), arithmetic(Pipe::kFp32, 2, {1})}, Code(400, arithmetic(Pipe::kInt, 1))});
    SmHarness sm(config, {});
    sm.launch(kernel);
    ASSERT_TRUE(sm.run());
    EXPECT_EQ(sm.ended.at(0).stall(Stall::kMemory), 100u + fill) << fill;
    EXPECT_LT(sm.ended[0].stall(Stall::kNotSelected), 10u) << fill;
  }
}

TEST(LoadStoreUnit, BankConflictsHoldTheUnit) {
  const SmConfig config = one_sub_core();
  HandKernel kernel(
      1, 1, {{load_from(0, 1, Space::kShared), load_from(0, 2, Space::kShared), arithmetic(Pipe::kFp32, 3, {2})}});
  kernel.address = line_a_lane;  // all in one bank
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  // Served at 2 and 34; the second has its last word 31 cycles after a load without conflicts would.
  EXPECT_EQ(sm.ended.at(0).end, 33 + 31 + config.shared_latency + 2);
  EXPECT_EQ(sm.ended[0].counters.shared_conflict_cycles, 62u);
  EXPECT_EQ(sm.ended[0].counters.shared_accesses, 2u);
}

TEST(LoadStoreUnit, TheRepliesLatenciesAddUp) {
  Surroundings far;
  far.latency = [](const Access& access) { return 50 + access.address / 128 * 10; };
  HandKernel kernel(1, 1, {{load_from(0, 1)}});
  kernel.address = line_a_lane;
  SmHarness sm(one_sub_core(), {}, far);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < 32; ++i) sum += 50 + i * 10;
  EXPECT_EQ(sm.ended.at(0).counters.memory_latency, sum);
}

TEST(LoadStoreUnit, AllSubCoresGetOnWhenTheQueueIsFull) {
  SmConfig config = one_sub_core();
  config.sub_cores = 4;
  config.warps = 32;
  config.lsu_queue = 1;
  HandKernel kernel(1, 8, {Code(50, load_from(0, 1, Space::kConstant))});
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  EXPECT_THAT(sm.core.statistics(0).issued, testing::Each(2 * 51u));
}

TEST(LoadStoreUnit, AKernelFindsNothingOfTheOneBeforeItInTheL1) {
  for (const bool invalidate : {true, false}) {
    SmConfig config = one_sub_core();
    config.l1.invalidate_at_kernel_start = invalidate;
    HandKernel kernel(2, 1, {{load_from(0, 1)}});
    SmHarness sm(config, {});
    sm.launch(kernel, 0);
    sm.launch(kernel, 1, 5000);
    ASSERT_TRUE(sm.run());
    ASSERT_EQ(sm.ended.size(), 4u);
    std::uint64_t misses_of_second = 0;
    for (const Ended& block : sm.ended) misses_of_second += block.kernel == 1 ? block.counters.l1_sector_misses : 0;
    EXPECT_EQ(misses_of_second > 0, invalidate);
  }
}

TEST(LoadStoreUnit, AFullQueueServesTheSubCoresInTurn) {
  for (const unsigned queue : {1u, 2u, 8u}) {
    SmConfig config = one_sub_core();
    config.sub_cores = 4;
    config.warps = 32;
    config.lsu_queue = queue;
    HandKernel kernel(8, 1, {Code(40, load_from(0, 1, Space::kShared))});  // a warp a block, two a sub-core
    kernel.address = [](const Instruction&, const WarpPosition&, unsigned lane) { return Address{lane} % 8 * 128; };
    SmHarness sm(config, {});
    sm.launch(kernel);
    ASSERT_TRUE(sm.run());
    ASSERT_EQ(sm.ended.size(), 8u);
    // All have the same work, 320 cycles of the banks each: they end within a few rounds of each other.
    EXPECT_LT(sm.ended.back().end - sm.ended.front().end, 10 * 8 * 8u) << queue;
    EXPECT_GE(sm.ended.back().end, 8 * 40 * 8u);
  }
}

/// Lanes `stride` bytes apart.
HandKernel::AddressRule lanes_apart(unsigned stride) {
  return [stride](const Instruction& in, const WarpPosition&, unsigned lane) {
    return Address{in.operand} + Address{lane} * stride;
  };
}

/// An SM whose L1 holds all that these tests touch.
SmConfig with_l1(unsigned tag_lines, bool banked) {
  SmConfig config = one_sub_core();
  config.l1.bytes = 65536;
  config.l1.ways = 64;
  config.l1.tag_lines = tag_lines;
  config.l1.banked = banked;
  return config;
}

/// When a warp ends that makes an access, waits for it, and makes it `again` times, without waiting in between.
Cycle end_of(const SmConfig& config, const Instruction& access, unsigned stride, unsigned again) {
  Code code{load_from(access.operand, 1, Space::kGlobal, access.width), arithmetic(Pipe::kFp32, 9, {1})};
  for (unsigned i = 0; i < again; ++i) {
    code.push_back(access);
    if (access.op == Op::kLoad) code.back().destination = static_cast<std::uint8_t>(32 + i);
  }
  HandKernel kernel(1, 1, {code});
  kernel.address = lanes_apart(stride);
  SmHarness sm(config, {});
  sm.launch(kernel);
  EXPECT_TRUE(sm.run());
  return sm.ended.at(0).end;
}

/// Cycles of one of many accesses; the earlier ones are in the L1 by then.
Cycle cycles_of_each(const SmConfig& config, const Instruction& access, unsigned stride) {
  constexpr unsigned kMore = 8;
  const Cycle more = end_of(config, access, stride, 8 + kMore) - end_of(config, access, stride, 8);
  EXPECT_EQ(more % kMore, 0u);
  return more / kMore;
}

TEST(LoadStoreUnit, ALoadThatHitsTakesWhatTagsAndBanksDo) {
  struct Case {
    unsigned from, stride, width, tag_lines;
    bool banked;
    Cycle cycles;
  };
  for (const Case& c : std::vector<Case>{
           {0, 4, 4, 4, true, 1},     // a line
           {0, 0, 4, 4, true, 1},     // a word
           {16, 4, 4, 4, true, 2},    // two lines, the second one behind the first lane of the last part
           {32, 4, 4, 4, true, 1},    // two lines, as the last part begins with the second
           {0, 8, 4, 4, true, 2},     // two words in each bank that has any
           {16, 12, 4, 4, true, 2},   // four lines, of which three are those of first lanes
           {0, 128, 4, 4, true, 32},  // one bank
           {0, 128, 4, 4, false, 8},  // four lines a cycle
           {0, 132, 4, 4, true, 8},   // all banks
           {0, 132, 4, 1, true, 32},  // a line a cycle
           {0, 132, 4, 2, true, 16},
           {0, 132, 4, 32, true, 1},
           {0, 8, 8, 4, true, 2},  // 256 bytes
           {0, 8, 8, 4, false, 1},
           {0, 16, 16, 4, true, 4},  // 512 bytes
           {0, 0, 16, 4, true, 4},   // what each lane gets has to pass
       }) {
    const Instruction access = load_from(c.from, 1, Space::kGlobal, static_cast<std::uint8_t>(c.width));
    EXPECT_EQ(cycles_of_each(with_l1(c.tag_lines, c.banked), access, c.stride), c.cycles)
        << "from " << c.from << ", stride " << c.stride << ", width " << c.width << ", " << c.tag_lines << " lines, "
        << (c.banked ? "banks" : "no banks");
  }
}

TEST(LoadStoreUnit, HitsAndSharedMemoryTakeTheSameBanks) {
  for (const unsigned width : {4u, 8u, 16u}) {
    for (unsigned stride = 0; stride <= 64; stride += 1 + stride / 20) {
      const auto of = [&](Space space) {
        const Instruction access = load_from(0, 1, space, static_cast<std::uint8_t>(width));
        return cycles_of_each(with_l1(32, true), access, stride * width);
      };
      ASSERT_EQ(of(Space::kGlobal), of(Space::kShared)) << "width " << width << ", stride " << stride;
    }
  }
}

TEST(LoadStoreUnit, AHitIsThereWhenItsLastWordHasPassed) {
  const auto end = [](unsigned stride) {
    Code code{load_from(0, 1), arithmetic(Pipe::kFp32, 9, {1}), load_from(0, 2), arithmetic(Pipe::kFp32, 9, {2})};
    HandKernel kernel(1, 1, {code});
    kernel.address = lanes_apart(stride);
    SmConfig config = with_l1(4, true);
    Surroundings around;
    around.latency = [](const Access& access) { return Cycle{1000 - access.address / 128}; };  // all at the same time
    SmHarness sm(config, {}, around);
    sm.launch(kernel);
    EXPECT_TRUE(sm.run());
    return sm.ended.at(0).end;
  };
  const Cycle first_to_last = 31;
  EXPECT_EQ(end(128) - end(132), first_to_last - 7) << "32 words of one bank, or eight cycles of the tags";
}

TEST(LoadStoreUnit, WhatMissesTakesACycleALineBesideHits) {
  // Half of the lines are there, every other one: 16 cycles for those that are not, and not 16 + 8.
  Instruction some = load_from(0, 1);
  some.mask = 0x55555555;
  Code code{some, arithmetic(Pipe::kFp32, 9, {1}), load_from(0, 2), load_from(0x8000, 3)};
  HandKernel kernel(1, 1, {code});
  kernel.address = lanes_apart(132);
  SmHarness sm(with_l1(4, true), {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 16u + 16 + 32);
  for (unsigned i = 17; i < 32; ++i) EXPECT_EQ(sm.left[i].at, sm.left[i - 1].at + 1);
  EXPECT_EQ(sm.left[32].at, sm.left[16].at + 16) << "the next instruction";
  EXPECT_EQ(sm.core.statistics(0).load_store.busy_cycles, 16u + 16 + 32);
}

TEST(LoadStoreUnit, HitsBehindALineThatHadToWaitTakeAsLongAsEver) {
  SmConfig config = with_l1(4, true);
  config.l1.mshrs = 1;
  Instruction all_but_one = load_from(0, 1), other = load_from(0x20000, 2);
  all_but_one.mask = ~1u;
  other.mask = 1;
  HandKernel kernel(1, 1, {{all_but_one, arithmetic(Pipe::kFp32, 9, {1}), other, load_from(0, 3)}});
  kernel.address = lanes_apart(132);
  SmHarness sm(config, {});
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 33u);
  EXPECT_GE(sm.left[32].at, sm.left[31].at + 100) << "the first line of the last load waits for the MSHR";
  EXPECT_EQ(sm.core.statistics(0).load_store.busy_cycles, 31u + 1 + 8);
}

TEST(LoadStoreUnit, AStoreTakesWhatItSendsAndItsBanks) {
  SmConfig config = with_l1(4, true);
  NocConfig noc;
  noc.queue = 1000;
  const auto busy = [&](unsigned stride, unsigned width) {
    HandKernel kernel(1, 1, {{store_to(0, Space::kGlobal, static_cast<std::uint8_t>(width))}});
    kernel.address = lanes_apart(stride);
    SmHarness sm(config, noc);
    sm.launch(kernel);
    EXPECT_TRUE(sm.run());
    return sm.core.statistics(0).load_store.busy_cycles;
  };
  EXPECT_EQ(busy(4, 4), 1u);
  EXPECT_EQ(busy(132, 4), 32u) << "a line a cycle, as each is sent";
  EXPECT_EQ(busy(0, 16), 4u) << "one line, but the words of four quarters of a warp";
  config.l1.store_bytes = 32;
  EXPECT_EQ(busy(4, 4), 4u);
}

}  // namespace
}  // namespace gputlm::test
