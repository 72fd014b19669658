// The same workload, GPU and seed give the same bytes, however the run is computed.

#include <filesystem>

#include "tests/integration/program.h"
#include "tests/integration/random_workload.h"

namespace gputlm {
namespace {

using Options = std::vector<std::string>;

/// Windows that divide the hop latencies and windows that do not, 0 stands for the largest; and one thread or several.
const std::vector<Options> kWays = {
    {"--window", "1"}, {"--window", "3", "--threads", "2"}, {"--window", "4"}, {"--window", "7", "--threads", "5"}, {},
    {"--threads", "2"}};

Options with(Options options, const Options& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

void expect_same_in_all_ways(const std::string& input, const Options& options, const std::vector<Options>& ways) {
  const FinishedRun first = run_workload(input, with(options, ways[0]));
  ASSERT_EQ(first.outcome.code, 0);
  for (std::size_t i = 1; i < ways.size(); ++i) {
    const FinishedRun other = run_workload(input, with(options, ways[i]));
    const std::string way = testing::PrintToString(ways[i]);
    ASSERT_EQ(other.blocks_text, first.blocks_text) << way;
    ASSERT_EQ(other.predictions_text, first.predictions_text) << way;
    ASSERT_EQ(other.result_text, first.result_text) << way;
  }
}

class MixedOn : public testing::TestWithParam<Options> {};

TEST_P(MixedOn, IsTheSameForEveryWindowAndNumberOfThreads) {
  expect_same_in_all_ways(workload_file("mixed.yaml"), GetParam(),
                          {{"--window", "1"}, {"--window", "4"}, {}, {"--threads", "2"}, {"--threads", "3"}});
}

INSTANTIATE_TEST_SUITE_P(Determinism, MixedOn,
                         testing::Values(Options{"--gpu", "xavier"},
                                         Options{"--gpu", "tx2", "--set", "sm.warp_scheduler=gto"},
                                         // two partitions of the L2, two GPCs
                                         Options{"--gpu", "a100", "--set", "sms=6", "--set", "sms_per_gpc=3", "--set",
                                                 "dram.channels=4", "--set", "l2.bytes=256KiB"},
                                         Options{"--gpu", "rtx2060", "--set", "sms=6", "--set", "sms_per_gpc=3",
                                                 "--set", "dram.channels=2"}),
                         [](const auto& instance) { return instance.param[1]; });

TEST(Determinism, TheSameRunTwiceIsTheSame) {
  const Options options{"--gpu", "xavier"};
  const FinishedRun first = run_workload(workload_file("mixed.yaml"), options);
  const FinishedRun second = run_workload(workload_file("mixed.yaml"), options);
  EXPECT_EQ(first.result_text, second.result_text);
  EXPECT_EQ(first.blocks_text, second.blocks_text);
}

TEST(Determinism, WhereTheProgramRunsAndWhereTheFileLiesDoNotMatter) {
  const TestFolder here, there;
  const std::string text = RandomWorkload(1).text();
  const FinishedRun direct = run_workload(here.write("a.yaml", text));
  there.write("sub/a.yaml", text);
  const Outcome outcome = run_program({"run", "sub/a.yaml", "--out", "deep/er/out"}, there.path(""));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_file(there.path("deep/er/out/result.json")), direct.result_text);
  EXPECT_EQ(read_file(there.path("deep/er/out/blocks.csv")), direct.blocks_text);
}

TEST(Determinism, ProtocolCheckersDoNotChangeTheResult) {
  const Options options{"--gpu", "xavier"};
  const FinishedRun plain = run_workload(workload_file("mixed.yaml"), options);
  const FinishedRun checked = run_workload(workload_file("mixed.yaml"), with(options, {"--check-protocol"}));
  EXPECT_EQ(plain.result_text, checked.result_text);
  EXPECT_EQ(plain.blocks_text, checked.blocks_text);
  // "no violation in T transactions over S sockets", of which there is one a hop: at least three an SM.
  unsigned long long transactions = 0, sockets = 0;
  const std::size_t at = checked.outcome.err.find("no violation in ");
  ASSERT_NE(at, std::string::npos) << checked.outcome.err;
  ASSERT_EQ(std::sscanf(checked.outcome.err.c_str() + at, "no violation in %llu transactions over %llu sockets",
                        &transactions, &sockets),
            2);
  EXPECT_GE(sockets, 3 * checked.result.at("sms").size());
  // Every request of an SM passes at least the GPC port, the crossbar and the L2 slice.
  EXPECT_GT(transactions, 3 * checked.result.at("total").at("memory").at("requests").get<std::uint64_t>());
}

TEST(Determinism, TheSeedChangesWhatIsRandom) {
  const FinishedRun one = run_workload(workload_file("mixed.yaml"), {"--gpu", "xavier", "--seed", "1"});
  const FinishedRun two = run_workload(workload_file("mixed.yaml"), {"--gpu", "xavier", "--seed", "2"});
  EXPECT_NE(one.blocks_text, two.blocks_text);
}

class RandomMix : public testing::TestWithParam<unsigned> {};

TEST_P(RandomMix, IsTheSameForEveryWindowAndNumberOfThreads) {
  const TestFolder folder;
  RandomWorkload random(GetParam());
  const std::string input = folder.write("random.yaml", random.text());
  Options options = random.settings();
  options.insert(options.end(), {"--gpu", random.one_of({"gtx480", "xavier", "rtx2060"}), "--check-protocol"});
  expect_same_in_all_ways(input, options, kWays);
  if (HasFailure()) ADD_FAILURE() << "the workload was:\n" << read_file(input) << testing::PrintToString(options);
}

INSTANTIATE_TEST_SUITE_P(Determinism, RandomMix, testing::Range(1u, 13u));
INSTANTIATE_TEST_SUITE_P(Nightly, RandomMix, testing::Range(13u, 49u));

}  // namespace
}  // namespace gputlm
