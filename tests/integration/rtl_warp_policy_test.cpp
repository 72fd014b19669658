// The whole GPU gives the same bytes with the sorters of rtl/ in every sub-core as with their models.

#include "tests/integration/random_workload.h"
#include "tests/integration/rtl_runs.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kKernels = R"(kernels:
  compute:
    grid: 40
    block: 256
    registers: 32
    program:
      - loop:
          count: 12
          body: [{fp32: {dst: 4, src: [4, 6, 7]}}, {int: {dst: 5, src: [5, 0]}}, {sfu: {dst: 6, src: [4]}}]
  random:
    grid: 30
    block: 96
    patterns: {table: {kind: random, footprint: 16MiB}}
    program:
      - loop:
          count: 3
          body:
            - {load: {pattern: table, width: 8, dst: 4}}
            - {int: {dst: 5, src: [4]}}
            - {store: {pattern: table, src: 5}}
  short:
    grid: 300
    block: 32
    program: [{int: {dst: 1}}, {fp32: {dst: 2, src: [1]}}, {int: {dst: 3, src: [2]}}]
applications:
)";

std::string launch(const std::string& kernel, unsigned budget) {
  return "{kernel: " + kernel + ", budget: " + std::to_string(budget) + "}";
}

/// Each kernel in a stream of its own.
std::string workload(const Strings& launches) {
  std::string text = std::string(kKernels) + "  - name: a\n    streams:\n";
  for (std::size_t s = 0; s < launches.size(); ++s) {
    text += "      - {name: s" + std::to_string(s) + ", launches: [" + launches[s] + "]}\n";
  }
  return text;
}

const Strings kGpuOfFewWarps{"--gpu", "titan_v", "--set", "sms=3"};

class SorterInThePlatform : public testing::TestWithParam<std::string> {
 protected:
  void same(const std::string& text, const Strings& options) const {
    const TestFolder folder;
    expect_the_same(folder.write("workload.yaml", text), "sm.warp_scheduler", GetParam(), options);
  }
};

TEST_P(SorterInThePlatform, GivesTheResultOfTheModelForTwoKernels) {
  for (const char* window : {"1", "7", "0"}) {
    Strings options = kGpuOfFewWarps;
    options.insert(options.end(), {"--window", window});
    same(workload({launch("compute", 4), launch("random", 2)}), options);
  }
}

/// The blocks of `short` come and go all the time; two kernels share a budget, so there are two groups of the three.
TEST_P(SorterInThePlatform, GivesTheResultOfTheModelForThreeKernels) {
  for (const unsigned budget : {1, 2, 255}) {
    Strings options = kGpuOfFewWarps;
    options.insert(options.end(), {"--window", budget == 1 ? "1" : "0"});
    same(workload({launch("compute", 1), launch("random", 2), launch("short", budget)}), options);
  }
}

TEST_P(SorterInThePlatform, GivesTheResultOfTheModelInSubCoresOfAnySize) {
  for (const char* sub_cores : {"1", "2", "8"}) {
    Strings options = kGpuOfFewWarps;
    options.insert(options.end(),
                   {"--set", "sm.warps=40", "--set", "sm.sub_cores=" + std::string(sub_cores), "--set", "sms=2"});
    same(workload({launch("compute", 3), launch("short", 7)}), options);
  }
}

TEST_P(SorterInThePlatform, GivesTheResultOfTheModelForRandomMixes) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    RandomWorkload random(seed);
    const std::string text = random.text();
    Strings options = random.settings();
    options.insert(options.end(), {"--gpu", "gtx480"});
    same(text, options);
  }
}

TEST_P(SorterInThePlatform, IsInTheListOfPolicies) {
  const Outcome outcome = run_program({"list", "policies"});
  EXPECT_NE(outcome.out.find(GetParam() + "@rtl"), std::string::npos) << outcome.out;
}

TEST_P(SorterInThePlatform, RejectsASubCoreThatIsTooLargeForIt) {
  const TestFolder folder;
  const std::string input = folder.write("two.yaml", workload({launch("compute", 1)}));
  const Outcome outcome = run_program({"run", input, "--gpu", "titan_v", "--set", "sm.sub_cores=1", "--set",
                                       "sm.warp_scheduler=" + GetParam() + "@rtl", "--out", folder.path("out")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("sm.warps / sm.sub_cores: found 64, allowed with sm.warp_scheduler=" + GetParam() +
                             "@rtl is at most 48"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(folder.files("out"), Strings{});
}

INSTANTIATE_TEST_SUITE_P(Policies, SorterInThePlatform, testing::Values("lrr", "gto", "qaws"),
                         [](const auto& instance) { return instance.param; });

/// Nine kernels whose warps meet in a sub-core, each with a budget of its own.
TEST(QawsInThePlatform, RejectsANinthBudgetInASubCore) {
  const TestFolder folder;
  Strings launches;
  for (unsigned budget = 1; budget <= 9; ++budget) {
    launches.push_back("{kernel: compute, grid: 1, block: 32, budget: " + std::to_string(budget) + "}");
  }
  const std::string input = folder.write("nine.yaml", workload(launches));
  const Outcome outcome =
      run_program({"run", input, "--gpu", "titan_v", "--set", "sms=1", "--set", "sm.warps=32", "--set",
                   "sm.sub_cores=1", "--set", "sm.warp_scheduler=qaws@rtl", "--out", folder.path("out")});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_NE(outcome.err.find("different budgets of the warps of a sub-core: found 9, allowed with "
                             "sm.warp_scheduler=qaws@rtl is at most 8"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(folder.files("out"), Strings{});
}

}  // namespace
}  // namespace gputlm
