#include "models/work_distributor/slicing_predictor.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

constexpr KernelId kA = 7, kB = 9;

TEST(SlicingPredictor, StateAfterEachEventOfAlgorithm1) {
  SlicingPredictor predictor(3);
  predictor.launched(kA, 31, 4, 3);  // ONLAUNCH: 31 blocks over 3 SMs
  for (SmId sm = 0; sm < 3; ++sm) {
    const SliceState& state = predictor.state(kA, sm);
    EXPECT_EQ(state.resident_blocks, 4u);  // line 2
    EXPECT_EQ(state.total_blocks, 11u);    // line 3: rounded up
    EXPECT_TRUE(state.reslice);            // line 4
    EXPECT_EQ(state.done_blocks, 0u);
    EXPECT_EQ(state.active_cycles, 0u);
    EXPECT_FALSE(state.t);
    EXPECT_FALSE(predictor.remaining(kA, sm));
  }
  EXPECT_FALSE(predictor.sampled(kA));

  predictor.block_sent(kA, 1, 100);  // ONBLOCKSTART, four of them
  predictor.block_sent(kA, 1, 101);
  predictor.block_sent(kA, 1, 102);
  predictor.block_sent(kA, 1, 103);
  predictor.block_ended(kA, 1, 450, 600);  // ONBLOCKEND
  const SliceState& state = predictor.state(kA, 1);
  EXPECT_EQ(state.done_blocks, 1u);                       // line 11
  EXPECT_EQ(state.t, Cycle{450});                         // lines 12 and 13
  EXPECT_FALSE(state.reslice);                            // set to false after every prediction
  EXPECT_EQ(state.active_cycles, 500u);                   // since the first block was sent
  EXPECT_EQ(state.predicted, Cycle{500 + 10 * 450 / 4});  // equation 2
  EXPECT_TRUE(predictor.sampled(kA));
  EXPECT_EQ(predictor.remaining(kA, 1), Cycle{10 * 450 / 4});

  predictor.block_ended(kA, 1, 470, 650);
  EXPECT_EQ(state.t, Cycle{450}) << "of the slice's first block";
  EXPECT_EQ(state.predicted, Cycle{550 + 9 * 450 / 4});

  predictor.launched(kB, 3, 8, 3);  // a launch begins a slice for the others too
  EXPECT_TRUE(state.reslice);
  EXPECT_EQ(state.t, Cycle{450}) << "until a block ends in it";
  predictor.block_ended(kA, 1, 900, 1000);
  EXPECT_EQ(predictor.state(kA, 1).t, Cycle{900});
  EXPECT_EQ(predictor.state(kA, 1).predicted, Cycle{900 + 8 * 900 / 4});

  predictor.ended(kB);  // ONKERNELEND
  EXPECT_TRUE(predictor.state(kA, 1).reslice);
  EXPECT_TRUE(predictor.state(kA, 0).reslice);
}

TEST(SlicingPredictor, ActiveCyclesCountWhileABlockIsThere) {
  SlicingPredictor predictor(1);
  predictor.launched(kA, 10, 2, 1);
  predictor.block_sent(kA, 0, 10);
  predictor.block_sent(kA, 0, 15);
  predictor.block_ended(kA, 0, 5, 30);
  EXPECT_EQ(predictor.state(kA, 0).active_cycles, 20u);
  predictor.block_ended(kA, 0, 5, 50);
  EXPECT_EQ(predictor.state(kA, 0).active_cycles, 40u);
  predictor.block_sent(kA, 0, 1000);
  predictor.block_ended(kA, 0, 5, 1007);
  EXPECT_EQ(predictor.state(kA, 0).active_cycles, 47u);
}

TEST(SlicingPredictor, ActiveCyclesAreThoseUpToNow) {
  SlicingPredictor predictor(2);
  predictor.launched(kA, 10, 2, 2);
  predictor.block_sent(kA, 0, 10);
  predictor.block_sent(kA, 0, 15);
  EXPECT_EQ(predictor.active_cycles(kA, 0, 22), 12u);
  predictor.block_ended(kA, 0, 5, 30);
  EXPECT_EQ(predictor.active_cycles(kA, 0, 33), 23u);
  predictor.block_ended(kA, 0, 5, 50);
  EXPECT_EQ(predictor.active_cycles(kA, 0, 99), 40u) << "nothing is there";
  EXPECT_EQ(predictor.active_cycles(kA, 1, 99), 0u);
}

TEST(SlicingPredictor, APredictionSaysWhatItIsMadeOf) {
  SlicingPredictor predictor(2);
  predictor.launched(kA, 9, 2, 2);
  predictor.block_sent(kA, 1, 100);
  predictor.block_sent(kA, 1, 100);
  const Prediction first = predictor.block_ended(kA, 1, 60, 200);
  EXPECT_EQ(first.kernel, kA);
  EXPECT_EQ(first.sm, 1u);
  EXPECT_EQ(first.at, 200u);
  EXPECT_TRUE(first.first_of_slice);
  EXPECT_EQ(first.done_blocks, 1u);
  EXPECT_EQ(first.total_blocks, 5u);
  EXPECT_EQ(first.t, 60u);
  EXPECT_EQ(first.predicted, Cycle{100 + 4 * 60 / 2});
  const Prediction second = predictor.block_ended(kA, 1, 80, 220);
  EXPECT_FALSE(second.first_of_slice);
  EXPECT_EQ(second.done_blocks, 2u);
  EXPECT_EQ(second.t, 60u);
  EXPECT_EQ(second.predicted, Cycle{120 + 3 * 60 / 2});
  EXPECT_EQ(predictor.block_duration(kA, 1), Cycle{60});
  EXPECT_EQ(predictor.block_duration(kA, 0), Cycle{60}) << "copied";
}

TEST(SlicingPredictor, AnSmWithoutASampleTakesTheLatestOfTheOthers) {
  SlicingPredictor predictor(3);
  predictor.launched(kA, 30, 5, 3);
  predictor.block_sent(kA, 2, 0);
  predictor.block_sent(kA, 2, 0);
  predictor.block_ended(kA, 2, 100, 140);
  EXPECT_EQ(predictor.remaining(kA, 2), Cycle{9 * 100 / 5});
  EXPECT_EQ(predictor.remaining(kA, 0), Cycle{10 * 100 / 5});
  predictor.block_sent(kA, 0, 0);
  predictor.block_ended(kA, 0, 300, 340);
  EXPECT_EQ(predictor.remaining(kA, 0), Cycle{9 * 300 / 5}) << "its own";
  EXPECT_EQ(predictor.remaining(kA, 1), Cycle{10 * 300 / 5});
  EXPECT_EQ(predictor.remaining(kA, 2), Cycle{9 * 100 / 5});
}

TEST(SlicingPredictor, MoreBlocksThanTheEvenShareLeaveNothingToGo) {
  SlicingPredictor predictor(2);
  predictor.launched(kA, 2, 1, 2);
  for (Cycle i = 0; i < 2; ++i) {
    predictor.block_sent(kA, 0, 10 * i);
    predictor.block_ended(kA, 0, 10, 10 * i + 10);
    EXPECT_EQ(predictor.remaining(kA, 0), Cycle{0});
    EXPECT_EQ(predictor.state(kA, 0).predicted, 10 * i + 10);
  }
}

/// Equation 2 is exact for equal blocks that fill their SM all the time, from the first block that ends on.
TEST(SlicingPredictor, PredictsEqualBlocksExactly) {
  for (const unsigned residency : {1u, 2u, 5u}) {
    for (const Cycle duration : {Cycle{1}, Cycle{17}, Cycle{1000}}) {
      constexpr Cycle kRounds = 6;
      SlicingPredictor predictor(1);
      predictor.launched(kA, kRounds * residency, residency, 1);
      for (Cycle round = 0; round < kRounds; ++round) {
        for (unsigned i = 0; i < residency; ++i) predictor.block_sent(kA, 0, round * duration);
        for (unsigned i = 0; i < residency; ++i) predictor.block_ended(kA, 0, duration, (round + 1) * duration);
        EXPECT_EQ(predictor.state(kA, 0).predicted, kRounds * duration);
      }
    }
  }
}

}  // namespace
}  // namespace gputlm
