#include "models/noc/memory_port_core.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {
namespace {

const Clock kClock(1000);

/// A memory port between accesses that are there from cycle 0 on and a network that answers when it is told to.
class MemoryPorts : public testing::Test {
 protected:
  static MemoryPortConfig config() {
    MemoryPortConfig config;
    config.queue = 8;
    config.outstanding = 3;
    return config;
  }
  static Link link() { return {20 * kClock.period(), {kClock.period(), 1, 16}, {kClock.period(), 1, 16}, 0}; }

  Access& access(Address address, bool write) {
    Access& access = asked_.allocate();
    access.address = address;
    access.bytes = 64;
    access.write = write;
    access.identity.application = 3;
    core.accesses().push(0, access);
    return access;
  }
  std::vector<Access*> requests() {
    std::vector<Access*> left;
    for (const auto& departure : core.requests().departures()) left.push_back(departure.item);
    core.requests().departures().clear();
    return left;
  }
  std::vector<Access*> answers() {
    std::vector<Access*> left;
    for (const auto& departure : core.answers().departures()) left.push_back(departure.item);
    core.answers().departures().clear();
    return left;
  }

 private:
  PlainItems<Access> asked_;
  MemoryMap map_{{}, 4};

 protected:
  PlainItems<Access> sent;
  MemoryPortCore core{config(), NetworkInterface{12, FlitFormat{}, link(), map_}, sent};
};

TEST_F(MemoryPorts, SendARequestOfTheirOwnForEachAccessAndAnswerItWithTheReply) {
  Access& read = access(0x1000, false);
  Access& write = access(0x2040, true);
  core.advance(10);
  const auto requests = this->requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0]->address, 0x1000u);
  EXPECT_FALSE(requests[0]->write);
  EXPECT_EQ(requests[0]->source, 12u);
  EXPECT_EQ(requests[1]->bytes, 64u);
  EXPECT_TRUE(requests[1]->write);
  EXPECT_EQ(requests[1]->identity.application, 3u);
  EXPECT_EQ(requests[1]->flits, 2u) << "a write takes its data along";
  requests[1]->l2_hit = true;
  core.replies().push(50, *requests[1]);  // in the other order
  core.replies().push(60, *requests[0]);
  core.advance(100);
  EXPECT_EQ(answers(), (std::vector<Access*>{&write, &read}));
  EXPECT_TRUE(write.l2_hit);
  EXPECT_EQ(sent.in_use(), 0u);
  EXPECT_EQ(core.statistics().read, 64u);
  EXPECT_EQ(core.statistics().written, 64u);
}

TEST_F(MemoryPorts, HaveNoMoreRequestsUnderWayThanTheyMay) {
  for (Address address = 0; address < 8 * kLineBytes; address += kLineBytes) access(address, false);
  core.advance(100);
  const auto first = requests();
  EXPECT_EQ(first.size(), 3u);
  EXPECT_EQ(core.outstanding(), 3u);
  core.replies().push(200, *first[1]);
  core.advance(300);
  EXPECT_EQ(requests().size(), 1u);
  EXPECT_EQ(core.outstanding(), 3u);
}

}  // namespace
}  // namespace gputlm::test
