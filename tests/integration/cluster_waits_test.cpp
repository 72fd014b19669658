// Waits and transfers between blocks of a cluster: barriers of clusters and in shared memory, copies by TMA, accesses to each
// other's shared memory.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/integration/small_hopper.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

std::string waiting_kernel(const std::string& shape, const std::string& program) {
  return "kernels:\n  k:\n    {" + shape +
         ", shared_memory: 8KiB,\n     patterns: {s: {kind: affine, lane_stride: 4}, t: {kind: affine, block_stride: "
         "4096, "
         "iteration_stride: 1024}},\n     program: [" +
         program + "]}\napplications:\n  - {name: a, streams: [{name: s, launches: [k]}]}\n";
}

class ClusterWaits : public testing::Test {
 protected:
  Outcome attempt(const std::string& text, const Options& more = {}) {
    return run_on_small_hopper(folder, folder.write("w.yaml", text), more);
  }
  std::vector<BlockRow> run(const std::string& text, const Options& more = {}) {
    const Outcome outcome = attempt(text, more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
    return read_blocks(folder.path("out/blocks.csv"));
  }
  std::uint64_t counter(const char* name) const {
    return Json::parse(read_file(folder.path("out/result.json")))["cluster_network"]["total"][name];
  }
  /// Cycles of the longest block.
  std::uint64_t longest(const std::string& text, const Options& more = {}) {
    std::uint64_t most = 0;
    for (const BlockRow& row : run(text, more)) most = std::max(most, row.end - row.start);
    return most;
  }
  TestFolder folder;
};

TEST_F(ClusterWaits, ABarrierOfAClusterHoldsAllItsBlocks) {
  // The first warp of each block spins for as long as its SM's number says.
  const std::string late = "{spin: {us: 1, us_per_sm: 1}}, ";
  std::map<std::uint64_t, std::vector<BlockRow>> clusters;
  for (const BlockRow& row : run(waiting_kernel("grid: 8, block: 64, cluster: 4", late + "cluster_barrier")))
    clusters[row.block / 4].push_back(row);
  ASSERT_EQ(clusters.size(), 2u);
  for (const auto& [number, rows] : clusters) {
    std::set<std::uint64_t> ends;
    for (const BlockRow& row : rows) ends.insert(row.end);
    EXPECT_LE(*ends.rbegin() - *ends.begin(), 20u) << number << ": they leave together";
  }
  EXPECT_EQ(counter("barriers"), 2u);
}

TEST_F(ClusterWaits, ArrivingHoldsNobody) {
  const std::string late = "{spin: {us: 1, us_per_sm: 1}}, ";
  std::set<std::uint64_t> ends;
  for (const BlockRow& row : run(waiting_kernel("grid: 4, block: 64, cluster: 4", late + "cluster_arrive")))
    ends.insert(row.end);
  EXPECT_GT(*ends.rbegin() - *ends.begin(), 3000u) << "two SMs apart at least";
}

TEST_F(ClusterWaits, WarpsThatHaveExitedHaveArrived) {
  // One warp of each block exits while the other comes to the barrier.
  const std::string text =
      waiting_kernel("grid: 8, block: 64, cluster: 2",
                     "cluster_arrive, {warps: {first: 1, last: 1, body: [{spin: {us: 5}}]}}, cluster_wait");
  EXPECT_GT(longest(text), 5 * 1900u);
}

TEST_F(ClusterWaits, WithoutClustersABarrierIsThatOfTheBlock) {
  const std::string text =
      waiting_kernel("grid: 8, block: 64, cluster: 2", "cluster_barrier, {fp32: 10}, cluster_barrier");
  const Outcome outcome = attempt(text, without_clusters());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read_file(folder.path("out/result.json")), testing::Not(HasSubstr("cluster_network\": {\n    \"total")));
}

const std::string kInit = "{warps: {first: 0, last: 0, body: [{mbarrier_init: {number: 0, arrivals: 2}}]}}, barrier, ";

TEST_F(ClusterWaits, AnMbarrierEndsItsPhaseWithItsLastArrival) {
  // Warp 1 waits for two arrivals of warp 0, the second of which comes late.
  const auto text = [](const std::string& us) {
    return waiting_kernel("grid: 1, block: 64",
                          kInit + "{warps: {first: 0, last: 0, body: [mbarrier_arrive: 0, {spin: {us: " + us +
                              "}}, mbarrier_arrive: 0]}}, {warps: {first: 1, last: 1, body: [mbarrier_wait: 0, "
                              "{loop: {count: 1000, body: [{fp32: {distance: 1}}]}}]}}");
  };
  const std::uint64_t early = longest(text("1")), late = longest(text("3"));
  EXPECT_NEAR(static_cast<double>(late - early), 2 * 1980, 40)
      << "the work behind the wait begins with the last arrival";
}

TEST_F(ClusterWaits, PhasesAlternateInParity) {
  // The producer runs ahead of a slow consumer by one phase, since it waits for room.
  const auto text = [](const std::string& parity) {
    return waiting_kernel(
        "grid: 1, block: 64",
        "{warps: {first: 0, last: 0, body: [mbarrier_init: 0, mbarrier_init: 1]}}, barrier, "
        "{warps: {first: 0, last: 0, body: [{loop: {count: 10, body: [{mbarrier_wait: {number: 1, parity: " +
            parity +
            "}}, mbarrier_arrive: 0]}}]}}, {warps: {first: 1, last: 1, body: [{loop: {count: 10, body: [mbarrier_wait: "
            "0, {fp32: {count: 100, distance: 1}}, mbarrier_arrive: 1]}}]}}");
  };
  EXPECT_GT(longest(text("1")), 10 * 400u);
  const Outcome outcome = attempt(text("0"));  // each waits for the other
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("warps 0 at mbarrier 1 for phase 0: 1 of 1 arrivals missing"));
  EXPECT_THAT(outcome.err, HasSubstr("warps 1 at mbarrier 0 for phase 0: 1 of 1 arrivals missing"));
}

TEST_F(ClusterWaits, BytesThatNeverComeAreADeadlockThatSaysSo) {
  const Outcome outcome = attempt(waiting_kernel(
      "grid: 1, block: 64", kInit + "{mbarrier_arrive: {number: 0, bytes: 4KiB}}, {warps: {first: 1, last: 1, body: "
                                    "[mbarrier_wait: 0]}}"));
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("block 0 of kernel k"));
  EXPECT_THAT(outcome.err, HasSubstr("warps 1 at mbarrier 0 for phase 0: 0 of 2 arrivals and 8192 bytes missing"));
}

TEST_F(ClusterWaits, ABlockThatDoesNotComeIsADeadlockThatSaysSo) {
  const Outcome outcome = attempt(waiting_kernel(
      "grid: 2, block: 32, cluster: 2",
      "mbarrier_init: 0, cluster_barrier, {mbarrier_arrive: {number: 0, rank: 0, arrivals: 0, bytes: 16}}, "
      "{mbarrier_arrive: {number: 0, rank: 0, arrivals: 0}}, {spin: {us: 2}}, mbarrier_wait: 0"));
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("1 of 1 arrivals and 32 bytes missing"));
}

TEST_F(ClusterWaits, ArrivalsReachOtherBlocks) {
  // Each waits for the other's word.
  const std::string text =
      waiting_kernel("grid: 8, block: 32, cluster: 2",
                     "mbarrier_init: 0, cluster_barrier, {mbarrier_arrive: {number: 0, peer: 1}}, mbarrier_wait: 0, "
                     "cluster_barrier");
  EXPECT_GT(longest(text), 0u);
  EXPECT_EQ(counter("mbarrier_arrivals"), 8u);
  // Alone, a block is its own peer.
  EXPECT_EQ(attempt(text, without_clusters()).code, 0);
}

TEST_F(ClusterWaits, WhatIsWrongIsRefused) {
  const auto error = [&](const std::string& shape, const std::string& program) {
    const Outcome outcome = attempt(waiting_kernel(shape, program));
    EXPECT_EQ(outcome.code, 2) << program;
    return outcome.err;
  };
  const std::string two = "grid: 2, block: 64, cluster: 2";
  EXPECT_THAT(error(two, "{mbarrier_arrive: {number: 0, peer: 2}}"),
              HasSubstr("block 2 of the cluster, but it has 2: 0 to 1 are allowed"));
  EXPECT_THAT(error(two, "{load: {pattern: s, space: cluster}}"), HasSubstr("that of a block with a rank, or a peer"));
  EXPECT_THAT(error(two, "{load: {pattern: s, peer: 1}}"), HasSubstr("rank and peer are of memory of the cluster"));
  EXPECT_THAT(error(two, "{load: {pattern: s, space: cluster, rank: 1, peer: 1}}"),
              HasSubstr("found together with rank"));
  EXPECT_THAT(error(two, "{warps: {first: 0, last: 0, body: [cluster_barrier]}}"),
              HasSubstr("a cluster barrier that only some warps would reach"));
  EXPECT_THAT(error(two, "{tma_load: {pattern: t, bytes: 128, rows: 3, mbarrier: 0, multicast: x}}"),
              HasSubstr("3 rows, of which the 2 blocks"));
  EXPECT_THAT(error(two, "{tma_load: {pattern: t, bytes: 24, mbarrier: 0}}"), HasSubstr("multiples of 16 are allowed"));
  EXPECT_THAT(error(two, "mbarrier_wait: 0"), HasSubstr("mbarrier 0 is used before it has been initialised"));
  EXPECT_THAT(error(two, "mbarrier_init: 0, {mbarrier_arrive: {number: 0, arrivals: 2}}"),
              HasSubstr("2 arrivals at mbarrier 0, whose phase has 1 of 1 left"));
  EXPECT_THAT(
      error(
          two,
          "mbarrier_init: 0, cluster_barrier, {spin: {us: 1, us_per_sm: 5}}, {mbarrier_arrive: {number: 0, peer: 1}}"),
      HasSubstr("which has ended; a cluster_barrier before the end keeps it there"));
}

const std::string kLoads = "{loop: {count: 100, body: [{load: {pattern: s, space: cluster, peer: 1, distance: 1}}]}}, ";

TEST_F(ClusterWaits, ALoadOfAnotherBlocksSharedMemoryTakesWhatWasMeasured) {
  const auto text = [](const std::string& body) {
    return "kernels:\n  k: {grid: 2, block: 32, cluster: 2, shared_memory: 200KiB, patterns: {s: {kind: affine}}, "
           "program: [" +
           body + "]}\napplications:\n  - {name: a, streams: [{name: s, launches: [k]}]}\n";
  };
  const std::uint64_t none = longest(text("cluster_barrier, cluster_barrier"));
  const std::uint64_t other = longest(text("cluster_barrier, " + kLoads + "cluster_barrier")) - none;
  EXPECT_NEAR(static_cast<double>(other) / 100, 181, 7) << "Luo et al., arXiv:2501.12084, section 7.1";
  EXPECT_EQ(counter("loads"), 200u);
}

TEST_F(ClusterWaits, StoresAndAtomicsArriveBeforeTheBlockEnds) {
  const std::string text = waiting_kernel("grid: 8, block: 128, cluster: 4",
                                          "cluster_barrier, {store: {pattern: s, space: cluster, peer: 1}}, {atomic: "
                                          "{pattern: s, space: cluster, rank: 0}}, "
                                          "cluster_barrier");
  EXPECT_GT(longest(text), 150u);
  EXPECT_EQ(counter("stores"), 8 * 4u);
  EXPECT_EQ(counter("atomics"), 6 * 4u) << "of the blocks that are not rank 0 themselves";
  EXPECT_EQ(counter("bytes"), (8 * 4 + 6 * 4) * 128u);
}

/// One warp of the first block stores 400 times into the second one, that of the second into its own, and `barrier` follows.
std::string stores_before(const std::string& barrier) {
  return waiting_kernel("grid: 2, block: 64, cluster: 2",
                        "cluster_barrier, {warps: {first: 1, last: 1, body: [{loop: {count: 400, body: [{store: "
                        "{pattern: s, space: cluster, rank: 1}}]}}]}}, " +
                            barrier);
}

TEST_F(ClusterWaits, WhatHasBeenStoredBeforeABarrierIsThereBehindIt) {
  EXPECT_EQ(attempt(stores_before("cluster_barrier")).code, 0);
  EXPECT_EQ(counter("stores"), 400u);
  const Outcome relaxed = attempt(stores_before("cluster_arrive_relaxed, cluster_wait"));
  EXPECT_EQ(relaxed.code, 2) << "it reaches blocks that have ended";
  EXPECT_THAT(relaxed.err, HasSubstr("which has ended; a cluster_barrier before the end keeps it there"));
}

TEST_F(ClusterWaits, AFenceTakesWhatWasMeasured) {
  const auto text = [](const std::string& barriers) {
    return waiting_kernel("grid: 2, block: 32, cluster: 2", "cluster_barrier, " + barriers + ", cluster_barrier");
  };
  const std::string relaxed = "{loop: {count: 100, body: [cluster_arrive_relaxed, cluster_wait]}}";
  const std::uint64_t without = longest(text(relaxed)),
                      with = longest(text("{loop: {count: 100, body: [cluster_barrier]}}"));
  EXPECT_NEAR(static_cast<double>(with - without) / 100, 924, 5) << "nothing is under way";
}

const std::string kTile =
    "{warps: {first: 0, last: 0, body: [mbarrier_init: 0]}}, cluster_barrier, {warps: {first: 0, last: 0, body: "
    "[{mbarrier_arrive: {number: 0, bytes: 8KiB}}, {tma_load: {pattern: t, bytes: 128, rows: 64, mbarrier: 0";

TEST_F(ClusterWaits, CopiesByTmaCountTheirBytes) {
  const std::string text =
      waiting_kernel("grid: 8, block: 64, cluster: 2", kTile + "}}]}}, mbarrier_wait: 0, cluster_barrier");
  EXPECT_GT(longest(text), 170u + 300u) << "what TMA needs, and a load";
  const Json result = Json::parse(read_file(folder.path("out/result.json")));
  EXPECT_EQ(result["l2"]["total"]["reads"], 8 * 64u) << result["l2"]["total"].dump();
}

TEST_F(ClusterWaits, CopiesByTmaAreTranslatedWhereThereIsAnMmu) {
  const std::string text = waiting_kernel("grid: 32, block: 64, cluster: 2",
                                          kTile + ", multicast: x}}]}}, mbarrier_wait: 0, cluster_barrier");
  const std::uint64_t without = longest(text);
  const Options mmu{"--set", "mmu.enabled=true", "--set", "sm.tlb.misses=2", "--set", "sm.tlb.miss_merges=3"};
  EXPECT_GT(longest(text, mmu), without + 100) << "pages are translated, and few lines wait for that at a time";
  const Json result = Json::parse(read_file(folder.path("out/result.json")));
  const Json tlbs = result["mmu"]["sm_tlbs"];
  EXPECT_GT(tlbs["misses"], 0) << tlbs.dump();
  EXPECT_EQ(tlbs["hits"].get<int>() + tlbs["replayed"].get<int>(), 32 * 32) << "each line is translated once";
  EXPECT_EQ(result["l2"]["total"]["reads"].get<int>(), 32 * 32 + result["mmu"]["walk_reads"].get<int>());
  const std::string blocks = read_file(folder.path("out/blocks.csv"));
  for (const Options& more : std::vector<Options>{{"--window", "1"}, {"--threads", "2"}, {"--check-protocol"}}) {
    Options options = mmu;
    options.insert(options.end(), more.begin(), more.end());
    run(text, options);
    EXPECT_EQ(read_file(folder.path("out/blocks.csv")), blocks) << more.front();
  }
}

TEST_F(ClusterWaits, AMulticastReadsOnceWhatAllGet) {
  const std::string text = waiting_kernel("grid: 8, block: 64, cluster: 2",
                                          kTile + ", multicast: x}}]}}, mbarrier_wait: 0, cluster_barrier");
  EXPECT_GT(longest(text), 170u + 300u);
  Json result = Json::parse(read_file(folder.path("out/result.json")));
  EXPECT_EQ(result["l2"]["total"]["reads"], 8 * 32u);
  EXPECT_EQ(counter("multicasts"), 8 * 32u);
  EXPECT_EQ(counter("multicast_bytes"), 8 * 4096u);
  ASSERT_EQ(attempt(text, without_clusters()).code, 0);
  result = Json::parse(read_file(folder.path("out/result.json")));
  EXPECT_EQ(result["l2"]["total"]["reads"], 8 * 64u) << "alone, a block gets all of it by itself";
}

TEST_F(ClusterWaits, AMulticastArrivesAtTheRateOfTheNetwork) {
  // Each of four blocks brings a quarter of 4096 lines, so each gets 3072 from the others.
  const std::string text = waiting_kernel(
      "grid: 4, block: 64, cluster: 4",
      "{warps: {first: 0, last: 0, body: [mbarrier_init: 0]}}, cluster_barrier, {warps: {first: 0, last: 0, body: "
      "[{mbarrier_arrive: {number: 0, bytes: 512KiB}}, {tma_load: {pattern: t, bytes: 128, rows: 4096, mbarrier: 0, "
      "multicast: cluster}}]}}, mbarrier_wait: 0, cluster_barrier");
  const auto cycles = [&](const char* bytes) {
    return longest(text, {"--set", std::string("cluster_network.multicast_bytes=") + bytes});
  };
  for (const auto& [bytes, flits] : {std::pair("32", 4), {"16", 8}}) {
    const std::uint64_t taken = cycles(bytes);
    EXPECT_GE(taken, 3072u * flits) << bytes;
    EXPECT_LT(taken, 3072u * flits + 3000) << bytes << ": what the first line takes, and barriers";
    EXPECT_EQ(counter("multicast_bytes"), 3072 * 4 * 128u);
  }
}

TEST_F(ClusterWaits, AMulticastOfADimensionReachesTheBlocksBesideEachOtherThere) {
  // All blocks of the cluster along the dimension get the tile, and fetch equal parts of it.
  const auto text = [](const std::string& dimension) {
    return waiting_kernel("grid: [4, 4, 2], block: 32, cluster: [4, 1, 2]",
                          "mbarrier_init: 0, cluster_barrier, {mbarrier_arrive: {number: 0, bytes: 1KiB}}, {tma_load: "
                          "{pattern: t, bytes: 128, rows: 8, mbarrier: 0, multicast: " +
                              dimension + "}}, mbarrier_wait: 0, cluster_barrier");
  };
  for (const auto& [dimension, blocks] : {std::pair("x", 4), {"y", 1}, {"z", 2}, {"cluster", 8}}) {
    EXPECT_GT(longest(text(dimension)), 0u);
    const Json result = Json::parse(read_file(folder.path("out/result.json")));
    EXPECT_EQ(result["l2"]["total"]["reads"], 32 * 8 / blocks) << dimension;
    EXPECT_EQ(counter("multicasts"), 32u * 8 / blocks * (blocks - 1)) << dimension;
  }
}

TEST_F(ClusterWaits, TheResultIsTheSameHoweverItIsComputed) {
  const std::string producer =
      "{warps: {first: 0, last: 0, body: [{loop: {count: 8, body: [{mbarrier_wait: {number: 1, parity: 1}}, "
      "{mbarrier_arrive: {number: 0, bytes: 8KiB}}, {tma_load: {pattern: t, bytes: 128, rows: 64, mbarrier: 0, "
      "multicast: "
      "cluster}}]}}]}}, ";
  std::string consumers =
      "{warps: {first: 1, last: 3, body: [{loop: {count: 8, body: [mbarrier_wait: 0, {fp32: 20}, {load: {pattern: s, "
      "space: "
      "cluster, peer: 3}}";
  for (const char* const rank : {"0", "1", "2", "3"})
    consumers += std::string(", {mbarrier_arrive: {number: 1, rank: ") + rank + "}}";
  const std::string text = waiting_kernel("grid: 48, block: 128, cluster: 4",
                                          "{warps: {first: 0, last: 0, body: [mbarrier_init: 0, {mbarrier_init: "
                                          "{number: 1, arrivals: 12}}]}}, cluster_barrier, " +
                                              producer + consumers + "]}}]}}, cluster_barrier");
  std::set<std::string> blocks, results;
  for (const Options& more :
       std::vector<Options>{{}, {"--window", "1"}, {"--window", "7"}, {"--threads", "2"}, {"--check-protocol"}}) {
    run(text, more);
    blocks.insert(read_file(folder.path("out/blocks.csv")));
    results.insert(Json::parse(read_file(folder.path("out/result.json")))["cluster_network"].dump());
  }
  EXPECT_EQ(blocks.size(), 1u);
  EXPECT_EQ(results.size(), 1u);
}

TEST_F(ClusterWaits, BlocksThatAreTakenOffGoOnWhereTheyWere) {
  const std::string program =
      "{warps: {first: 0, last: 0, body: [mbarrier_init: 0]}}, cluster_barrier, {loop: {count: 40, body: [{warps: "
      "{first: 0, "
      "last: 0, body: [{mbarrier_arrive: {number: 0, bytes: 8KiB}}, {tma_load: {pattern: t, bytes: 128, rows: 64, "
      "mbarrier: "
      "0, multicast: x}}]}}, mbarrier_wait: 0, {fp32: 100}, {load: {pattern: s, space: cluster, peer: 1}}, "
      "cluster_barrier]}}";
  std::string text = waiting_kernel("grid: 16, block: 128, cluster: 2", program);
  text += "  - {name: b, streams: [{name: t, launches: [k]}]}\n";
  const Options slices{"--set", "work_distributor.application=time_sliced",
                       "--set", "work_distributor.time_sliced.time_slice_us=5",
                       "--set", "work_distributor.time_sliced.instruction_preemption=true"};
  EXPECT_EQ(run(text, slices).size(), 32u);
  EXPECT_THAT(read_file(folder.path("out/result.json")), HasSubstr("preempt"));
}

TEST_F(ClusterWaits, AWorkloadIsWrittenAsItWasRead) {
  const std::string text = waiting_kernel(
      "grid: 8, block: 64, cluster: 2",
      "{mbarrier_init: {number: 2, arrivals: 3}}, mbarrier_init: 1, cluster_arrive, cluster_arrive_relaxed, fence, "
      "cluster_wait, cluster_barrier, "
      "{mbarrier_arrive: {number: 1, bytes: 32, peer: 1}}, {mbarrier_wait: {number: 1, parity: 1}}, {tma_load: "
      "{pattern: t, "
      "bytes: 16, rows: 2, mbarrier: 1, multicast: cluster}}, {store: {pattern: s, space: cluster, rank: 0}}");
  const std::string first = folder.write("w.yaml", text);
  ASSERT_EQ(run_program({"convert", first, "-o", folder.path("1.yaml")}).code, 0);
  ASSERT_EQ(run_program({"convert", folder.path("1.yaml"), "-o", folder.path("2.yaml")}).code, 0);
  const std::string once = read_file(folder.path("1.yaml"));
  EXPECT_EQ(once, read_file(folder.path("2.yaml")));
  for (const char* const part :
       {"mbarrier_init", "- cluster_arrive\n", "- cluster_arrive_relaxed", "- fence", "cluster_wait", "cluster_barrier",
        "peer: 1", "parity: 1", "multicast: cluster", "space: cluster", "rank: 0"})
    EXPECT_THAT(once, HasSubstr(part));
}

}  // namespace
}  // namespace gputlm
