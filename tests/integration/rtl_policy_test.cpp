// The whole GPU gives the same bytes with the arbiters of rtl/ in every DRAM controller, or at every output of the crossbar,
// as with their models.

#include "tests/integration/random_workload.h"
#include "tests/integration/rtl_runs.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

/// Applications that share the SMs' DRAM channels and have different row locality: random updates, a stream, and
/// lines far apart.
std::string workload(unsigned applications) {
  std::string text = R"(kernels:
  random:
    grid: 8
    block: 128
    patterns: {table: {kind: random, footprint: 16MiB}}
    program:
      - loop: {count: 3, body: [{load: {pattern: table, width: 8, dst: 4}}, {store: {pattern: table, src: 4}}]}
  stream:
    grid: 16
    block: 256
    patterns: {in: {kind: coalesced}, out: {kind: coalesced}}
    program:
      - loop: {count: 4, body: [{load: {pattern: in, dst: 4}}, {store: {pattern: out, src: 4}}]}
  apart:
    grid: 6
    block: 64
    patterns: {column: {kind: strided, stride: 4096}}
    program:
      - loop: {count: 3, body: [{load: {pattern: column, dst: 4}}]}
applications:
)";
  const Strings kernels{"random", "stream", "apart"};
  for (unsigned a = 0; a < applications; ++a) {
    text += "  - {name: a" + std::to_string(a) + ", streams: [{name: s, launches: [" + kernels[a] + "]}]}\n";
  }
  return text;
}

const Strings kSmallGpu{"--gpu", "baseline60", "--set", "sms=6", "--set", "dram.channels=2", "--set", "dram.queue=128"};

class RtlInThePlatform : public testing::TestWithParam<std::string> {};

TEST_P(RtlInThePlatform, GivesTheResultOfTheModelForTwoApplications) {
  const TestFolder folder;
  const std::string input = folder.write("two.yaml", workload(2));
  for (const char* window : {"1", "7", "0"}) {
    Strings options = kSmallGpu;
    options.insert(options.end(), {"--window", window});
    expect_the_same(input, "dram.scheduler", GetParam(), options);
  }
}

TEST_P(RtlInThePlatform, GivesTheResultOfTheModelForThreeApplications) {
  const TestFolder folder;
  const std::string input = folder.write("three.yaml", workload(3));
  for (const char* window : {"1", "0"}) {
    Strings options = kSmallGpu;
    options.insert(options.end(), {"--window", window});
    expect_the_same(input, "dram.scheduler", GetParam(), options);
  }
}

TEST_P(RtlInThePlatform, GivesTheResultOfTheModelWithACapOnRowHits) {
  const TestFolder folder;
  const std::string input = folder.write("three.yaml", workload(3));
  Strings options = kSmallGpu;
  options.insert(options.end(), {"--set", "dram.row_hit_cap=3"});
  expect_the_same(input, "dram.scheduler", GetParam(), options);
}

TEST_P(RtlInThePlatform, GivesTheResultOfTheModelInQueuesOfAnySize) {
  const TestFolder folder;
  const std::string input = folder.write("three.yaml", workload(3));
  for (const Strings& geometry : {Strings{"dram.queue=4", "dram.banks=4"}, {"dram.queue=128", "dram.banks=32"}}) {
    Strings options = kSmallGpu;
    for (const std::string& setting : geometry) options.insert(options.end(), {"--set", setting});
    expect_the_same(input, "dram.scheduler", GetParam(), options);
  }
}

TEST_P(RtlInThePlatform, GivesTheResultOfTheModelForRandomMixes) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const TestFolder folder;
    RandomWorkload random(seed);
    const std::string input = folder.write("random.yaml", random.text());
    Strings options = random.settings();
    options.insert(options.end(), {"--gpu", "gtx480"});
    expect_the_same(input, "dram.scheduler", GetParam(), options);
  }
}

TEST_P(RtlInThePlatform, IsInTheListOfPolicies) {
  const Outcome outcome = run_program({"list", "policies"});
  EXPECT_NE(outcome.out.find(GetParam() + "@rtl"), std::string::npos) << outcome.out;
}

TEST_P(RtlInThePlatform, RejectsAQueueThatIsTooLargeForIt) {
  const TestFolder folder;
  const std::string input = folder.write("two.yaml", workload(2));
  const Outcome outcome = run_program({"run", input, "--gpu", "baseline60", "--set", "dram.queue=256", "--set",
                                       "dram.scheduler=" + GetParam() + "@rtl", "--out", folder.path("out")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.err.find("dram.queue: found 256, allowed with dram.scheduler=" + GetParam() + "@rtl is at most 128"),
      std::string::npos)
      << outcome.err;
  EXPECT_EQ(folder.files("out"), Strings{});
}

/// Thrown in the middle of the run, in a DRAM controller.
TEST_P(RtlInThePlatform, RejectsANinthApplication) {
  const TestFolder folder;
  std::string kernels = "kernels:\n", applications = "applications:\n";
  for (char name = 'a'; name <= 'i'; ++name) {
    kernels +=
        std::string("  ") + name + ": {grid: 1, block: 32, patterns: {p: {kind: coalesced}}, program: [load: p]}\n";
    applications += std::string("  - {name: ") + name + ", streams: [{name: s, launches: [" + name + "]}]}\n";
  }
  const std::string input = folder.write("nine.yaml", kernels + applications);
  const Outcome outcome =
      run_program({"run", input, "--set", "dram.scheduler=" + GetParam() + "@rtl", "--out", folder.path("out")});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_NE(outcome.err.find("application of a DRAM access: found 8, allowed with dram.scheduler=" + GetParam() +
                             "@rtl is at most 7"),
            std::string::npos)
      << outcome.err;
}

TEST_P(RtlInThePlatform, RejectsAnAccessOfATraceWithItsLine) {
  const TestFolder folder;
  const auto error = [&](const std::string& line) {
    const Outcome outcome = run_program(
        {"mem", folder.write("t", "R 0x40 7\n" + line + "\n"), "--set", "dram.scheduler=" + GetParam() + "@rtl"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    return outcome.err;
  };
  EXPECT_NE(error("R 0x40 8").find("t:2: application of a DRAM access: found 8"), std::string::npos);
  EXPECT_NE(error("R 0x1000000000000").find("t:2: row of a DRAM access: found "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Policies, RtlInThePlatform, testing::Values("fr_fcfs", "fr_rr_fcfs"),
                         [](const auto& instance) { return instance.param; });

class RtlAtTheCrossbar : public testing::TestWithParam<std::string> {};

TEST_P(RtlAtTheCrossbar, GivesTheResultOfTheModel) {
  const TestFolder folder;
  const std::string input = folder.write("three.yaml", workload(3));
  for (const char* window : {"1", "0"}) {
    Strings options = kSmallGpu;
    options.insert(options.end(),
                   {"--window", window, "--set", "noc.weighted.weight_1=9", "--set", "l2.applications=2"});
    expect_the_same(input, "noc.arbiter", GetParam(), options);
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, RtlAtTheCrossbar, testing::Values("round_robin", "oldest", "weighted"),
                         [](const auto& instance) { return instance.param; });

/// 80 slices, and both directions between the partitions of the L2.
TEST_P(RtlAtTheCrossbar, GivesTheResultOfTheModelWithMoreInputsThanAWordHasBits) {
  const TestFolder folder;
  expect_the_same(folder.write("three.yaml", workload(3)), "noc.arbiter", GetParam(),
                  {"--gpu", "a100", "--set", "sms=16", "--set", "noc.weighted.weight_1=9"});
}

/// Streams of two priorities, with more kernels than the SMs hold.
TEST(RtlInTheWorkDistributor, GivesTheResultOfTheModel) {
  const TestFolder folder;
  std::string text = R"(kernels:
  short: {grid: 40, block: 128, program: [{loop: {count: 20, body: [{fp32: {dst: 4, src: [4]}}]}}]}
  long: {grid: 90, block: 256, program: [{loop: {count: 60, body: [{fp32: {dst: 4, src: [4]}}]}}]}
applications:
)";
  for (const std::string application : {"a", "b"}) {
    text += "  - name: " + application + "\n    streams:\n";
    for (const int stream : {0, 1, 2, 3}) {
      text += "      - {name: s" + std::to_string(stream) + ", priority: " + std::to_string(-stream % 2) +
              ", launches: [" + (application == "a" ? "long" : "short") + ", short, long]}\n";
    }
  }
  const std::string input = folder.write("streams.yaml", text);
  for (const std::string application : {"concurrent", "exclusive", "time_sliced"}) {
    expect_the_same(input, "work_distributor.kernel_order", "leftover",
                    {"--gpu", "gtx480", "--set", "sms=4", "--set", "work_distributor.priorities=2", "--set",
                     "work_distributor.application=" + application});
  }
}

/// Kernels of `streams` streams, all in flight at a time.
std::string many_streams(unsigned streams) {
  std::string text = R"(kernels:
  k: {grid: 3, block: 64, program: [{loop: {count: 20, body: [{fp32: {dst: 4, src: [4]}}]}}]}
applications:
  - name: a
    streams:
)";
  for (unsigned s = 0; s < streams; ++s) {
    text += "      - {name: s" + std::to_string(s) + ", priority: " + std::to_string(-static_cast<int>(s % 3)) +
            ", launches: [k]}\n";
  }
  return text;
}

TEST(RtlInTheWorkDistributor, HasAsManyKernelsInFlightAsARealGpu) {
  const TestFolder folder;
  const Strings options{"--gpu", "gtx480",
                        "--set", "sms=2",
                        "--set", "work_distributor.priorities=3",
                        "--set", "work_distributor.kernels_in_flight=200"};
  expect_the_same(folder.write("most.yaml", many_streams(128)), "work_distributor.kernel_order", "leftover", options);
  Strings more = options;
  more.insert(more.begin(), {"run", folder.write("more.yaml", many_streams(140))});
  more.insert(more.end(), {"--set", "work_distributor.kernel_order=leftover@rtl"});
  const Outcome outcome = run_program(more);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find(
                "kernels in flight: found 129, allowed with work_distributor.kernel_order=leftover@rtl is at most 128"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace gputlm
