// A SASS trace with clusters, in the form of version 6 of the tracer: a tile that TMA brings to both blocks of a cluster.

#include <gmock/gmock.h>

#include "tests/integration/small_hopper.h"
#include "tests/support/sass_trace_writer.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr std::uint32_t kBarrier = 0x40, kTileBytes = 8192;
constexpr std::uint64_t kTracedTile = 0x7f0000000000;

written::TracedInstruction traced(const std::string& opcode, std::uint32_t lanes = 0xffffffff) {
  written::TracedInstruction made;
  made.opcode = opcode;
  made.active = lanes;
  return made;
}

/// SYNCS at the block's barrier, by one lane. Shared addresses have the block's rank.
written::TracedInstruction at_barrier(const std::string& opcode, unsigned rank, std::uint64_t value) {
  written::TracedInstruction made = traced(opcode, 1);
  made.sources = {4, 6};
  made.addresses.emplace().fill(std::uint64_t{rank} << 24 | kBarrier);
  made.values = {kBarrier, value};
  return made;
}

/// Each block fetches half of the tile for both, waits for all of it, and reads a word of the other block.
std::vector<written::TracedInstruction> warp_of(unsigned rank, std::uint64_t expected) {
  std::vector<written::TracedInstruction> code;
  code.push_back(at_barrier("SYNCS.EXCH.64", rank, (0x100000 - 1) << 1 | std::uint64_t{0x100000 - 1} << 43));
  code.push_back(traced("UCGABAR_ARV"));
  code.push_back(traced("UCGABAR_WAIT"));
  code.push_back(at_barrier("SYNCS.ARRIVE.TRANS64", rank, expected));
  written::TracedInstruction load = traced("UTMALDG.2D.MULTICAST", 1);
  load.bulk = written::TracedBulk{kBarrier, std::uint16_t{3}, kTileBytes / 2, 0, {}};
  for (unsigned row = 0; row < 32; ++row) load.bulk->addresses.push_back(kTracedTile + (32 * rank + row) * 4096);
  code.push_back(load);
  code.push_back(at_barrier("SYNCS.PHASECHK.TRANS64.TRYWAIT", rank, 0));
  code.push_back(at_barrier("SYNCS.PHASECHK.TRANS64.TRYWAIT", rank, 0));  // that it had failed, and was tried again
  written::TracedInstruction remote = traced("LDS");
  remote.destination = 8;
  remote.addresses.emplace().fill(std::uint64_t{1 - rank} << 24 | 0x80);
  code.push_back(remote);
  for (const char* const release : {"MEMBAR.ALL.GPU", "ERRBAR", "CGAERRBAR"}) code.push_back(traced(release));
  code.push_back(traced("UCGABAR_ARV"));
  code.push_back(traced("UCGABAR_WAIT"));
  code.push_back(traced("EXIT"));
  for (std::size_t i = 0; i < code.size(); ++i) code[i].pc = static_cast<std::uint32_t>(16 * i);
  return code;
}

/// `idle`: further warps, which exit at once.
std::string cluster_trace(std::uint64_t expected, unsigned idle = 0) {
  written::TracedLaunch launch;
  launch.block = {32 * (1 + idle), 1, 1};
  launch.grid = {8, 1, 1};
  launch.tracer = "6";
  launch.binary = 90;
  launch.dynamic_shared = 16384;
  std::string text = written::header(launch);
  for (unsigned b = 0; b < 8; ++b) {
    std::vector<std::string> lines;
    for (const auto& each : warp_of(b % 2, expected)) lines.push_back(written::instruction(each, launch));
    std::vector<std::vector<std::string>> warps(1 + idle, {written::instruction(traced("EXIT"), launch)});
    warps.front() = lines;
    text += written::block({b, 0, 0}, warps, written::Dim{2, 1, 1});
  }
  return text;
}

class SassClusters : public testing::Test {
 protected:
  Outcome run(std::uint64_t expected, const std::vector<std::string>& more = {}) {
    return run_on_small_hopper(folder, folder.write("k.traceg", cluster_trace(expected)), more);
  }
  Json result() const { return Json::parse(read_file(folder.path("out/result.json"))); }
  TestFolder folder;
};

TEST_F(SassClusters, ATraceWithClustersRunsWithoutAWarning) {
  const Outcome outcome = run(kTileBytes);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("warning")));
  const Json counters = result()["cluster_network"]["total"];
  EXPECT_EQ(counters["barriers"], 2 * 4);
  EXPECT_EQ(counters["multicast_bytes"], 8 * kTileBytes / 2);
  EXPECT_EQ(counters["loads"], 8);
  for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv")))
    EXPECT_GT(row.end - row.start, 700u) << "TMA, L2, network";
}

TEST_F(SassClusters, WarpsThatHaveExitedHaveArrived) {
  const Outcome outcome = run_on_small_hopper(folder, folder.write("e.traceg", cluster_trace(kTileBytes, 3)));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(result()["cluster_network"]["total"]["barriers"], 2 * 4);
}

TEST_F(SassClusters, WithoutClustersABlockFetchesWhatTheOthersWouldBring) {
  ASSERT_EQ(run(kTileBytes).code, 0);
  const std::uint64_t with = result()["l2"]["total"]["reads"];
  const Outcome outcome = run(kTileBytes, without_clusters());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(result()["l2"]["total"]["reads"], 2 * with);
}

/// Each block stores a line of 128 bytes into the other one, which waits for `expected` bytes.
std::string storing_trace(std::uint64_t expected) {
  written::TracedLaunch launch;
  launch.grid = {8, 1, 1};
  launch.tracer = "6";
  launch.binary = 90;
  launch.dynamic_shared = 16384;
  std::string text = written::header(launch);
  for (unsigned b = 0; b < 8; ++b) {
    const unsigned rank = b % 2;
    std::vector<written::TracedInstruction> code{
        at_barrier("SYNCS.EXCH.64", rank, (0x100000 - 1) << 1 | std::uint64_t{0x100000 - 1} << 43),
        traced("UCGABAR_ARV"), traced("UCGABAR_WAIT"), at_barrier("SYNCS.ARRIVE.TRANS64", rank, expected)};
    written::TracedInstruction store = traced("STAS");
    store.sources = {2, 0};
    store.addresses.emplace();
    const std::uint64_t other = std::uint64_t{1 - rank} << 24;
    for (unsigned lane = 0; lane < 32; ++lane)  // a pair of registers: data below, the mbarrier above
      (*store.addresses)[lane] = (other | kBarrier) << 32 | other | (0x480 + 4 * lane);
    code.push_back(store);
    code.push_back(at_barrier("SYNCS.PHASECHK.TRANS64.TRYWAIT", rank, 0));
    for (const char* const last : {"UCGABAR_ARV", "UCGABAR_WAIT", "EXIT"}) code.push_back(traced(last));
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < code.size(); ++i) {
      code[i].pc = static_cast<std::uint32_t>(16 * i);
      lines.push_back(written::instruction(code[i], launch));
    }
    text += written::block({b, 0, 0}, {lines}, written::Dim{2, 1, 1});
  }
  return text;
}

TEST_F(SassClusters, AsynchronousStoresCountWhereTheyHaveCome) {
  const Outcome outcome = run_on_small_hopper(folder, folder.write("s.traceg", storing_trace(128)));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("warning")));
  EXPECT_EQ(result()["cluster_network"]["total"]["stores"], 8);
  EXPECT_EQ(result()["cluster_network"]["total"]["bytes"], 8 * 128);
  const Outcome alone = run_on_small_hopper(folder, folder.write("s.traceg", storing_trace(128)), without_clusters());
  EXPECT_EQ(alone.code, 0) << alone.err;
  for (const std::uint64_t expected : {124, 132}) {
    const Outcome never = run_on_small_hopper(folder, folder.write("s.traceg", storing_trace(expected)));
    EXPECT_NE(never.code, 0) << expected;
    EXPECT_THAT(never.err, HasSubstr("warps 0 at mbarrier 64 for phase 0: 0 of 1 arrivals")) << expected;
  }
}

/// Two warps: one copies by LDGSTS and arrives when that has ended, the other waits for it.
std::string copying_trace(bool counts_arrivals) {
  written::TracedLaunch launch;
  launch.grid = {4, 1, 1};
  launch.block = {64, 1, 1};
  launch.tracer = "6";
  launch.binary = 90;
  launch.dynamic_shared = 16384;
  const std::uint64_t arrivals = counts_arrivals ? 32 : 1;
  std::vector<written::TracedInstruction> first, second;
  first.push_back(
      at_barrier("SYNCS.EXCH.64", 0, (0x100000 - arrivals) << 1 | std::uint64_t{0x100000 - arrivals} << 43));
  first.push_back(traced("BAR.SYNC"));
  written::TracedInstruction copy = traced("LDGSTS.E.BYPASS.128");
  copy.sources = {3, 4};
  copy.addresses.emplace();
  for (unsigned lane = 0; lane < 32; ++lane) (*copy.addresses)[lane] = kTracedTile + 16 * lane;
  first.push_back(copy);
  written::TracedInstruction arrives =
      traced(counts_arrivals ? "ARRIVES.LDGSTSBAR.64.ARVCNT" : "ARRIVES.LDGSTSBAR.64.TRANSCNT");
  arrives.addresses.emplace().fill(kBarrier);
  written::TracedInstruction expects = at_barrier("SYNCS.ARRIVE.TRANS64.A0T1", 0, 0);
  expects.active = 0xffffffff;
  if (!counts_arrivals) first.push_back(expects);
  first.push_back(arrives);
  if (!counts_arrivals) first.push_back(at_barrier("SYNCS.ARRIVE.TRANS64.A1T0", 0, 0));
  second.push_back(traced("BAR.SYNC"));
  second.push_back(at_barrier("SYNCS.PHASECHK.TRANS64.TRYWAIT", 0, 0));
  std::vector<std::vector<std::string>> warps;
  for (auto* const code : {&first, &second}) {
    code->push_back(traced("EXIT"));
    std::vector<std::string>& lines = warps.emplace_back();
    for (std::size_t i = 0; i < code->size(); ++i) {
      (*code)[i].pc = static_cast<std::uint32_t>(16 * i);
      lines.push_back(written::instruction((*code)[i], launch));
    }
  }
  std::string text = written::header(launch);
  for (unsigned b = 0; b < 4; ++b) text += written::block({b, 0, 0}, warps, written::Dim{1, 1, 1});
  return text;
}

TEST_F(SassClusters, CopiesThatArriveEndWhatWaitsForThem) {
  for (const bool counts_arrivals : {true, false}) {
    const Outcome outcome = run_on_small_hopper(folder, folder.write("c.traceg", copying_trace(counts_arrivals)));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("warning")));
    EXPECT_GT(result()["applications"][0]["stall_warp_cycles"]["barrier"], 4 * 300u) << "as long as the copies take";
  }
}

TEST_F(SassClusters, BytesThatTheTraceDoesNotBringAreADeadlock) {
  const Outcome outcome = run(kTileBytes + 32);
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("warps 0 at mbarrier 64 for phase 0: 0 of 1 arrivals and 32 bytes missing"));
}

}  // namespace
}  // namespace gputlm
