#include "models/sm/mbarrier.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

TEST(Mbarrier, APhaseEndsWithItsLastArrivalAndTheNextBegins) {
  Mbarrier barrier(3, 2);
  EXPECT_FALSE(barrier.has_passed(0));
  EXPECT_TRUE(barrier.has_passed(1)) << "the phase before the first counts as over";
  EXPECT_FALSE(barrier.arrive(1, 0));
  EXPECT_EQ(barrier.missing_arrivals(), 1u);
  EXPECT_TRUE(barrier.arrive(1, 0));
  EXPECT_EQ(barrier.phase(), 1u);
  EXPECT_EQ(barrier.missing_arrivals(), 2u);
  EXPECT_TRUE(barrier.has_passed(0));
  EXPECT_FALSE(barrier.has_passed(1));
}

TEST(Mbarrier, BytesHoldAPhaseWhicheverComesFirst) {
  Mbarrier barrier(0, 1);
  EXPECT_FALSE(barrier.complete(64)) << "before anybody waits for them";
  EXPECT_FALSE(barrier.arrive(1, 128));
  EXPECT_EQ(barrier.missing_bytes(), 64);
  EXPECT_TRUE(barrier.complete(64));
  EXPECT_FALSE(barrier.arrive(0, 32)) << "a phase may wait for bytes alone, with its arrival to come";
  EXPECT_FALSE(barrier.complete(32));
  EXPECT_TRUE(barrier.arrive(1, 0));
  EXPECT_EQ(barrier.phase(), 2u);
}

TEST(Mbarrier, MoreArrivalsThanAPhaseHasAreNotAllowed) {
  Mbarrier barrier(0, 2);
  EXPECT_TRUE(barrier.allows(2));
  EXPECT_FALSE(barrier.allows(3));
  barrier.arrive(1, 0);
  EXPECT_FALSE(barrier.allows(2));
}

TEST(Mbarrier, WakesThoseOfThePhaseThatHasEnded) {
  Mbarrier barrier(0, 1);
  barrier.wait(0, 0);
  barrier.wait(5, 0);
  EXPECT_EQ(barrier.release(), 0u);
  barrier.arrive(1, 0);
  EXPECT_EQ(barrier.release(), 0b100001u);
  EXPECT_EQ(barrier.waiting(), 0u);
  barrier.wait(2, 1);
  EXPECT_EQ(barrier.release(), 0u);
  barrier.arrive(1, 0);
  EXPECT_EQ(barrier.release(), 0b100u);
}

TEST(Mbarrier, TheParityOfAWarpsWaitsAlternatesForEachWarp) {
  Mbarrier barrier(0, 1);
  EXPECT_EQ(barrier.next_parity(0, 0), 0u);
  EXPECT_EQ(barrier.next_parity(0, 0), 1u);
  EXPECT_EQ(barrier.next_parity(0, 0), 0u);
  EXPECT_EQ(barrier.next_parity(31, 1), 1u);
  EXPECT_EQ(barrier.next_parity(31, 1), 0u);
}

}  // namespace
}  // namespace gputlm
