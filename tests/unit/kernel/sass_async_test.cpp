// Barriers in shared memory, copies by TMA and clusters in the form of version 6 of the tracer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sass_trace_writer.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// All lanes at one address.
written::Addresses at(std::uint64_t address) {
  written::Addresses all;
  all.fill(address);
  return all;
}

/// The word that SYNCS.EXCH writes for this number of arrivals.
std::uint64_t counter_of(std::uint64_t arrivals) { return (0x100000 - arrivals) << 1 | (0x100000 - arrivals) << 43; }

written::TracedInstruction syncs(const std::string& opcode, std::uint64_t address, std::uint64_t value,
                                 std::uint32_t lanes = 1) {
  written::TracedInstruction made;
  made.active = lanes;
  made.opcode = opcode;
  made.sources = {4, 6};
  made.addresses = at(address);
  made.values = {address, value};
  return made;
}

struct ClusterTrace {
  /// Two blocks that are a cluster, each of one warp.
  explicit ClusterTrace(std::vector<written::TracedInstruction> instructions) {
    instructions.push_back({0x100, 0xffffffff, 0xffffffff, -1, "EXIT"});
    written::TracedLaunch launch;
    launch.grid = {2, 1, 1};
    launch.tracer = "6";
    launch.binary = 90;
    launch.dynamic_shared = 4096;
    std::string body = written::header(launch);
    for (unsigned b = 0; b < 2; ++b) {
      std::vector<std::string> lines;
      for (const auto& each : instructions) lines.push_back(written::instruction(each, launch));
      body += written::block({b, 0, 0}, {lines}, written::Dim{2, 1, 1});
    }
    kernel = std::make_unique<SassKernel>(folder.write("k.traceg", body));
    for (unsigned b = 0; b < 2; ++b) code.push_back(kernel->code(b));
  }
  const Instruction& of(unsigned block, std::size_t i) const { return code[block]->warp(0).code[i]; }
  MbarrierUse use(std::size_t i, std::uint32_t number = 0) const { return code[0]->mbarrier(of(0, i), {}, number); }

  TestFolder folder;
  std::unique_ptr<SassKernel> kernel;
  std::vector<std::unique_ptr<BlockCode>> code;
};

TEST(SassAsync, SyncsDoWhatTheirModifiersSay) {
  const ClusterTrace trace({syncs("SYNCS.EXCH.64", 0x20, counter_of(3)), syncs("SYNCS.ARRIVE.TRANS64", 0x20, 4096),
                            syncs("SYNCS.ARRIVE.TRANS64.A1T0", 0x20, 0, 0xff),
                            syncs("SYNCS.ARRIVE.TRANS64.ART0", 0x20, 5), syncs("SYNCS.ARRIVE.TRANS64.A0TR", 0x20, 64),
                            syncs("SYNCS.ARRIVE.TRANS64.A0TX", 0x20, 32),
                            syncs("SYNCS.PHASECHK.TRANS64.TRYWAIT", 0x20, 1, 0xffffffff)});
  EXPECT_THAT(texts(trace.kernel->warnings()), IsEmpty());
  EXPECT_EQ(trace.of(0, 0).op, Op::kMbarrierInit);
  EXPECT_EQ(trace.use(0).arrivals, 3u);
  EXPECT_EQ(trace.use(0).barrier, 0x20u);
  EXPECT_EQ(trace.of(0, 1).op, Op::kMbarrierArrive);
  EXPECT_EQ(trace.use(1).arrivals, 1u);
  EXPECT_EQ(trace.use(1).bytes, 4096u);
  EXPECT_EQ(trace.use(2).arrivals, 8u) << "once a lane";
  EXPECT_EQ(trace.use(3).arrivals, 5u);
  EXPECT_EQ(trace.use(4).arrivals, 0u);
  EXPECT_EQ(trace.use(4).bytes, 64u);
  EXPECT_EQ(trace.use(5).completes, 32u);
  EXPECT_EQ(trace.of(0, 6).op, Op::kMbarrierWait);
  EXPECT_EQ(trace.use(6).parity, 1u);
  EXPECT_FALSE(trace.use(6).alternates);
}

TEST(SassAsync, CopiesArriveWhenTheyHaveEnded) {
  written::TracedInstruction arrives;
  arrives.opcode = "ARRIVES.LDGSTSBAR.64.ARVCNT";
  arrives.active = 0xff;
  arrives.addresses = at(0x20);
  written::TracedInstruction completes = arrives, ampere = arrives;
  completes.opcode = "ARRIVES.LDGSTSBAR.64.TRANSCNT";
  ampere.opcode = "ARRIVES.LDGSTSBAR.64";
  const ClusterTrace trace({syncs("SYNCS.ARRIVE.TRANS64.A0T1", 0x20, 0, 0xff), arrives, completes, ampere});
  EXPECT_THAT(texts(trace.kernel->warnings()), IsEmpty());
  EXPECT_EQ(trace.of(0, 0).op, Op::kMbarrierArrive);
  EXPECT_EQ(trace.use(0).arrivals, 0u);
  EXPECT_EQ(trace.use(0).bytes, 8u) << "a transaction of each lane";
  EXPECT_EQ(trace.of(0, 1).op, Op::kMbarrierByCopies);
  EXPECT_EQ(trace.use(1).arrivals, 8u);
  EXPECT_EQ(trace.use(1).barrier, 0x20u);
  EXPECT_EQ(trace.use(2).arrivals, 0u);
  EXPECT_EQ(trace.use(2).completes, 8u);
  EXPECT_EQ(trace.of(0, 3).op, Op::kArithmetic);
}

TEST(SassAsync, LanesMayArriveAtSeveralBlocks) {
  written::TracedInstruction arrive = syncs("SYNCS.ARRIVE.TRANS64.RED.A1T0", 0x20, 0, 3);
  (*arrive.addresses)[1] = 0x1000020;
  const ClusterTrace trace({arrive});
  ASSERT_EQ(trace.of(0, 0).width, 2);
  EXPECT_EQ(trace.use(0, 0).rank, 0u);
  EXPECT_EQ(trace.use(0, 1).rank, 1u);
  EXPECT_EQ(trace.use(0, 1).barrier, 0x20u);
}

TEST(SassAsync, WithoutValuesSyncsWaitForNobodyAndSaySo) {
  written::TracedInstruction wait = syncs("SYNCS.PHASECHK.TRANS64.TRYWAIT", 0x20, 1);
  wait.values = {};
  written::TracedInstruction arrive = syncs("SYNCS.ARRIVE.TRANS64.A1T0", 0x20, 0);
  arrive.values = {};
  const ClusterTrace trace({wait, arrive});
  EXPECT_EQ(trace.of(0, 0).op, Op::kArithmetic);
  EXPECT_EQ(trace.of(0, 1).op, Op::kArithmetic) << "as nobody has initialised the barrier";
  EXPECT_THAT(texts(trace.kernel->warnings()), ElementsAre(HasSubstr("SYNCS waits for nobody")));
}

TEST(SassAsync, CopiesByTmaHaveTheirBarrierTheirBytesAndTheirRows) {
  written::TracedInstruction load;
  load.opcode = "UTMALDG.2D.MULTICAST";
  load.bulk = written::TracedBulk{0x20, std::uint16_t{3}, 512, 128, {0x7f0000001000, 0x7f0000003000, 0x7f0000005000}};
  written::TracedInstruction store;
  store.opcode = "UTMASTG.2D";
  store.bulk = written::TracedBulk{0, std::nullopt, 256, 0, {0x7f0000008000}};
  const ClusterTrace trace({load, store});
  EXPECT_THAT(texts(trace.kernel->warnings()), IsEmpty());
  EXPECT_EQ(trace.of(0, 0).op, Op::kBulkCopy);
  const BulkCopy copy = trace.code[0]->bulk_copy(trace.of(0, 0), {}, true);
  EXPECT_EQ(copy.rows, 3u);
  EXPECT_EQ(copy.row_bytes, 128u) << "without what is beyond the tensor";
  EXPECT_EQ(copy.bytes, 512u) << "with it";
  EXPECT_EQ(copy.ranks, 3u);
  EXPECT_EQ(copy.barrier, 0x20u);
  EXPECT_FALSE(copy.write);
  EXPECT_EQ(trace.code[0]->bulk_row(trace.of(0, 0), {}, copy.first + 1), 0x7f0000003000u);
  const BulkCopy written = trace.code[0]->bulk_copy(trace.of(0, 1), {}, true);
  EXPECT_TRUE(written.write);
  EXPECT_EQ(trace.code[0]->bulk_row(trace.of(0, 1), {}, written.first), 0x7f0000008000u);
}

TEST(SassAsync, SharedAddressesHaveTheRankOfTheirBlock) {
  written::TracedInstruction own;
  own.opcode = "LDS";
  own.destination = 3;
  own.addresses = at(0x1000040);
  written::TracedInstruction generic = own;
  generic.opcode = "LD.E";
  generic.addresses = at(0x7f2e00000000 + 0x1000080);
  const ClusterTrace trace({own, generic});
  EXPECT_EQ(trace.of(0, 0).space, Space::kCluster);
  EXPECT_EQ(trace.of(1, 0).space, Space::kShared) << "its own";
  EXPECT_EQ(trace.of(0, 1).space, Space::kCluster);
  EXPECT_EQ(trace.of(1, 1).space, Space::kShared);
  LaneAddresses lanes{};
  trace.code[0]->addresses(trace.of(0, 1), {}, lanes);
  EXPECT_EQ(lanes[0], cluster_address(1, 0x80));
  trace.code[1]->addresses(trace.of(1, 0), {}, lanes);
  EXPECT_EQ(lanes[0], 0x40u);
  EXPECT_THAT(texts(trace.kernel->warnings()), IsEmpty());
}

/// `[R2.64]`, as NVBit's nvbit_add_call_arg_mref_addr64 gives it.
std::uint64_t pair_of(std::uint64_t data, std::uint64_t mbarrier) { return mbarrier << 32 | data; }

TEST(SassAsync, AsynchronousStoresHaveTheirMbarrierInTheUpperHalfOfTheirAddress) {
  written::TracedInstruction store;
  store.opcode = "STAS.64";
  store.sources = {2, 0};
  store.addresses.emplace();
  for (unsigned lane = 0; lane < 32; ++lane) (*store.addresses)[lane] = pair_of(0x1000480 + 8 * lane, 0x1000440);
  written::TracedInstruction add = store;
  add.opcode = "REDAS.ADD";
  add.active = 7;
  (*add.addresses)[0] = pair_of(0x480, 0x440);
  (*add.addresses)[1] = pair_of(0x1000480, 0x1000440);
  (*add.addresses)[2] = pair_of(0x1000484, 0x1000448);
  const ClusterTrace trace({store, add});
  EXPECT_THAT(texts(trace.kernel->warnings()), IsEmpty());
  EXPECT_EQ(trace.of(0, 0).op, Op::kAsyncStore);
  EXPECT_EQ(trace.of(0, 0).destinations, 0);
  ASSERT_EQ(trace.of(0, 0).width, 2) << "lines";
  for (const unsigned part : {0, 1}) {
    EXPECT_EQ(trace.use(0, part).rank, 1u);
    EXPECT_EQ(trace.use(0, part).barrier, 0x440u);
    EXPECT_EQ(trace.use(0, part).completes, 128u);
    EXPECT_EQ(trace.use(0, part).arrivals, 0u);
  }
  EXPECT_EQ(trace.of(0, 1).op, Op::kAsyncStore);
  ASSERT_EQ(trace.of(0, 1).width, 3) << "two mbarriers of a line";
  EXPECT_EQ(trace.use(1, 0).rank, 0u);
  EXPECT_EQ(trace.use(1, 1).rank, 1u);
  EXPECT_EQ(trace.use(1, 1).completes, 4u);
  EXPECT_EQ(trace.use(1, 2).barrier, 0x448u);
}

TEST(SassAsync, AnAsynchronousStoreWithoutAnUpperHalfCountsNowhereAndSaysSo) {
  written::TracedInstruction store;
  store.opcode = "STAS";
  store.sources = {2, 0};
  store.addresses = at(0x1000480);
  const ClusterTrace trace({store});
  EXPECT_EQ(trace.of(0, 0).op, Op::kAsyncStore);
  EXPECT_EQ(trace.use(0).rank, 1u);
  EXPECT_EQ(trace.use(0).completes, 128u) << "they are stored all the same";
  EXPECT_THAT(texts(trace.kernel->warnings()),
              ElementsAre(HasSubstr("STAS counts at no mbarrier: the trace has no upper half of its address")));
}

TEST(SassAsync, BarriersOfClustersAreSuch) {
  written::TracedInstruction arrive, wait;
  arrive.opcode = "UCGABAR_ARV";
  wait.opcode = "UCGABAR_WAIT";
  const ClusterTrace trace({arrive, wait});
  EXPECT_EQ(trace.of(0, 0).op, Op::kClusterArrive);
  EXPECT_EQ(trace.of(0, 1).op, Op::kClusterWait);
  EXPECT_THAT(texts(trace.kernel->warnings()), IsEmpty());
}

}  // namespace
}  // namespace gputlm
