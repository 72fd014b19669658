#include "models/copy_engine/copy_times.h"

#include <gtest/gtest.h>

namespace gputlm::test {
namespace {

TEST(CopyTimes, KnowsWhatItHasSeenInWholePackets) {
  CopyTimes times(256, 256 * 8);
  EXPECT_FALSE(times.known(1));
  EXPECT_EQ(times.reached(1000), 0);
  times.learn(256, 40);
  times.learn(700, 60);  // three packets, two of which have ended together
  times.learn(512, 50);  // known already
  EXPECT_TRUE(times.known(768));
  EXPECT_FALSE(times.known(769));
  EXPECT_EQ(times.time(0), 0);
  EXPECT_EQ(times.time(1), 40);
  EXPECT_EQ(times.time(257), 60);
  EXPECT_EQ(times.time(768), 60);
  EXPECT_EQ(times.reached(39), 0);
  EXPECT_EQ(times.reached(40), 256);
  EXPECT_EQ(times.reached(59), 256);
  EXPECT_EQ(times.reached(60), 768);
  EXPECT_EQ(times.reached(1000), 768);
}

TEST(CopyTimes, GoesOnAtTheRateOfTheSecondHalf) {
  CopyTimes times(256, 256 * 8);
  for (Cycle packet = 1; packet <= 9; ++packet)
    times.learn(packet * 256, packet <= 4 ? 100 * packet : 400 + 7 * (packet - 4));
  EXPECT_TRUE(times.known(Bytes{1} << 40));
  EXPECT_EQ(times.time(256 * 8), 428);
  EXPECT_EQ(times.time(256 * 1008), 428 + 7 * 1000);
  for (Bytes packets = 0; packets < 100; ++packets) EXPECT_EQ(times.reached(times.time(packets * 256)), packets * 256);
}

}  // namespace
}  // namespace gputlm::test
