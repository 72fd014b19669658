// Applications on separate SMs, and applications that are relaunched until all have ended once.

#include <map>
#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

std::uint64_t number(const Json& json, const char* pointer) {
  return json.at(Json::json_pointer(pointer)).get<std::uint64_t>();
}

/// "x@3" is the third launch of x.
std::string base_of(const std::string& label) { return label.substr(0, label.find('@')); }

/// A long application that waits for memory beside a short one of two streams.
std::string pair(const std::string& of_a, const std::string& of_b) {
  return R"(
kernels:
  long:
    grid: 24
    block: 128
    patterns: {r: {kind: random, footprint: 64MiB}, c: {kind: coalesced}}
    program:
      - loop: {count: 12, body: [{int: 8}, {load: {pattern: r, dst: 4}}, {fp32: {dst: 5, src: [4]}}, {store: c}]}
  short:
    grid: 9
    block: 96
    variation: {spread: 0.2}
    patterns: {c: {kind: coalesced}}
    program:
      - loop: {count: 6, varies: true, body: [{int: 4}, {load: {pattern: c, dst: 4}}, {fp32: {dst: 5, src: [4]}}]}
applications:
  - {name: a, )" +
         of_a + R"(streams: [{name: s, launches: [long]}]}
  - {name: b, )" +
         of_b + R"(streams: [{name: s, launches: [short, short]},
                {name: t, launches: [{kernel: short, label: late, release_us: 1}]}]}
)";
}

const std::vector<std::string> kSmall{"--gpu", "rtx2060",       "--set", "sms=6",
                                      "--set", "sms_per_gpc=3", "--set", "dram.channels=2"};

FinishedRun run_small(const std::string& text, const std::vector<std::string>& more = {}) {
  const TestFolder folder;
  std::vector<std::string> options = kSmall;
  options.insert(options.end(), more.begin(), more.end());
  return run_workload(folder.write("w.yaml", text), options);
}

const std::string kOnItsOwn = "sms: [0-2], relaunch: true, ", kBeside = "sms: [3-5], relaunch: true, ";

TEST(Partition, ApplicationsOnSmsOfTheirOwnShareNone) {
  const FinishedRun run = run_small(pair("sms: [0, 4], ", "sms: [1-2, 5], "));
  std::map<std::string, std::set<std::uint64_t>> sms;
  for (const BlockRow& row : run.blocks) sms[row.kernel == "long" ? "a" : "b"].insert(row.sm);
  EXPECT_EQ(sms["a"], (std::set<std::uint64_t>{0, 4}));
  EXPECT_EQ(sms["b"], (std::set<std::uint64_t>{1, 2, 5}));
  EXPECT_EQ(run.result.at("sms")[3].at("blocks"), 0);
  EXPECT_EQ(run.result.at("applications")[0].at("sms"), "0,4");
  EXPECT_EQ(run.result.at("applications")[1].at("sms"), "1-2,5");
}

TEST(Partition, AllSmsAreTheSameAsNoPartition) {
  const FinishedRun all = run_small(pair("sms: [0-5], ", "sms: [0-5], "));
  EXPECT_EQ(all.blocks_text, run_small(pair("", "")).blocks_text);
}

/// Checks the sums over both applications and over all SMs, including cut runs.
void expect_sums(const Json& result) {
  std::uint64_t issued = 0, of_applications = 0;
  for (const Json& sm : result.at("sms")) issued += number(sm, "/instructions");
  for (const Json& application : result.at("applications")) {
    std::uint64_t kernels = 0;
    for (const char* list : {"kernels", "unfinished"}) {
      for (const Json& kernel : result.at(list)) {
        const bool of_a = base_of(kernel.at("kernel")) == "long";
        if (of_a == (application.at("name") == "a")) kernels += number(kernel, "/instructions");
      }
    }
    EXPECT_EQ(kernels, number(application, "/run/instructions"));
    of_applications += number(application, "/run/instructions");
  }
  EXPECT_EQ(of_applications, issued);
}

TEST(Relaunch, EndsWhenTheSlowestHasEndedOnceAndSaysWhatWasCut) {
  const FinishedRun run = run_small(pair(kOnItsOwn, kBeside));
  const Json& result = run.result;
  EXPECT_EQ(result.at("state"), "complete");
  EXPECT_EQ(result.at("launches"), 4);
  EXPECT_EQ(result.at("launches_ended"), 4);
  const Json &a = result.at("applications")[0], &b = result.at("applications")[1];
  const std::uint64_t cycles = number(result, "/cycles");

  EXPECT_EQ(a.at("iterations_ended"), 1);
  std::uint64_t last_notified = 0;
  std::map<std::uint64_t, std::uint64_t> start, end;  // of the iterations of b
  for (const Json& kernel : result.at("kernels")) {
    const std::uint64_t iteration = number(kernel, "/iteration");
    if (iteration == 0) last_notified = std::max(last_notified, number(kernel, "/notified_cycle"));
    EXPECT_EQ(kernel.at("kernel") == base_of(kernel.at("kernel")), iteration == 0);
    if (kernel.at("application") == "a") continue;
    if (start.count(iteration) == 0) start[iteration] = number(kernel, "/submitted_cycle");
    start[iteration] = std::min(start[iteration], number(kernel, "/submitted_cycle"));
    end[iteration] = std::max(end[iteration], number(kernel, "/notified_cycle"));
  }
  EXPECT_EQ(cycles, last_notified + 1);
  EXPECT_EQ(number(a, "/first_end_cycle"), number(result.at("kernels")[0], "/end_cycle"));
  EXPECT_NEAR(a.at("run").at("ipc").get<double>(), double(number(a, "/run/instructions")) / double(cycles), 1e-12);

  // As many launches of b as its times leave room for, one directly after the other.
  const std::uint64_t iterations = number(b, "/iterations_ended");
  EXPECT_GE(iterations, 3u);
  for (std::uint64_t i = 1; i < iterations; ++i) EXPECT_EQ(start.at(i), end.at(i - 1));
  EXPECT_LT(end.at(iterations - 1), cycles);
  ASSERT_FALSE(result.at("unfinished").empty());
  for (const Json& cut : result.at("unfinished")) {
    EXPECT_EQ(cut.at("iteration"), iterations);
    EXPECT_GE(number(cut, "/submitted_cycle"), end.at(iterations - 1));
    EXPECT_LE(number(cut, "/blocks_ended") + number(cut, "/blocks_running"), number(cut, "/blocks"));
  }
  EXPECT_EQ(number(b, "/kernels") + result.at("unfinished").size() >= 3 * iterations + 1, true);
  expect_sums(result);
  for (const BlockRow& row : run.blocks) EXPECT_EQ(row.sm < 3, base_of(row.kernel) == "long");
}

TEST(Relaunch, OfTheSlowestOrOfNobodyIsAnOrdinaryRun) {
  const FinishedRun plain = run_small(pair("sms: [0-2], ", "sms: [3-5], "));
  const FinishedRun slowest = run_small(pair(kOnItsOwn, "sms: [3-5], "));
  EXPECT_EQ(plain.blocks_text, slowest.blocks_text);
  EXPECT_EQ(plain.result.at("kernels"), slowest.result.at("kernels"));
  EXPECT_TRUE(slowest.result.at("unfinished").empty());
  expect_sums(slowest.result);
}

/// The same bytes although the run is cut in the middle of everything.
class CutRun : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(CutRun, IsTheSameForEveryWindow) {
  const std::string shared = pair("sms: [0-3], relaunch: true, ", "sms: [2-5], relaunch: true, ");
  for (const std::string& text : {pair(kOnItsOwn, kBeside), shared, pair("relaunch: true, ", "relaunch: true, ")}) {
    std::string first;
    for (const char* window : {"1", "3", "4", "7", "0"}) {
      std::vector<std::string> options = GetParam();
      options.insert(options.end(), {"--window", window});
      const FinishedRun run = run_small(text, options);
      if (first.empty()) first = run.result_text + run.blocks_text;
      EXPECT_EQ(run.result_text + run.blocks_text, first) << "window " << window;
      expect_sums(run.result);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Relaunch, CutRun,
                         testing::Values(std::vector<std::string>{},
                                         std::vector<std::string>{"--set", "dram.scheduler=fr_rr_fcfs"},
                                         std::vector<std::string>{"--set", "work_distributor.kernels_in_flight=1"},
                                         std::vector<std::string>{"--max-cycles", "9001", "--check-protocol"}));
INSTANTIATE_TEST_SUITE_P(Nightly, CutRun,
                         testing::Values(std::vector<std::string>{"--set", "sm.l1.mshrs=4", "--set", "noc.queue=2"},
                                         std::vector<std::string>{"--max-cycles", "7777"}));

}  // namespace
}  // namespace gputlm
