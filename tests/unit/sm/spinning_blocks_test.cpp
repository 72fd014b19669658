// Blocks that only spin, as the work distributor knows them: taken off an SM and brought back.
#include "models/sm/blocks/spinning_blocks.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

#include "models/kernel/program_kernel.h"

namespace gputlm {
namespace {

constexpr ApplicationId kMine = 1, kOther = 0;

class SpinningBlocksTest : public testing::Test {
 protected:
  SpinningBlocksTest() {
    ProgramSpec spec;
    spec.name = "k";
    spec.grid = {100};
    spec.block = {64};
    spec.registers_per_thread = 16;
    spec.body = {{SpinElement{1000 * kClock.period(), 0}}};
    kernel_ = std::make_unique<ProgramKernel>(spec, 1);
  }
  /// One that comes in cycle `start`, and ends some cycles after 1000 more.
  BlockLaunch& start(Cycle start, ApplicationId application = kMine) {
    BlockLaunch& block = blocks_.emplace_back();
    block.identity.application = application;
    block.kernel = kernel_.get();
    block.start = start;
    sm_.start(block, *kernel_, start);
    return block;
  }
  Cycle block_cycles(Cycle now) { return sm_.applications(now)[kMine].occupancy.block_cycles; }
  std::uint64_t preempted(Cycle now) {
    return sm_.applications(now)[kMine].counters.stall[static_cast<unsigned>(Stall::kPreempted)];
  }

  static constexpr Femtoseconds kPeriod = 1'000'000;
  const Clock kClock{kPeriod};
  SmConfig config_;
  std::unique_ptr<ProgramKernel> kernel_;
  std::deque<BlockLaunch> blocks_;
  SpinningBlocks sm_{config_, 0, kClock};
};

TEST_F(SpinningBlocksTest, WhatWasTakenOffEndsAsMuchLaterAsItWasAway) {
  BlockLaunch& block = start(100);
  const Cycle end = block.end;
  EXPECT_GE(end, 1100u);
  sm_.take_off({&block}, 300, 290);
  EXPECT_EQ(block.end, kNever);
  EXPECT_EQ(sm_.off(kMine).blocks, 1u);
  EXPECT_EQ(sm_.off(kMine).bytes, state_of_block(*kernel_, 2));
  EXPECT_EQ(sm_.off(kOther).blocks, 0u);
  sm_.bring_back(kMine, 5000);
  EXPECT_EQ(sm_.brought_back(), std::vector<BlockLaunch*>{&block});
  EXPECT_EQ(block.end, end + 4700);
  EXPECT_EQ(block.preempted, 4700u);
  EXPECT_EQ(block.counters.stall[static_cast<unsigned>(Stall::kPreempted)], 2 * 4700u);
  EXPECT_EQ(sm_.off(kMine).blocks, 0u);
}

TEST_F(SpinningBlocksTest, WhatIsCountedIsAsOfAnyCycle) {
  BlockLaunch& block = start(100);
  sm_.take_off({&block}, 300, 100);
  EXPECT_EQ(block_cycles(250), 150u);
  EXPECT_EQ(block_cycles(300), 200u) << "it is taken off in this cycle";
  EXPECT_EQ(block_cycles(1000), 201u) << "and gets on in it";
  EXPECT_EQ(sm_.statistics(1000).active_cycles, 200u);
  sm_.bring_back(kMine, 5000);
  EXPECT_EQ(block_cycles(5100), 300u);
  EXPECT_EQ(preempted(5100), 2 * 4700u);
  EXPECT_EQ(sm_.statistics(5100).active_cycles, 300u);
  const Cycle alone = block.end - 4700 - 100;
  sm_.end(block);
  EXPECT_EQ(sm_.totals(9000).resident, alone);
  EXPECT_EQ(sm_.totals(9000).active, alone);
  EXPECT_EQ(block_cycles(9000), alone);
  EXPECT_EQ(preempted(9000), 2 * 4700u);
  EXPECT_EQ(sm_.statistics(9000).active_cycles, alone);
}

TEST_F(SpinningBlocksTest, PlacesAreThoseOfWhoIsThere) {
  BlockLaunch& mine = start(100);
  BlockLaunch& second = start(101);
  sm_.take_off({&mine, &second}, 300, 200);
  BlockLaunch& others = start(400, kOther);
  EXPECT_EQ(others.slot, 0);
  sm_.end(others);
  sm_.bring_back(kMine, others.end + 10);
  EXPECT_EQ(start(others.end + 20).slot, 2) << "each of the first two has its own again";
}

}  // namespace
}  // namespace gputlm
