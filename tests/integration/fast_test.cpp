// gputlm run --fast: SMs that run blocks, with durations measured on demand.

#include <gmock/gmock.h>

#include <map>

#include "tests/integration/environment.h"
#include "tests/integration/experiment_pages.h"
#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Options = std::vector<std::string>;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kMix = R"(
kernels:
  computes: {grid: 120, block: 256, program: [loop: {count: 30, body: [fp32: {distance: 2, count: 8}, int: 2]}]}
  reads: {grid: 100, block: 256, patterns: {p: {kind: random, footprint: 16MiB}}, program: [loop: {count: 6, body: [load: p, fp32: 4]}]}
applications:
  - name: a
    streams:
      - {name: c, launches: [computes, computes]}
      - {name: r, launches: [{kernel: reads, release_us: 5}]}
)";

class Fast : public testing::Test {
 protected:
  Outcome run(const std::string& input, const Options& more, const std::string& folder = "") {
    Options all{"run", input, "--gpu", "gtx480"};
    all.insert(all.end(), more.begin(), more.end());
    if (!folder.empty()) all.insert(all.end(), {"--out", folder_.path(folder)});
    return run_program(all);
  }
  static std::map<std::string, double> cycles(const std::string& json) {
    std::map<std::string, double> all;
    const nlohmann::json result = nlohmann::json::parse(json);
    for (const auto& kernel : result.at("kernels"))
      all[kernel.at("kernel")] = kernel.at("end_cycle").get<double>() - kernel.at("arrived_cycle").get<double>();
    return all;
  }

  TestFolder folder_;
  Environment cache_{"XDG_CACHE_HOME", folder_.path("cache")};
};

/// Text between two others.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return "no " + before;
  return text.substr(at + before.size(), text.find(after, at + before.size()) - at - before.size());
}

TEST_F(Fast, SaysTheErrorThatThePageOfItsExperimentHas) {
  const std::string input = folder_.write("mix.yaml", kMix), mean = "random mixes: mean error of a turnaround | 5 | ";
  const Outcome run_with_requests = run(input, {"--fast", "--set", "sm.model=blocks_requests"});
  const std::string page = experiment_pages().at("blocks/error-requests");
  EXPECT_EQ(between(run_with_requests.err, "expect kernels to be ", " off on average"), between(page, mean, " |"));
  EXPECT_EQ(between(run_with_requests.err, "one in twenty by ", " or more"),
            between(page, "random mixes: 95th percentile | 15 | ", " |"));
  std::ostringstream blocks;  // the closed form's are of the experiment in full, which no page has
  blocks << std::ifstream(std::string(GPUTLM_SOURCE_DIR) + "/docs/blocks.md").rdbuf();
  const std::string said = between(run(input, {"--fast"}).err, "expect kernels to be ", " (docs");
  EXPECT_THAT(blocks.str(), HasSubstr("warning: sm.model=blocks: expect kernels to be " + said));
}

TEST_F(Fast, MeasuresWhatItNeedsOnceAndComesCloseToWarps) {
  const std::string input = folder_.write("mix.yaml", kMix);
  const Outcome first = run(input, {"--fast", "--json"}, "first"), second = run(input, {"--fast"}, "second");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("sm.model=blocks: durations of blocks measured: kernels 2, pairs of kernels 1; "));
  EXPECT_THAT(first.err, HasSubstr(" 0 of them kept"));
  EXPECT_THAT(second.err, Not(HasSubstr(" 0 of them kept")));
  EXPECT_THAT(first.err, HasSubstr("expect kernels to be"));
  const std::string result = read_file(folder_.path("first/result.json"));
  EXPECT_EQ(result, read_file(folder_.path("second/result.json")));
  const auto fast = cycles(first.out), warps = cycles(run(input, {"--json"}).out);
  ASSERT_EQ(fast.size(), 3);
  for (const auto& [label, exact] : warps) EXPECT_NEAR(fast.at(label), exact, 0.15 * exact) << label;

  // The durations are there to be used again.
  const Outcome again = run(
      input, {"--json", "--set", "sm.model=blocks", "--set", "sm.durations=" + folder_.path("first/durations.yaml")});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(cycles(again.out), fast);
}

/// An instance is measured as a GPU of its size, regardless of the other instances.
TEST_F(Fast, MeasuresOnTheShapeOfEachInstance) {
  const std::string head = "instances: {small: {gpcs: 1, channels: 1}, large: {gpcs: 4, channels: 2}}\n", mix = kMix;
  const auto on = [&](const std::string& instance) {
    return head + mix.substr(0, mix.find("    streams:")) + "    instance: " + instance + "\n" +
           mix.substr(mix.find("    streams:"));
  };
  const std::string both = on("small") +
                           "  - {name: b, instance: large, streams: [{name: s, launches: [{kernel: "
                           "computes, label: other}]}]}\n";
  const Options divided{"--set", "sms_per_gpc=3", "--json", "--fast"};
  const Outcome run_of_both = run(folder_.write("both.yaml", both), divided, "both");
  ASSERT_EQ(run_of_both.code, 0) << run_of_both.err;
  EXPECT_THAT(run_of_both.err, HasSubstr("kernels 3, pairs of kernels 1; "));
  const Outcome warps = run(folder_.path("both.yaml"), {"--set", "sms_per_gpc=3", "--json"});
  const auto fast = cycles(run_of_both.out);
  for (const auto& [label, exact] : cycles(warps.out)) EXPECT_NEAR(fast.at(label), exact, 0.15 * exact) << label;

  const Outcome again =
      run(folder_.path("both.yaml"), {"--set", "sms_per_gpc=3", "--json", "--set", "sm.model=blocks", "--set",
                                      "sm.durations=" + folder_.path("both/durations.yaml")});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(cycles(again.out), fast);
}

TEST_F(Fast, IsExactWhereKernelsOnlySpin) {
  const std::string input = folder_.write("spins.yaml", R"(
kernels:
  k: {grid: 300, block: 128, program: [spin: {us: 20}]}
applications:
  - name: a
    streams: [{name: s, launches: [k, k]}, {name: t, launches: [k]}]
)");
  const Outcome fast = run(input, {"--fast", "--json"});
  EXPECT_EQ(fast.code, 0) << fast.err;
  EXPECT_THAT(fast.err, HasSubstr("sm.model=blocks: all kernels only spin"));
  EXPECT_THAT(fast.err, Not(HasSubstr("expect")));
  // Warps that end in the same cycle exit one after the other.
  const auto blocks = cycles(fast.out), warps = cycles(run(input, {"--json"}).out);
  ASSERT_EQ(blocks.size(), 3);
  for (const auto& [label, exact] : warps) EXPECT_NEAR(blocks.at(label), exact, 8) << label;
}

TEST_F(Fast, IsForSmsThatRunBlocks) {
  const std::string input = folder_.write("mix.yaml", kMix);
  const Outcome warps = run(input, {"--fast", "--set", "sm.model=warps"});
  EXPECT_EQ(warps.code, 2);
  EXPECT_THAT(warps.err, HasSubstr("--fast: found sm.model=warps, allowed: blocks, blocks_requests"));
  const Outcome translated = run(input, {"--fast", "--set", "mmu.enabled=true"});
  EXPECT_EQ(translated.code, 0) << translated.err;
  EXPECT_THAT(translated.err, HasSubstr("sm.model=warps: addresses are translated"));
}

// What a block takes follows from two that are shorter.
TEST_F(Fast, LongBlocksAreMeasuredByShortOnes) {
  const std::string input = folder_.write("long.yaml", R"(
kernels:
  computes: {grid: 30, block: 256, program: [loop: {count: 1500, body: [fp32: {distance: 2, count: 8}, int: 2]}]}
  reads: {grid: 15, block: 64, patterns: {p: {kind: random, footprint: 16MiB}}, program: [loop: {count: 90, body: [load: {pattern: p, dst: 4}, fp32: {src: 4, dst: 4}]}]}
applications:
  - name: a
    streams: [{name: c, launches: [computes]}, {name: r, launches: [reads]}]
)");
  const auto calibrated = [&](const std::string& cut_above) {
    const std::string file = folder_.path(cut_above + ".yaml");
    const Outcome outcome = run_program({"calibrate", input, "--gpu", "gtx480", "-o", file, "--cut-above", cut_above});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Outcome blocks = run(input, {"--json", "--set", "sm.model=blocks", "--set", "sm.durations=" + file});
    EXPECT_EQ(blocks.code, 0) << blocks.err;
    return std::pair(cycles(blocks.out), read_file(file));
  };
  const auto [whole, table] = calibrated("1000000000000");
  const auto [cut, table_of_cut] = calibrated("1000000");
  EXPECT_EQ(table.find("cut: true"), std::string::npos);
  EXPECT_NE(table_of_cut.find("cut: true"), std::string::npos);
  ASSERT_EQ(whole.size(), 2);
  for (const auto& [label, exact] : whole) EXPECT_NEAR(cut.at(label), exact, 0.1 * exact) << label;
}

}  // namespace
}  // namespace gputlm
