/// The two partitions of an L2 slice: places of lines, crossing replies, and copies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/l2/slice_core.h"
#include "tests/unit/l2/slice_harness.h"

namespace gputlm {
namespace {

using test::atomic;
using test::read;
using test::Request;
using test::SliceHarness;
using test::write;

/// One set of two ways: with two partitions, of each of them one.
L2Config of_partitions(unsigned partitions) {
  L2Config config;
  config.bytes = 2 * kLineBytes;
  config.ways = 2;
  config.latency = 60;
  config.partitions = partitions;
  return config;
}

/// Whether the reply to each request from one of two partitions crosses to the other.
std::vector<bool> crossings(const SliceHarness& b) {
  std::vector<bool> cross;
  for (std::size_t i = 0; i < b.answers.size(); ++i) {
    EXPECT_EQ(b.answers[i].partition & 1, b.requests()[i].partition);
    cross.push_back(b.answers[i].partition & kCrossing);
  }
  return cross;
}
Request from(std::uint8_t partition, Request request) {
  request.partition = partition;
  return request;
}

TEST(L2Slice, ALineStaysInThePartitionThatAskedFirstAndIsFarFromTheOther) {
  const L2Config config = of_partitions(2);
  SliceHarness b(config, {}, {},
                 {from(1, read(0, 0)), from(0, read(1, 0)), from(1, read(500, 0)), from(0, read(600, 0)),
                  from(0, read(700, 0)), from(0, write(800, 0)), from(0, atomic(900, 0)), from(1, write(1000, 0)),
                  from(0, write(1100, 0x1000)), from(0, read(1200, 0x1000)), from(1, read(1300, 0x1000))});
  ASSERT_TRUE(b.run());
  // What misses or waits for the same fill does not cross.
  EXPECT_THAT(crossings(b),
              testing::ElementsAre(false, false, false, true, true, true, true, false, false, false, true));
}

TEST(L2Slice, WhatDoesNotFitItsPartitionLiesInTheOther) {
  const L2Config config = of_partitions(2);
  SliceHarness b(config, {}, {},
                 {from(0, read(0, 0)), from(0, read(300, 0x1000)), from(0, read(600, 0)), from(0, read(700, 0x1000)),
                  from(1, read(800, 0x1000)),  // and the first one is the older: it goes
                  from(1, read(900, 0x2000)), from(1, read(1300, 0x2000)), from(0, read(1400, 0x2000))});
  ASSERT_TRUE(b.run());
  EXPECT_THAT(crossings(b), testing::ElementsAre(false, false, false, true, false, false, true, false));
}

TEST(L2Slice, KeepsACopyOfWhatTheOtherHalfHasUntilItIsWritten) {
  L2Config config = of_partitions(2);
  config.copies = true;
  SliceHarness b(config, {}, {},
                 {from(1, read(0, 0)), from(0, read(500, 0)), from(0, read(600, 0)), from(1, write(700, 0)),
                  from(0, read(800, 0)), from(0, read(900, 0))});
  ASSERT_TRUE(b.run());
  EXPECT_THAT(crossings(b), testing::ElementsAre(false, true, false, false, true, false));
  EXPECT_EQ(b.core.statistics().copy_hits, 2u);
}

TEST(L2Slice, WithOnePartitionNothingCrosses) {
  const L2Config config = of_partitions(1);
  SliceHarness b(config, {}, {}, {from(0, read(0, 0)), from(1, read(500, 0)), from(1, write(600, 0))});
  ASSERT_TRUE(b.run());
  EXPECT_THAT(crossings(b), testing::Each(false));
}

}  // namespace
}  // namespace gputlm
