// Copies by TMA, multicasts and stores that count at mbarriers on an SM: its requests to memory and to other SMs, and the
// effects of their answers.

#include <gtest/gtest.h>

#include "models/sm/cluster_port.h"
#include "tests/unit/sm/sm_harness.h"

namespace gputlm::test {
namespace {

using Kind = ClusterPacket::Kind;

constexpr std::uint32_t kBarrier = 7;
constexpr Link kNetwork{20 * kPeriod, {kPeriod, 1, 96}, {kPeriod, 1, 96}};

Instruction asynchronous(Op op, std::uint32_t operand = 0, std::uint8_t width = 1) {
  Instruction in;
  in.op = op;
  in.pipe = Pipe::kLoadStore;
  in.mask = 1;
  in.width = width;
  in.operand = operand;
  return in;
}

MbarrierUse use(std::uint32_t rank, std::uint32_t arrivals, Bytes bytes = 0, Bytes completes = 0) {
  MbarrierUse made;
  made.barrier = kBarrier;
  made.rank = rank;
  made.arrivals = arrivals;
  made.bytes = bytes;
  made.completes = completes;
  return made;
}

/// Block 0, the second one of a cluster of three on SMs 4, 0 and 5, which waits at its mbarrier for `bytes`.
struct InCluster {
  InCluster(const std::vector<Instruction>& what, Bytes bytes) : kernel(1, 1, {code_of(what)}) {
    kernel.mbarriers = {use(kOwnRank, 1), use(kOwnRank, 1, bytes), use(kOwnRank, 0)};
    PlacedCluster placed;
    placed.members = {{30, 4}, {0, 0}, {32, 5}};
    kernel.placed = std::make_shared<PlacedCluster>(placed);
    kernel.rank = 1;
    port = sm.core.allow_asynchronous(packets, network, kNetwork);
    sm.launch(kernel);
  }
  static std::vector<Instruction> code_of(const std::vector<Instruction>& what) {
    std::vector<Instruction> code{asynchronous(Op::kMbarrierInit, 0), asynchronous(Op::kMbarrierArrive, 1)};
    code.insert(code.end(), what.begin(), what.end());
    code.push_back(asynchronous(Op::kMbarrierWait, 2));
    return code;
  }
  /// Packets to other blocks that have left since it was last asked.
  std::vector<const ClusterPacket*> sent() {
    std::vector<const ClusterPacket*> list;
    for (const auto& departure : port->requests.departures()) {
      if (departure.item->kind != Kind::kLeave) list.push_back(departure.item);
    }
    port->requests.departures().clear();
    return list;
  }
  HandKernel kernel;
  ClusterNetworkConfig network;
  PlainItems<ClusterPacket> packets;
  SmHarness sm{one_sub_core(), {}};
  ClusterPort* port;
};

BulkCopy two_lines(std::uint64_t ranks) {
  BulkCopy copy;
  copy.rows = 2;
  copy.row_bytes = 128;
  copy.bytes = 300;  // with what is beyond the tensor
  copy.barrier = kBarrier;
  copy.ranks = ranks;
  return copy;
}

TEST(SmAsync, AMulticastBringsEachOtherBlockTheBytesOfALineAndCountsWithTheLast) {
  InCluster block({asynchronous(Op::kBulkCopy)}, 300);
  block.kernel.bulk = {two_lines(7)};
  ASSERT_TRUE(block.sm.run());
  EXPECT_EQ(block.sm.left.size(), 2u);
  const std::vector<const ClusterPacket*> sent = block.sent();
  ASSERT_EQ(sent.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const ClusterPacket& packet = *sent[i];
    EXPECT_EQ(packet.kind, Kind::kBytes) << i;
    EXPECT_EQ(packet.block, i % 2 == 0 ? 30u : 32u) << i << ": not itself";
    EXPECT_EQ(packet.to, i % 2 == 0 ? 4u : 5u) << i;
    EXPECT_EQ(packet.bytes, 128u) << i;
    EXPECT_EQ(packet.flits, 2u) << i << ": of 70 bytes each";
    EXPECT_EQ(packet.barrier, kBarrier) << i;
    EXPECT_EQ(packet.counts, i < 2 ? 0u : 300u) << i;
  }
}

TEST(SmAsync, AMulticastForOthersCountsNothingHere) {
  InCluster block({asynchronous(Op::kBulkCopy)}, 300);
  block.kernel.bulk = {two_lines(5)};
  EXPECT_FALSE(block.sm.run(5000)) << "nobody brings what it waits for";
  EXPECT_EQ(block.sent().size(), 4u);
}

TEST(SmAsync, WhatOthersBringCountsHere) {
  for (const Kind kind : {Kind::kBytes, Kind::kStore, Kind::kArrive}) {
    InCluster block({}, 300);
    EXPECT_FALSE(block.sm.run(1000));
    ClusterPacket packet;
    packet.kind = kind;
    packet.block = 0;
    packet.identity.block = 30;
    packet.barrier = kBarrier;
    packet.counts = 200;
    block.port->arrivals.push(1010, packet);
    EXPECT_FALSE(block.sm.run(2000)) << "100 bytes are missing";
    ClusterPacket rest = packet;
    rest.counts = 100;
    block.port->arrivals.push(2010, rest);
    EXPECT_TRUE(block.sm.run(3000)) << static_cast<int>(kind);
    EXPECT_EQ(block.port->replies.departures().size(), 2u) << "both have been answered";
  }
}

TEST(SmAsync, AnAsynchronousStoreSendsItsPartsAndTheBlockWaitsForTheirAnswers) {
  InCluster block({asynchronous(Op::kAsyncStore, 3, 3)}, 32);
  block.kernel.mbarriers.push_back(use(0, 0, 0, 96));
  block.kernel.mbarriers.push_back(use(1, 0, 0, 32));  // its own
  block.kernel.mbarriers.push_back(use(2, 0, 0, 4));
  EXPECT_FALSE(block.sm.run(500)) << "nobody has answered";
  const std::vector<const ClusterPacket*> sent = block.sent();
  ASSERT_EQ(sent.size(), 2u);
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ(sent[i]->kind, Kind::kStore);
    EXPECT_EQ(sent[i]->block, i == 0 ? 30u : 32u);
    EXPECT_EQ(sent[i]->bytes, i == 0 ? 96u : 4u);
    EXPECT_EQ(sent[i]->counts, sent[i]->bytes);
    EXPECT_EQ(sent[i]->barrier, kBarrier);
    EXPECT_EQ(sent[i]->flits, i == 0 ? 6u : 1u);
    block.port->answers.push(600 + i, *const_cast<ClusterPacket*>(sent[i]));
  }
  EXPECT_TRUE(block.sm.run(1000));
}

TEST(SmAsync, LinesThatWaitedForTheirPageGoBeforeLaterOnesOfTheCopy) {
  // A copy of a page, twice: when its translation comes, all lines of the first and some of the second wait for it.
  Surroundings surroundings;
  surroundings.translation = [](std::uint64_t) { return Cycle{60}; };
  SmConfig config = one_sub_core();
  config.tlb.miss_merges = 64;
  HandKernel kernel(1, 1, {{asynchronous(Op::kBulkCopy)}});
  BulkCopy copy;
  copy.rows = 4;
  copy.row_bytes = kPageBytes;
  kernel.bulk = {copy};
  kernel.row = [](std::uint32_t) { return Address{0}; };
  SmHarness sm(config, {}, surroundings);
  PlainItems<ClusterPacket> packets;
  const ClusterNetworkConfig network;
  sm.core.allow_asynchronous(packets, network, std::nullopt);
  sm.launch(kernel);
  ASSERT_TRUE(sm.run());
  ASSERT_EQ(sm.left.size(), 128u);
  for (std::size_t i = 0; i < sm.left.size(); ++i) ASSERT_EQ(sm.left[i].address, i % 32 * kLineBytes) << i;
  EXPECT_GT(sm.core.tlb()->statistics().replayed, 32u);
  EXPECT_GT(sm.core.tlb()->statistics().hits, 0u);
}

}  // namespace
}  // namespace gputlm::test
