// The part of the L2 that is set aside for persisting accesses: its effect on a repeatedly read table beside a stream, and the
// applications that may have one.

#include <gmock/gmock.h>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

const Options kSmallGpu{"--gpu", "a100",          "--set", "sms=8",
                        "--set", "sms_per_gpc=2", "--set", "dram.channels=8",
                        "--set", "l2.bytes=1MiB", "--set", "sm.l1.bytes=16KiB"};

/// Eight blocks sweep over a table of 512 KiB four times; others read 8 MiB once.
const char* const kTableAndStream = R"(kernels:
  table: {grid: 8, block: 256, patterns: {t: {kind: affine, base: 0x7f0000000000, lane_stride: 4, warp_stride: 128,
            block_stride: 1024, iteration_stride: 8192, footprint: 512KiB}},
          program: [{loop: {count: 256, body: [{load: {pattern: t, dst: 4, src: 4}}]}}]}
  stream: {grid: 64, block: 256, patterns: {s: {kind: affine, base: 0x7f1000000000, lane_stride: 4, warp_stride: 128,
             block_stride: 1024, iteration_stride: 65536}},
           program: [{loop: {count: 128, body: [{load: {pattern: s, dst: 4}}]}}]}
applications:
)";
std::string table_beside_stream(const std::string& of_table, const std::string& of_launch = "") {
  return std::string(kTableAndStream) + "  - {name: table, " + of_table +
         "sms: 0-3, streams: [{name: s, launches: [{kernel: table" + of_launch +
         "}]}]}\n  - {name: stream, sms: 4-7, streams: [{name: s, launches: [stream]}]}\n";
}

const std::string kTableWindow = ", access_policy_window: {base: 0x7f0000000000, bytes: 512KiB}";

TEST(SetAside, KeepsATableThatAStreamWouldPushOut) {
  const TestFolder folder;
  const auto run = [&](const std::string& text) {
    return run_workload(folder.write("w.yaml", text), kSmallGpu).result;
  };
  const auto hit_rate = [](const Json& result) {
    const Json& l2 = result.at("kernels").at(0).at("l2");
    const double hits = l2.at("read_hits"), misses = l2.at("read_misses");
    return hits / (hits + misses);
  };
  const Json without = run(table_beside_stream(""));
  const Json with = run(table_beside_stream("persisting_l2_cache_size: 768KiB, ", kTableWindow));
  const Json small = run(table_beside_stream("persisting_l2_cache_size: 128KiB, ", kTableWindow));
  EXPECT_FALSE(without.at("applications").at(0).contains("persisting_l2"));
  EXPECT_GT(hit_rate(with), 0.74);  // all but the first of four sweeps
  EXPECT_LT(hit_rate(without), 0.5);
  EXPECT_LT(hit_rate(small), hit_rate(with));
  const Json& kept = with.at("applications").at(0).at("persisting_l2");
  EXPECT_EQ(kept.at("hits").get<std::uint64_t>() + kept.at("misses").get<std::uint64_t>(), 8u * 8 * 256);
  EXPECT_EQ(kept.at("lines_kept"), 4096u);
  EXPECT_EQ(kept.at("lines_released"), 0u);
  EXPECT_EQ(with.at("applications").at(0).at("persisting_l2_cache_size"), 768u * 1024);
}

TEST(SetAside, IsTheSameInAWorkloadThatIsWrittenOut) {
  const TestFolder folder;
  const std::string text = table_beside_stream(
      "persisting_l2_cache_size: 256KiB, ",
      ", access_policy_window: {base: 0x7f0000000000, bytes: 300000, hit_ratio: 0.4, miss_prop: normal}");
  const Outcome converted = run_program({"convert", folder.write("w.yaml", text)});
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_THAT(converted.out, HasSubstr("hit_ratio: 0.4"));
  EXPECT_EQ(run_workload(folder.write("again.yaml", converted.out), kSmallGpu).blocks_text,
            run_workload(folder.write("w.yaml", text), kSmallGpu).blocks_text);
}

TEST(SetAside, IsRefusedWhereAGpuHasNone) {
  const TestFolder folder;
  const auto said = [&](const std::string& text, const Options& options) {
    Options all{"run", folder.write("w.yaml", text)};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = run_program(all);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  const std::string size = "persisting_l2_cache_size: 1MiB, ";
  EXPECT_THAT(
      said(table_beside_stream(size), {"--gpu", "volta80"}),
      HasSubstr("w.yaml:9: application table: found persisting_l2_cache_size 1048576, allowed: none, since volta80 has "
                "l2.persisting_share=0"));
  EXPECT_THAT(said(table_beside_stream("", kTableWindow), {"--gpu", "volta80"}),
              HasSubstr("launch table: found access_policy_window, allowed: none, since volta80"));
  EXPECT_THAT(said(table_beside_stream(size), kSmallGpu),
              HasSubstr("allowed: at most 786432, l2.persisting_share=0.75 of the 1048576 bytes"));
  EXPECT_THAT(said(table_beside_stream("persisting_l2_cache_size: 128KiB, l2_ways: 2, "), kSmallGpu),
              HasSubstr("allowed: at most 65536: its lines come into 2 of the 16 ways of the L2"));
  EXPECT_THAT(said("instances: {i: 7g}\n" + table_beside_stream(size + "instance: i, "), {"--gpu", "a100"}),
              HasSubstr("instance"));
  EXPECT_THAT(
      said(table_beside_stream("", ", access_policy_window: {base: 0, bytes: 1, miss_prop: persisting}"), kSmallGpu),
      HasSubstr("allowed: normal, streaming"));
}

TEST(SetAside, ThatNobodyUsesIsToldOf) {
  const TestFolder folder;
  const auto said = [&](const std::string& text) {
    Options all{"run", folder.write("w.yaml", text)};
    all.insert(all.end(), kSmallGpu.begin(), kSmallGpu.end());
    return run_program(all).err;
  };
  EXPECT_THAT(said(table_beside_stream("", kTableWindow)), HasSubstr("hit_prop persisting is as normal"));
  EXPECT_THAT(said(table_beside_stream("persisting_l2_cache_size: 64KiB, ")),
              HasSubstr("persisting_l2_cache_size has no effect"));
}

}  // namespace
}  // namespace gputlm
