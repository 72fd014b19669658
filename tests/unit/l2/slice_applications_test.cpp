// A slice with separate queues and MSHRs for its applications.

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "models/l2/slice_core.h"
#include "tests/unit/l2/slice_harness.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr Cycle kLatencyOfTwo = 60;

class SliceOfTwo : public testing::Test {
 protected:
  SliceOfTwo() { config_.latency = kLatencyOfTwo, config_.applications = 2, config_.mshrs = 4, config_.banks = 1; }

  Access& request(ApplicationId application, unsigned line, bool write = false) {
    Access& made = source_.allocate();
    made.bytes = write ? 128 : 32;
    made.write = write;
    made.address = Address{line} * kLineBytes;
    made.identity.application = application;
    return made;
  }
  static std::vector<Cycle> cycles(Outbox<Access>& outbox) {
    std::vector<Cycle> cycles;
    for (const auto& departure : outbox.departures()) cycles.push_back(departure.slot / outbox.width());
    return cycles;
  }

  L2Config config_;
  L2SliceLinks links_;
  MemoryMap map_{{}, 1};
  test::PlainAccesses source_;
};

TEST_F(SliceOfTwo, AHeadThatWaitsForAnMshrHoldsUpItsOwnApplicationAlone) {
  L2SliceCore core(config_, links_, 0, map_, source_);
  ASSERT_EQ(core.channels(), 2u);
  for (unsigned i = 0; i < 10; ++i) core.requests(0).push(0, request(0, i));
  core.requests(1).push(20, request(1, 100));
  core.advance(100);
  EXPECT_EQ(core.requests(0).size(), 8u);  // two of four MSHRs are its own
  EXPECT_EQ(core.requests(1).size(), 0u);
  EXPECT_TRUE(core.stalled());
  EXPECT_EQ(core.stall(), L2Stall::kMshr);

  config_.applications = 1;
  L2SliceCore shared(config_, links_, 0, map_, source_);
  for (unsigned i = 0; i < 10; ++i) shared.requests().push(0, request(0, i));
  shared.requests().push(20, request(1, 100));
  shared.advance(100);
  EXPECT_EQ(shared.requests().size(), 7u);  // the other one's among them
}

TEST_F(SliceOfTwo, AnMshrComesBackToTheApplicationThatHadIt) {
  L2SliceCore core(config_, links_, 0, map_, source_);
  for (unsigned i = 0; i < 3; ++i) core.requests(0).push(0, request(0, i));
  core.advance(100);
  ASSERT_EQ(core.requests(0).size(), 1u);
  core.memory_replies().push(100, *core.memory_requests().departures().at(0).item);
  core.advance(200);
  EXPECT_EQ(core.requests(0).size(), 0u);
}

TEST_F(SliceOfTwo, RepliesGoBackTheWayTheirRequestsCameAndShareTheLink) {
  L2SliceCore core(config_, links_, 0, map_, source_);
  for (unsigned i = 0; i < 4; ++i) {
    core.requests(0).push(0, request(0, i, true));
    core.requests(1).push(0, request(1, 100 + i, true));
  }
  core.advance(1000);
  const std::vector<Cycle> first = cycles(core.replies(0)), second = cycles(core.replies(1));
  // The bank takes one of each in turn, and so leave the replies, one flit a cycle.
  EXPECT_EQ(first, (std::vector<Cycle>{kLatencyOfTwo, kLatencyOfTwo + 2, kLatencyOfTwo + 4, kLatencyOfTwo + 6}));
  EXPECT_EQ(second, (std::vector<Cycle>{kLatencyOfTwo + 1, kLatencyOfTwo + 3, kLatencyOfTwo + 5, kLatencyOfTwo + 7}));
}

TEST_F(SliceOfTwo, AFullWayToDramHoldsUpItsOwnApplicationAlone) {
  config_.mshrs = 200;
  links_.memory_channels = 2;
  links_.memory_credits = 1;
  L2SliceCore core(config_, links_, 0, map_, source_);
  for (unsigned i = 0; i < 30; ++i) core.requests(0).push(0, request(0, i));
  core.requests(1).push(40, request(1, 100));
  core.advance(100);
  EXPECT_EQ(core.requests(0).size(), 30u - 17);  // 16 wait, as many as half of the queue holds, and one has left
  EXPECT_EQ(core.stall(), L2Stall::kMemoryQueue);
  EXPECT_EQ(cycles(core.memory_requests(0)), std::vector<Cycle>{1});
  EXPECT_EQ(cycles(core.memory_requests(1)), std::vector<Cycle>{41});
}

TEST_F(SliceOfTwo, AFillThatWaitsForItsBankHoldsUpItsOwnWayFromDramAlone) {
  config_.banks = 2;
  links_.memory_channels = 2;
  L2SliceCore core(config_, links_, 0, map_, source_);
  for (const unsigned line : {0u, 3u}) core.requests(0).push(0, request(0, line));  // of one bank
  core.requests(1).push(0, request(1, 1));                                          // of the other one
  core.advance(100);
  for (const unsigned channel : {0u, 1u}) {
    for (const auto& departure : core.memory_requests(channel).departures())
      core.memory_replies(channel).push(100, *departure.item);
  }
  core.advance(200);
  EXPECT_EQ(core.memory_replies(0).freed_slots(), (std::vector<Cycle>{100, 101}));
  EXPECT_EQ(core.memory_replies(1).freed_slots(), std::vector<Cycle>{100});
}

TEST_F(SliceOfTwo, ALineIsWrittenBackTheWayOfItsLastWriter) {
  config_.bytes = 2 * kLineBytes;
  config_.ways = 2;
  links_.memory_channels = 2;
  L2SliceCore core(config_, links_, 0, map_, source_);
  core.requests(0).push(0, request(0, 0, true));
  core.requests(1).push(10, request(1, 1, true));
  core.requests(1).push(20, request(1, 2));
  core.advance(100);
  ASSERT_EQ(core.memory_requests(0).departures().size(), 1u);
  EXPECT_TRUE(core.memory_requests(0).departures()[0].item->write);
  ASSERT_EQ(core.memory_requests(1).departures().size(), 1u);
  EXPECT_FALSE(core.memory_requests(1).departures()[0].item->write);
}

TEST_F(SliceOfTwo, NeedsAnMshrAndAPlaceInTheQueueForEachApplication) {
  config_.applications = 5;
  EXPECT_THROW(L2SliceCore(config_, links_, 0, map_, source_), InputError);
  config_.mshrs = 5;
  EXPECT_NO_THROW(L2SliceCore(config_, links_, 0, map_, source_));
  config_.queue = 4;
  EXPECT_THROW(L2SliceCore(config_, links_, 0, map_, source_), InputError);
}

// A line that is read again and again stays, however many another application reads, if that has other ways.
TEST_F(SliceOfTwo, LinesInWaysOfTheirOwnStay) {
  config_.applications = 1;
  config_.bytes = 8 * kLineBytes;  // one set
  config_.ways = 8;
  for (const bool apart : {true, false}) {
    L2SliceCore core(config_, links_, 0, map_, source_,
                     apart ? std::vector<WaySet>{0b11, 0xfc} : std::vector<WaySet>{});
    std::uint64_t hits = 0;
    Cycle now = 0;
    for (unsigned round = 0; round < 40; ++round) {
      for (const bool own : {true, false}) {
        for (unsigned i = 0; i < (own ? 2u : 9u); ++i) {
          core.requests().push(now, request(own ? 0 : 1, own ? i : 100 + round * 9 + i));
          core.advance(now + 200);
          for (auto& departure : core.memory_requests().departures()) {
            core.memory_replies().push(now + 200, *departure.item);
            core.memory_requests().credit(now + 200, 1);
          }
          core.memory_requests().departures().clear();
          core.advance(now + 400);
          for (const auto& departure : core.replies().departures()) {
            hits += departure.item->identity.application == 0 && departure.item->l2_hit;
            core.replies().credit(now + 400, 1);
          }
          core.replies().departures().clear();
          now += 400;
        }
      }
    }
    EXPECT_EQ(hits, apart ? 78u : 0u);
  }
}

}  // namespace
}  // namespace gputlm
