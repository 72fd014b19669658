#include "models/contention/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "models/sm/blocks/contention_end.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm {
namespace {

class TestKernel final : public Kernel {
 public:
  std::unique_ptr<BlockCode> code(std::uint64_t) override { return nullptr; }
};

constexpr unsigned kSms = 4, kBlocks = 8;
constexpr Cycle kHop = 20;

Link link() {
  const Link::Direction direction{1, kBlocks, 4 * kBlocks};
  return {kHop, direction, direction};
}

/// Two kernels that each fill a memory alone.
ContentionSetup setup(const Kernel* a, const Kernel* b) {
  ContentionSetup all;
  all.memory.l2_sectors = all.alone.l2_sectors = 65536;
  MemoryCapacities& has = all.memory.has;
  has.port = {{{10, 200}, {1000, 300}}};
  has.l2 = {{{40, 0}, {4000, 10}}};
  has.dram = {{{100, 300}, {1000, 900}}};
  has.mixed = has.written = 900;
  all.alone.has = has;
  all.sm.pipe.fill(4);
  BlockNeeds needs;
  needs.cycles = 20000;
  needs.blocks_alone = 8;
  needs.sms_alone = kSms;
  needs.warps = 4;
  needs.reads = needs.dram_reads = 2400;
  all.kernels = {{a, needs}, {b, needs}};
  return all;
}

/// The unit and its SMs, whose messages take a hop.
class Wires {
 public:
  explicit Wires(const ContentionSetup& all) : core(all, kSms, rates_, link()) {
    for (unsigned sm = 0; sm < kSms; ++sm) ends.emplace_back(counts_, link());
  }
  /// Blocks of kernels on an SM, from `now` on.
  void set(unsigned sm, const std::map<KernelId, std::pair<const Kernel*, unsigned>>& blocks, Cycle now) {
    ContentionEnd& end = ends[sm];
    end.begin_count();
    for (const auto& [id, its] : blocks) {
      BlockLaunch block;
      block.identity.kernel = id;
      block.identity.application = static_cast<ApplicationId>(id);
      block.kernel = const_cast<Kernel*>(its.first);
      for (unsigned i = 0; i < its.second; ++i) end.count(block);
    }
    end.end_count(now);
  }
  void run(Cycle from, Cycle to) {
    for (Cycle now = from; now < to; ++now) {
      core.advance(now + 1);
      for (unsigned sm = 0; sm < kSms; ++sm) {
        ends[sm].take(now, [&](KernelId, BlockPace) { return without_pace; });
        carry(ends[sm].counts, core.counts(sm));
        carry(core.counts_heard(sm), ends[sm].counts_heard);
        carry(core.rates(sm), ends[sm].rates);
        carry(ends[sm].rates_heard, core.rates_heard(sm));
      }
    }
  }
  Cycle without_pace = 0;  ///< block cycles of a kernel, when its first pace comes
  std::size_t under_way() const { return counts_.in_use() + rates_.in_use(); }

 private:
  template <class Item>
  static void carry(Outbox<Item>& from, Inbox<Item>& to) {
    for (const auto& departure : from.departures()) to.push(departure.cycle + kHop, *departure.item);
    from.departures().clear();
    for (const Cycle freed : to.freed_slots()) from.credit(freed + kHop, 1);
    to.freed_slots().clear();
  }
  test::PlainItems<BlockCount> counts_;
  test::PlainItems<BlockRate> rates_;

 public:
  ContentionCore core;
  std::deque<ContentionEnd> ends;
};

double pace(const ContentionEnd& end, KernelId kernel) {
  return static_cast<double>(end.pace(kernel)) / (1u << kPaceFraction);
}

TEST(ContentionCore, TellsSmsWhenOthersCome) {
  TestKernel a, b;
  Wires wires(setup(&a, &b));
  for (unsigned sm = 0; sm < kSms; ++sm) wires.set(sm, {{0, {&a, 2}}}, 0);
  wires.run(0, 1000);
  for (unsigned sm = 0; sm < kSms; ++sm) EXPECT_NEAR(pace(wires.ends[sm], 0), 1, 0.01);
  for (unsigned sm = 0; sm < kSms; ++sm) wires.set(sm, {{0, {&a, 2}}, {1, {&b, 2}}}, 1000);
  wires.run(1000, 2000);
  for (unsigned sm = 0; sm < kSms; ++sm) {
    EXPECT_NEAR(pace(wires.ends[sm], 0), 0.52, 0.05);
    EXPECT_EQ(wires.ends[sm].pace(0), wires.ends[sm].pace(1));
  }
  for (unsigned sm = 0; sm < kSms; ++sm) wires.set(sm, {{1, {&b, 2}}}, 2000);
  wires.run(2000, 4000);
  EXPECT_NEAR(pace(wires.ends[0], 1), 1, 0.01);
  EXPECT_EQ(wires.under_way(), 0u) << "all messages have been given back";
}

TEST(ContentionCore, TakesABlockThatIsReplacedForOneThatStays) {
  TestKernel a, b;
  Wires wires(setup(&a, &b));
  for (unsigned sm = 0; sm < kSms; ++sm) wires.set(sm, {{0, {&a, 2}}}, 0);
  wires.run(0, 1000);
  const auto before = wires.core.statistics();
  wires.set(0, {{0, {&a, 1}}}, 1000);
  wires.run(1000, 1040);
  wires.set(0, {{0, {&a, 2}}}, 1040);
  wires.run(1040, 3000);
  EXPECT_EQ(wires.core.statistics().told, before.told);
}

TEST(ContentionEnd, CountsWhatBlocksLose) {
  TestKernel a, b;
  Wires wires(setup(&a, &b));
  for (unsigned sm = 0; sm < kSms; ++sm) wires.set(sm, {{0, {&a, 2}}, {1, {&b, 2}}}, 0);
  wires.run(0, 1000);
  ContentionEnd& end = wires.ends[0];
  end.get_on(100000);
  const LostTime lost = end.lost().at(0);
  const double all = static_cast<double>(std::accumulate(lost.lost.begin(), lost.lost.end(), std::uint64_t{0}));
  EXPECT_NEAR(all - static_cast<double>(lost.gained), 200000 * (1 - pace(end, 0)), 10);
  EXPECT_GT(lost.lost[static_cast<std::size_t>(Shared::kDram)], 80000u);
}

/// Blocks get on as alone until a pace comes, which then is theirs from their beginning.
TEST(ContentionEnd, CountsWhatBlocksLoseBeforeTheirFirstPace) {
  TestKernel a, b;
  Wires wires(setup(&a, &b));
  wires.without_pace = 600;
  for (unsigned sm = 0; sm < kSms; ++sm) wires.set(sm, {{0, {&a, 2}}, {1, {&b, 2}}}, 0);
  EXPECT_EQ(wires.ends[0].pace(0), 0u);
  wires.run(0, 1000);
  const LostTime lost = wires.ends[0].lost().at(0);
  const double all = static_cast<double>(std::accumulate(lost.lost.begin(), lost.lost.end(), std::uint64_t{0}));
  EXPECT_NEAR(all, 600 * (1 - pace(wires.ends[0], 0)), 10);
}

}  // namespace
}  // namespace gputlm
