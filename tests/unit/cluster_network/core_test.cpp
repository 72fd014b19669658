#include "models/cluster_network/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = ClusterPacket::Kind;

constexpr Femtoseconds kCycle = 1'000'000;
constexpr Link kLink{10 * kCycle, {kCycle, 1, 4}, {kCycle, 1, 4}};

class ClusterNetworkTest : public testing::Test {
 protected:
  ClusterPacket& packet(Kind kind, SmId to, std::uint32_t block = 0, std::uint16_t flits = 1) {
    ClusterPacket& made = *packets_.emplace_back(std::make_unique<ClusterPacket>());
    made.kind = kind;
    made.to = to;
    made.blocks = 2;
    made.flits = flits;
    made.identity.block = block;
    made.bytes = 32;
    return made;
  }
  static std::vector<Cycle> times(Outbox<ClusterPacket>& out) {
    std::vector<Cycle> at;
    for (const auto& departure : out.departures()) at.push_back(departure.cycle);
    return at;
  }
  ClusterNetworkCore network_{kLink, 4, 3};  // SMs 4 to 6

 private:
  std::vector<std::unique_ptr<ClusterPacket>> packets_;
};

TEST_F(ClusterNetworkTest, PassesRequestsOnAndAnswersBack) {
  ClusterPacket& load = packet(Kind::kLoad, 6);
  load.answer_flits = 8;
  network_.requests(0).push(5, load);
  EXPECT_EQ(network_.advance(100), kNever);
  EXPECT_THAT(times(network_.forwarded(2)), ElementsAre(5));
  EXPECT_EQ(load.from, 4);
  network_.replies(2).push(40, load);
  network_.advance(100);
  EXPECT_THAT(times(network_.answers(0)), ElementsAre(40));
  EXPECT_EQ(load.flits, 8) << "with the data";
  EXPECT_EQ(network_.statistics().loads, 1u);
  EXPECT_EQ(network_.statistics().bytes, 32u);
  EXPECT_EQ(network_.statistics().wait, 0u);
}

TEST_F(ClusterNetworkTest, ThoseForOneSmFollowEachOther) {
  network_.requests(0).push(5, packet(Kind::kStore, 6, 0, 8));
  network_.requests(1).push(5, packet(Kind::kStore, 6, 0, 8));
  network_.requests(2).push(5, packet(Kind::kStore, 4, 0, 8));
  network_.advance(100);
  EXPECT_THAT(times(network_.forwarded(2)), ElementsAre(5, 13));
  EXPECT_THAT(times(network_.forwarded(0)), ElementsAre(5)) << "others go another way";
  EXPECT_EQ(network_.statistics().wait, 8u);
}

TEST_F(ClusterNetworkTest, WithoutRoomAtTheSmTheyWait) {
  for (int i = 0; i < 6; ++i) network_.requests(i % 2).push(5, packet(Kind::kStore, 6));
  EXPECT_EQ(network_.advance(100), kNever) << "a credit makes more";
  EXPECT_THAT(times(network_.forwarded(2)), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(network_.waiting(), ElementsAre(HasSubstr("2 packets")));
  network_.forwarded(2).credit(120, 1);
  EXPECT_EQ(network_.advance(200), kNever);
  EXPECT_EQ(times(network_.forwarded(2)).back(), 120u);
}

TEST_F(ClusterNetworkTest, IsTheSameForAnyWayOfCuttingTime) {
  std::vector<std::vector<Cycle>> all;
  for (const Cycle step : {Cycle{1}, Cycle{7}, Cycle{1000}}) {
    ClusterNetworkCore network(kLink, 4, 3);
    for (Cycle at = 0; at < 12; at += 3) {
      for (unsigned i = 0; i < 3; ++i)
        network.requests(i).push(at, packet(Kind::kStore, static_cast<SmId>(4 + (i + at) % 3), 0, 2));
    }
    for (Cycle until = step; until < 200 + step; until += step) network.advance(until);
    std::vector<Cycle> at;
    for (unsigned i = 0; i < 3; ++i) {
      for (const Cycle time : times(network.forwarded(i))) at.push_back(time);
    }
    all.push_back(at);
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

TEST_F(ClusterNetworkTest, ABarrierAnswersWhenAllBlocksHaveArrived) {
  network_.requests(0).push(5, packet(Kind::kBarrier, 4, 0));
  network_.advance(100);
  EXPECT_THAT(times(network_.answers(0)), IsEmpty());
  EXPECT_THAT(network_.waiting(), ElementsAre(HasSubstr("1 of 2 blocks have arrived at its barrier: 0")));
  network_.requests(1).push(120, packet(Kind::kBarrier, 5, 1));
  network_.advance(200);
  EXPECT_THAT(times(network_.answers(0)), ElementsAre(120));
  EXPECT_THAT(times(network_.answers(1)), ElementsAre(120));
  EXPECT_EQ(network_.statistics().barriers, 1u);
  EXPECT_EQ(network_.statistics().barrier_wait, 115u);
}

TEST_F(ClusterNetworkTest, ABlockThatHasEndedHoldsNobody) {
  network_.requests(0).push(5, packet(Kind::kBarrier, 4, 0));
  network_.requests(1).push(20, packet(Kind::kLeave, 5, 1));
  network_.advance(100);
  EXPECT_THAT(times(network_.answers(0)), ElementsAre(20));
  EXPECT_THAT(times(network_.answers(1)), ElementsAre(20)) << "its packet comes back";
  network_.requests(0).push(120, packet(Kind::kBarrier, 4, 0));
  network_.advance(200);
  EXPECT_THAT(times(network_.answers(0)), ElementsAre(20, 120)) << "alone now";
  network_.requests(0).push(220, packet(Kind::kLeave, 4, 0));
  network_.advance(300);
  EXPECT_THAT(network_.waiting(), IsEmpty());
}

TEST_F(ClusterNetworkTest, ABlockThatHasArrivedAndEndedIsNotCountedTwice) {
  network_.requests(0).push(5, packet(Kind::kBarrier, 4, 0));
  network_.requests(0).push(9, packet(Kind::kLeave, 4, 0));
  network_.advance(100);
  EXPECT_THAT(times(network_.answers(0)), ElementsAre(9, 10));
  EXPECT_EQ(network_.statistics().barriers, 0u);
  network_.requests(1).push(120, packet(Kind::kBarrier, 5, 1));
  network_.advance(200);
  EXPECT_THAT(times(network_.answers(1)), ElementsAre(120));
  EXPECT_EQ(network_.statistics().barriers, 1u);
}

TEST_F(ClusterNetworkTest, WhatStoodBehindAPacketThatWaitedPassesAfterIt) {
  network_.requests(1).push(5, packet(Kind::kStore, 6, 0, 8));
  network_.requests(0).push(6, packet(Kind::kStore, 6));
  network_.requests(0).push(7, packet(Kind::kStore, 5));
  network_.advance(100);
  EXPECT_THAT(times(network_.forwarded(2)), ElementsAre(5, 13));
  EXPECT_THAT(times(network_.forwarded(1)), ElementsAre(14)) << "not before";
}

}  // namespace
}  // namespace gputlm
