// Programmatic dependent launch: a kernel begins while the one before it in its stream runs, and waits for its end.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

/// Few enough blocks of a that those of b fit beside them.
std::string dependent_kernels(const std::string& first, const std::string& second, const std::string& launch = "",
                              unsigned blocks = 15) {
  return "kernels:\n  a: {grid: " + std::to_string(blocks) + ", block: 512, program: [" + first + "]}\n" +
         "  b: {grid: 20, block: 128, program: [" + second + "]}\n" +
         "  c: {grid: 4, block: 128, program: [fp32: 10]}\n" +
         "applications:\n  - {name: x, streams: [{name: s, launches: [a, {kernel: b" + launch + "}, c]}]}\n";
}

const std::string kWork = "{loop: {count: 100, body: [fp32: 10]}}";
const std::string kLetsGo = "{loop: {count: 20, body: [fp32: 10]}}, launch_dependents, " + kWork;
const std::string kWaits = "{loop: {count: 30, body: [int: 10]}}, grid_dependency_wait, fp32: 20";
const std::string kDependent = ", programmatic_dependent_launch: true";

struct Times {
  std::uint64_t first = ~std::uint64_t{0}, last_start = 0, first_end = ~std::uint64_t{0}, end = 0;
};

class DependentLaunch : public testing::Test {
 protected:
  std::map<std::string, Times> run(const std::string& text, const Options& more = {}) {
    Options options{"run",
                    folder.write("w.yaml", text),
                    "--gpu",
                    "rtx2060",
                    "--set",
                    "sms=15",
                    "--force",
                    "--out",
                    folder.path("out")};
    options.insert(options.end(), more.begin(), more.end());
    const Outcome outcome = run_program(options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, Times> times;
    for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv"))) {
      Times& of = times[row.kernel];
      of.first = std::min(of.first, row.start);
      of.last_start = std::max(of.last_start, row.start);
      of.first_end = std::min(of.first_end, row.end);
      of.end = std::max(of.end, row.end);
    }
    return times;
  }
  static std::string list(const std::string& elements) {  // `x: n` of the outermost list has braces of its own
    std::string text = elements;
    const std::string plain = "fp32: 20";
    if (const std::size_t at = text.rfind(plain); at != std::string::npos)
      text.replace(at, plain.size(), "{" + plain + "}");
    return text;
  }
  TestFolder folder;
};

TEST_F(DependentLaunch, BeginsWhenAllBlocksHaveLetItAndWaitsForTheirEnd) {
  auto times = run(dependent_kernels(kLetsGo, list(kWaits), kDependent));
  EXPECT_GT(times["b"].first, times["a"].last_start) << "all blocks of a are there";
  EXPECT_LT(times["b"].first, times["a"].end);
  EXPECT_GT(times["b"].first_end, times["a"].end);
  EXPECT_GT(times["c"].first, times["b"].end) << "c waits for all before it";
  const std::uint64_t hidden = times["c"].end;
  times = run(dependent_kernels(kLetsGo, list(kWaits)));
  EXPECT_GT(times["b"].first, times["a"].end);
  EXPECT_LT(hidden, times["c"].end) << "what b does before it waits takes no time of its own";
}

TEST_F(DependentLaunch, BeginsAtTheEndOfAllBlocksWhereNoneLetsIt) {
  auto times = run(dependent_kernels(kWork, list(kWaits), kDependent));
  EXPECT_GE(times["b"].first, times["a"].end);
  EXPECT_LT(times["b"].first, times["a"].end + 200) << "without the host, which is 500 cycles away";
}

TEST_F(DependentLaunch, WaitsForBlocksThatHaveNotBeenSent) {
  auto times = run(dependent_kernels(kLetsGo, list(kWaits), kDependent, 60));  // two waves of a
  EXPECT_GT(times["b"].first, times["a"].last_start);
  EXPECT_GT(times["b"].first_end, times["a"].end);
}

TEST_F(DependentLaunch, DoesNotWaitWhereItDoesNotSaySo) {
  const std::string no_wait = "{loop: {count: 3, body: [int: 10]}}";
  auto times = run(dependent_kernels(kLetsGo, no_wait, kDependent));
  EXPECT_LT(times["b"].end, times["a"].end);
  EXPECT_GT(times["c"].first, times["a"].end);
}

TEST_F(DependentLaunch, AWaitWithoutADependenceIsNone) {
  auto times = run(dependent_kernels(kLetsGo, list(kWaits)));
  EXPECT_GT(times["b"].first, times["a"].end);
}

TEST_F(DependentLaunch, ABlockLetsGoOnceAndAnEndLetsGoToo) {
  const std::string sometimes =
      "{warps: {first: 0, last: 0, body: [launch_dependents, launch_dependents, " + kWork + "]}}";
  auto times = run(dependent_kernels(sometimes, list(kWaits), kDependent));
  EXPECT_GT(times["b"].first, times["a"].last_start);
  EXPECT_LT(times["b"].first, times["a"].end);
}

TEST_F(DependentLaunch, AChainOfThem) {
  std::string text =
      "kernels:\n  k: {grid: 30, block: 256, program: [{loop: {count: 20, body: [int: 10]}}, "
      "grid_dependency_wait, launch_dependents, {loop: {count: 50, body: [fp32: 10]}}]}\n"
      "applications:\n  - {name: x, streams: [{name: s, launches: [";
  for (int i = 0; i < 8; ++i) text += "{kernel: k, label: k" + std::to_string(i) + kDependent + "}, ";
  text += "]}]}\n";
  auto times = run(text);
  for (int i = 1; i < 8; ++i) {
    const Times& before = times["k" + std::to_string(i - 1)];
    const Times& now = times["k" + std::to_string(i)];
    EXPECT_LT(now.first, before.end) << i;
    EXPECT_GT(now.first_end, before.end) << i;
  }
}

TEST_F(DependentLaunch, TheSameInEveryWindowAndWithEveryPolicy) {
  const std::string text =
      dependent_kernels(kLetsGo, list(kWaits), kDependent) +
      "  - {name: y, streams: [{name: t, launches: [{kernel: a, label: a2}, {kernel: b, label: b2" + kDependent +
      "}]}]}\n";
  for (const Options& policy : std::vector<Options>{{"--set", "work_distributor.application=partitioned"},
                                                    {"--set", "work_distributor.kernel_order=mpmax"},
                                                    {"--set", "work_distributor.kernel_order=srtf"},
                                                    {"--set", "work_distributor.application=time_sliced", "--set",
                                                     "work_distributor.time_sliced.time_slice_us=1"},
                                                    {"--set", "work_distributor.application=time_sliced", "--set",
                                                     "work_distributor.time_sliced.time_slice_us=1", "--set",
                                                     "work_distributor.time_sliced.instruction_preemption=true"}}) {
    std::set<std::string> results;
    for (const Options& way : std::vector<Options>{{}, {"--window", "2"}, {"--threads", "2"}, {"--check-protocol"}}) {
      Options options = policy;
      options.insert(options.end(), way.begin(), way.end());
      auto times = run(text, options);
      EXPECT_GT(times["b"].first_end, times["a"].end) << testing::PrintToString(policy);
      EXPECT_GT(times["b2"].first_end, times["a2"].end) << testing::PrintToString(policy);
      results.insert(read_file(folder.path("out/blocks.csv")));
    }
    EXPECT_EQ(results.size(), 1u) << testing::PrintToString(policy);
  }
}

TEST_F(DependentLaunch, IsRefusedWhereSmsRunBlocks) {
  const std::string file = folder.write("w.yaml", dependent_kernels(kLetsGo, list(kWaits), kDependent));
  const std::string table = folder.write("d.yaml", "");
  const Outcome outcome = run_program({"run", file, "--set", "sm.model=blocks"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("launch b: found programmatic_dependent_launch, which sm.model=blocks does not support"));
}

TEST_F(DependentLaunch, IsWrittenAsItIsRead) {
  const std::string file = folder.write("w.yaml", dependent_kernels(kLetsGo, list(kWaits), kDependent));
  const Outcome converted = run_program({"convert", file, "-o", "-"});
  EXPECT_THAT(converted.out, HasSubstr(", launch_dependents,"));
  EXPECT_THAT(converted.out, HasSubstr(", grid_dependency_wait,"));
  EXPECT_THAT(converted.out, HasSubstr("programmatic_dependent_launch: true"));
  const Outcome bad =
      run_program({"run", folder.write("x.yaml", dependent_kernels("launch_dependents: 3", list(kWaits)))});
  EXPECT_THAT(bad.err, HasSubstr("takes no value"));
}

}  // namespace
}  // namespace gputlm
