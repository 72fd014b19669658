#include "models/host_link/core.h"

#include <gtest/gtest.h>

#include "models/host_memory/core.h"
#include "tests/unit/copy_engine/copy_harness.h"

namespace gputlm::test {
namespace {

/// A link with a memory at its end.
class LinkHarness {
 public:
  LinkHarness(const HostLinkConfig& config, const HostMemoryConfig& memory_config)
      : link(config, kClock), memory(memory_config, kClock, config.queue) {}
  void run(Cycle end) {
    for (Cycle until = kHop; until <= end; until += kHop) {
      while (!wanted.empty() && link.requests_in().size() < 60) {
        link.requests_in().push(at_, *wanted.front());
        wanted.pop_front();
        ++at_;
      }
      deliver(to_memory_, memory.requests(), until);
      deliver(to_link_, link.responses_in(), until);
      link.advance(until);
      memory.advance(until);
      carry(link.requests_out(), to_memory_, kHop);
      carry(memory.responses(), to_link_, kHop);
      give_back(memory.requests(), link.requests_out());
      give_back(link.responses_in(), memory.responses());
      for (const auto& departure : link.responses_out().departures()) {
        answered.push_back(departure.slot);
        link.responses_out().credit(departure.slot + kHop, 1);
      }
      link.responses_out().departures().clear();
      for (const Cycle at : link.requests_in().freed_slots()) {
        EXPECT_GE(at, until - kHop) << "room is given back in a window that is over";
        EXPECT_LT(at, until);
      }
      link.requests_in().freed_slots().clear();
      at_ = until;
    }
  }
  void access(bool write, std::uint16_t bytes) {
    Access& access = source_.allocate();
    access.write = write;
    access.bytes = bytes;
    wanted.push_back(&access);
  }

  HostLinkCore link;
  HostMemoryCore memory;
  std::deque<Access*> wanted;
  std::vector<Cycle> answered;

 private:
  Cycle at_ = 0;
  PlainItems<Access> source_;
  std::deque<std::pair<Cycle, Access*>> to_memory_, to_link_;
};

TEST(HostLink, APacketTakesTheTimeOfItsDataAndItsHeader) {
  HostLinkConfig config;
  config.lanes = 1;
  config.lane_gbits = 8;  // a byte a nanosecond, a cycle here
  config.header = 24;
  HostMemoryConfig memory;
  memory.gb_per_s = 1000000;
  memory.latency = 100;
  LinkHarness harness(config, memory);
  harness.access(false, 256);
  harness.run(2000);
  // There: 24 bytes and a hop; the memory; back: a hop and 280 bytes.
  EXPECT_THAT(harness.answered, testing::ElementsAre(24 + kHop + 1 + 100 + kHop + 280));
}

TEST(HostLink, ReadsReachTheShareOfTheBandwidthThatHeadersLeave) {
  HostLinkConfig config;
  config.lanes = 1;
  config.lane_gbits = 8;
  LinkHarness harness(config, {});
  for (int i = 0; i < 1000; ++i) harness.access(false, 256);
  harness.run(400000);
  ASSERT_EQ(harness.answered.size(), 1000u);
  for (std::size_t i = 500; i < 1000; ++i) EXPECT_EQ(harness.answered[i] - harness.answered[i - 1], 256u + 24u);
  EXPECT_EQ(harness.link.statistics().to_device, 256000u);
  EXPECT_EQ(harness.link.statistics().to_device_with_headers, 280000u);
  EXPECT_EQ(harness.memory.statistics().read, 256000u);
}

TEST(HostLink, DirectionsDoNotSlowEachOtherDownButForTheRequestsOfReads) {
  HostLinkConfig config;
  config.lanes = 1;
  config.lane_gbits = 8;
  LinkHarness harness(config, {});
  for (int i = 0; i < 500; ++i) {
    harness.access(false, 256);
    harness.access(true, 256);
  }
  harness.run(400000);
  ASSERT_EQ(harness.answered.size(), 1000u);
  const double cycles = static_cast<double>(harness.answered.back());
  EXPECT_NEAR(cycles, 500.0 * (256 + 24 + 24), 0.02 * cycles);
  EXPECT_EQ(harness.memory.statistics().written, harness.link.statistics().to_host);
}

TEST(HostMemory, ServesWhatItsBandwidthAllows) {
  HostLinkConfig config;
  config.lane_gbits = 1000;
  HostMemoryConfig memory;
  memory.gb_per_s = 10;
  LinkHarness harness(config, memory);
  for (int i = 0; i < 1000; ++i) harness.access(false, 100);
  harness.run(100000);
  ASSERT_EQ(harness.answered.size(), 1000u);
  EXPECT_EQ(harness.answered[999] - harness.answered[499], 5000u);
}

}  // namespace
}  // namespace gputlm::test
