// Clusters of blocks for a user: keys of a workload, refused inputs, the number of clusters that fit on a GPU.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

std::string clustered_workload(const std::string& shape, const std::string& launch = "k",
                               const std::string& application = "") {
  return "kernels:\n  k: {block: 256, " + shape + ", program: [loop: {count: 30, body: [fp32: 10]}]}\n" +
         "  small: {grid: 300, block: 128, program: [loop: {count: 20, body: [int: 10]}]}\n" +
         "applications:\n  - {name: a, " + application + "streams: [{name: s, launches: [" + launch + "]}]}\n" +
         "  - {name: b, streams: [{name: t, launches: [{kernel: small, repeat: 3}]}]}\n";
}

Outcome run_clusters(const TestFolder& folder, const std::string& text, const Options& more = {}) {
  Options options{"run",   folder.write("w.yaml", text),
                  "--gpu", "h100_sxm",
                  "--set", "sms=20",
                  "--set", "sms_per_gpc=8",
                  "--out", folder.path("out")};
  options.insert(options.end(), more.begin(), more.end());
  return run_program(options);
}

TEST(Clusters, AreOnOneGpcInEveryRun) {
  const TestFolder folder;
  const std::string text = clustered_workload("grid: [8, 12], cluster: [2, 3]");
  std::set<std::string> results;
  for (const Options& more : std::vector<Options>{{}, {"--window", "3"}, {"--threads", "2"}, {"--check-protocol"}}) {
    const Outcome outcome = run_clusters(folder, text, more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    results.insert(read_file(folder.path("out/blocks.csv")));
    std::map<std::uint64_t, std::vector<BlockRow>> clusters;
    for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv"))) {
      if (row.kernel == "k") clusters[row.block % 8 / 2 + row.block / 8 / 3 * 4].push_back(row);
    }
    EXPECT_EQ(clusters.size(), 16u);
    for (const auto& [number, rows] : clusters) {
      ASSERT_EQ(rows.size(), 6u) << number;
      std::uint64_t last_start = 0, first_end = ~std::uint64_t{0};
      for (const BlockRow& row : rows) {
        EXPECT_EQ(row.sm / 8, rows.front().sm / 8) << number;
        last_start = std::max(last_start, row.start);
        first_end = std::min(first_end, row.end);
      }
      EXPECT_LT(last_start, first_end) << number;
    }
  }
  EXPECT_EQ(results.size(), 1u);
}

TEST(Clusters, ArePlacedTheSameOnSmsThatRunBlocks) {
  const TestFolder folder;
  // Blocks that only spin last as long there.
  const std::string text =
      "kernels:\n  k: {grid: 24, block: 256, cluster: 3, shared_memory: 100KiB, program: [spin: {us: 3, us_per_sm: "
      "1}]}\n"
      "  small: {grid: 60, block: 128, shared_memory: 60KiB, program: [spin: {us: 2}]}\n"
      "applications:\n  - {name: a, streams: [{name: s, launches: [k]}, {name: t, launches: [small]}]}\n";
  std::vector<std::map<std::pair<std::string, std::uint64_t>, std::uint64_t>> sms(2);
  for (const std::size_t blocks : {0, 1}) {
    ASSERT_EQ(run_clusters(folder, text, {"--force", "--set", blocks ? "sm.model=blocks" : "sm.model=warps"}).code, 0);
    std::map<std::uint64_t, std::set<std::uint64_t>> gpcs;
    for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv"))) {
      sms[blocks][{row.kernel, row.block}] = row.sm;
      if (row.kernel == "k") gpcs[row.block / 3].insert(row.sm / 8);
    }
    ASSERT_EQ(gpcs.size(), 8u);
    for (const auto& [number, of] : gpcs) EXPECT_EQ(of.size(), 1u) << number;
  }
  EXPECT_EQ(sms[0], sms[1]);
}

TEST(Clusters, GpcsMayDiffer) {
  const TestFolder folder;
  // One block an SM: GPCs of 7, 5 and 8 SMs hold a cluster of 5 each.
  const std::string text = clustered_workload("grid: 15, cluster: 5, shared_memory: 200KiB");
  ASSERT_EQ(run_clusters(folder, text, {"--set", "gpc_sms=7+5+8"}).code, 0);
  std::map<std::uint64_t, std::set<std::uint64_t>> sms;
  for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv"))) {
    if (row.kernel == "k") sms[row.block / 5].insert(row.sm < 7 ? 0 : row.sm < 12 ? 1 : 2);
  }
  EXPECT_EQ(sms, (std::map<std::uint64_t, std::set<std::uint64_t>>{{0, {2}}, {1, {0}}, {2, {1}}}));
}

TEST(Clusters, APlacementOfTheConfigurationChoosesTheirGpcs) {
  // GPCs of 7, 5 and 8 SMs, which hold two blocks each; all six clusters of two are there at once.
  const std::string text =
      "kernels:\n  k: {grid: 12, block: 256, cluster: 2, shared_memory: 100KiB, program: [spin: {us: 5}]}\n"
      "applications:\n  - {name: a, streams: [{name: s, launches: [k]}]}\n";
  const auto gpcs = [&](const std::string& placement) {
    const TestFolder folder;
    const Outcome outcome = run_clusters(
        folder, text, {"--set", "gpc_sms=7+5+8", "--set", "work_distributor.cluster_placement=" + placement});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<unsigned> of(6);
    std::vector<std::set<std::uint64_t>> sms(6);
    for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv"))) {
      of[row.block / 2] = row.sm < 7 ? 0 : row.sm < 12 ? 1 : 2;
      sms[row.block / 2].insert(row.sm);
    }
    for (const auto& each : sms) EXPECT_EQ(each.size(), 2u) << placement << ": an SM for each block";
    return of;
  };
  EXPECT_THAT(gpcs("most_idle"), ElementsAre(2, 0, 2, 0, 1, 2));
  EXPECT_THAT(gpcs("most_room"), ElementsAre(2, 0, 2, 0, 2, 0));
  EXPECT_THAT(gpcs("least_room"), ElementsAre(1, 1, 1, 1, 1, 0));
  EXPECT_THAT(gpcs("round_robin"), ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(Clusters, ALaunchMayHaveOthersThanItsKernel) {
  const TestFolder folder;
  ASSERT_EQ(run_clusters(folder, clustered_workload("grid: 8", "{kernel: k, cluster: 4}")).code, 0);
  std::map<std::uint64_t, std::set<std::uint64_t>> gpcs;
  for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv"))) {
    if (row.kernel == "k") gpcs[row.block / 4].insert(row.sm / 8);
  }
  EXPECT_EQ(gpcs.at(0).size() + gpcs.at(1).size(), 2u);
}

TEST(Clusters, WhatCannotBeIsRefused) {
  const TestFolder folder;
  const auto refused = [&](const std::string& text, const Options& more = {}) {
    const Outcome outcome = run_clusters(folder, text, more);
    EXPECT_EQ(outcome.code, 2) << text;
    return outcome.err;
  };
  EXPECT_THAT(
      refused(clustered_workload("grid: 10, cluster: 4")),
      HasSubstr("w.yaml:2: kernel 'k': clusters of 4 x 1 x 1 blocks do not divide the grid of 10 x 1 x 1 blocks"));
  EXPECT_THAT(refused(clustered_workload("grid: 16", "{kernel: k, grid: 9, cluster: 2}")),
              HasSubstr("do not divide the grid"));
  EXPECT_THAT(refused(clustered_workload("grid: 16, cluster: 16")),
              HasSubstr("launch k: kernel k has clusters of 16 blocks; h100_sxm allows 8, and 16 with "
                        "non_portable_cluster"));
  EXPECT_THAT(refused(clustered_workload("grid: 20, cluster: 20, non_portable_cluster: true")),
              HasSubstr("20 blocks; h100_sxm"));
  EXPECT_THAT(refused(clustered_workload("grid: 64, cluster: 0")),
              HasSubstr("found '0', allowed: a whole number from 1 to 64"));
  const std::string wide = "grid: 16, cluster: 8, shared_memory: 200KiB";
  EXPECT_THAT(
      refused(clustered_workload(wide, "{kernel: k, sms: [4-11]}")),
      HasSubstr("which one GPC has to hold at once; of h100_sxm it may use 4 SMs of a GPC, with 1 blocks each: 4"));
  EXPECT_THAT(
      refused(clustered_workload(wide, "k", "sm_percent: 30, "), {"--set", "work_distributor.application=partitioned"}),
      HasSubstr("it may use 6 SMs of a GPC"));
  EXPECT_THAT(refused(clustered_workload("grid: 2"), {"--set", "gpc_sms=8+8"}),
              HasSubstr("gpc_sms must be even, or have as many together as sms; found 8+8, which are 16, and 20"));
  EXPECT_THAT(refused(clustered_workload("grid: 2"), {"--set", "gpc_sms=9+11"}),
              HasSubstr("numbers from 1 to sms_per_gpc"));
  EXPECT_THAT(refused(clustered_workload("grid: 2"), {"--set", "gpc_sms=8+x"}),
              HasSubstr("numbers from 1 to sms_per_gpc"));
}

TEST(Clusters, OnAGpuWithoutAreToldToHaveNoEffect) {
  const TestFolder folder;
  const std::string text = clustered_workload("grid: 16, cluster: 16, non_portable_cluster: true");
  const Outcome outcome = run_program({"run", folder.write("w.yaml", text), "--gpu", "rtx2060"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("clusters of 1 launches have no effect, first of k: rtx2060 has none"));
}

TEST(Clusters, AreWrittenAsTheyAreRead) {
  const TestFolder folder;
  const std::string file =
      folder.write("w.yaml", clustered_workload("grid: [8, 4], cluster: [2, 2], non_portable_cluster: true"));
  const Outcome converted = run_program({"convert", file, "-o", "-"});
  EXPECT_THAT(converted.out, HasSubstr("cluster: [2, 2]"));
  EXPECT_THAT(converted.out, HasSubstr("non_portable_cluster: true"));
}

TEST(Occupancy, ClustersThatAGpuHolds) {
  const auto clusters = [](const Options& more) {
    Options options{"occupancy", "--gpu", "h100_sxm", "--json", "--shared-memory", "200000"};
    options.insert(options.end(), more.begin(), more.end());
    const Outcome outcome = run_program(options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::map<unsigned, unsigned> of;
    for (const Json& row : Json::parse(outcome.out)) of[row.at("cluster_blocks")] = row.at("clusters");
    return of;
  };
  const std::map<unsigned, unsigned> even = clusters({});  // seven GPCs of 18 SMs and one of 6
  EXPECT_EQ(even.at(1), 132u);
  EXPECT_EQ(even.at(4), 7 * 4u + 1);
  EXPECT_EQ(even.at(16), 7u);
  const std::map<unsigned, unsigned> uneven = clusters({"--set", "gpc_sms=16+16+16+16+16+16+18+18"});
  EXPECT_EQ(uneven.at(2), 66u);
  EXPECT_EQ(uneven.at(8), 16u);
  EXPECT_EQ(uneven.at(16), 8u);
  EXPECT_THAT(run_program({"occupancy", "--gpu", "a100", "--cluster", "2"}).err,
              HasSubstr("found 2, allowed: 1 to 1 on a100"));
}

}  // namespace
}  // namespace gputlm
