// `--probe NAME`: observers of a run.

#include <gmock/gmock.h>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

std::string small_workload(const TestFolder& folder) {
  return folder.write("w.yaml", R"(
kernels: {k: {grid: 30, block: 64, patterns: {p: {kind: coalesced}}, program: [{load: p}, {store: p}]}}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
}

TEST(Probe, CommandsOfARunAddUpToItsCounters) {
  const TestFolder folder;
  const Outcome outcome = run_program(
      {"run", small_workload(folder), "--gpu", "xavier", "--out", folder.path("out"), "--probe", "commands", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(folder.files("out"), testing::Contains("commands.csv"));
  std::ifstream file(folder.path("out/commands.csv"));
  std::map<std::string, unsigned> count;
  for (std::string line; std::getline(file, line);) {
    const std::size_t from = line.find(',', line.find(',') + 1) + 1;
    ++count[line.substr(from, line.find(',', from) - from)];
  }
  const auto total = nlohmann::json::parse(outcome.out).at("dram").at("total");
  EXPECT_EQ(count["ACT"], total.at("activates"));
  EXPECT_EQ(count["RD"], total.at("reads"));
  EXPECT_EQ(count["WR"], total.at("writes"));
  EXPECT_EQ(count["PRE"], total.at("precharges"));
  EXPECT_EQ(count["REF"], total.at("refreshes"));
  EXPECT_GT(count["RD"], 0u);
}

/// Commands of several channels, some of which postpone refreshes.
TEST(Probe, CommandsComeInTheOrderOfTimeWhateverTheWindow) {
  const TestFolder folder;
  const auto commands = [&, input = small_workload(folder)](const std::string& window) {
    const Outcome outcome =
        run_program({"run", input, "--gpu", "volta80", "--set", "dram.timing.tREFI=200", "--set", "dram.timing.tRFC=40",
                     "--out", folder.path(window), "--probe", "commands", "--window", window});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(folder.path(window + "/commands.csv"));
  };
  const std::string all = commands("20");
  for (const char* const window : {"1", "7", "10"}) EXPECT_TRUE(commands(window) == all) << window;
  std::istringstream lines(all);
  std::pair<unsigned long, unsigned long> before;
  std::map<unsigned long, unsigned long> of_channel;
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    const std::size_t comma = line.find(',');
    const std::pair place(std::stoul(line), std::stoul(line.substr(comma + 1)));
    EXPECT_GE(place.first, of_channel[place.second]) << line;
    of_channel[place.second] = place.first;
    if (line.back() == ',') continue;  // for no request
    EXPECT_GE(place, before) << line;
    before = place;
  }
  EXPECT_GT(of_channel.size(), 8u);
}

TEST(Probe, OneMoreChangesNoResult) {
  const TestFolder folder;
  const std::string input = small_workload(folder);
  const Outcome without = run_program({"run", input, "--out", folder.path("without"), "--json"});
  const Outcome with = run_program({"run", input, "--out", folder.path("with"), "--probe", "commands", "--json"});
  ASSERT_EQ(without.code, 0) << without.err;
  auto result = nlohmann::ordered_json::parse(with.out);
  EXPECT_EQ(result.at("files").erase("commands.csv"), 1u);
  EXPECT_TRUE(result == nlohmann::ordered_json::parse(without.out));
}

TEST(Probe, AnUnknownNameEndsWithASuggestion) {
  const TestFolder folder;
  const Outcome outcome =
      run_program({"run", small_workload(folder), "--out", folder.path("out"), "--probe", "comands"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'commands'"), std::string::npos) << outcome.err;
}

TEST(Probe, FilesNeedAFolder) {
  const TestFolder folder;
  const Outcome outcome = run_program({"run", small_workload(folder), "--probe", "blocks"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--out"), std::string::npos) << outcome.err;
}

TEST(Probe, ThatWatchesWhatIsNotThereIsRefused) {
  const TestFolder folder;
  const Outcome outcome = run_program({"mem", "stream:9", "--out", folder.path("out"), "--probe", "blocks"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("work distributor"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace gputlm
