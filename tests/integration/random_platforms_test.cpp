// Random GPUs with random workloads under random policies: every invariant holds, the DRAM's rules are kept, and the
// bytes do not depend on how the run is computed. CI runs a few seeds, the nightly form many.

#include <fstream>

#include "tests/integration/dram_rules.h"
#include "tests/integration/invariants.h"
#include "tests/integration/random_host_program.h"
#include "tests/integration/random_platform.h"
#include "tests/integration/random_workload.h"

namespace gputlm {
namespace {

std::string random_input(std::uint64_t seed) {
  return seed % 2 ? RandomWorkload(seed).text() : RandomHostProgram(seed).text();
}

class RandomPlatforms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPlatforms, KeepEveryInvariantWhateverTheWindow) {
  const TestFolder folder;
  const std::string input = folder.write("workload.yaml", random_input(GetParam()));
  const RandomPlatform platform(GetParam());
  const std::string gpu = folder.write("gpu.json", platform.text());
  const std::string commands = folder.path("probed/commands.csv");
  const std::vector<std::string> options{"--gpu", gpu, "--seed", std::to_string(GetParam())};
  std::vector<std::string> probed{"run", input, "--out", folder.path("probed"), "--probe", "commands", "--json"};
  probed.insert(probed.end(), options.begin(), options.end());
  const Outcome first = run_program(probed);
  if (first.code == 2 && platform.text().find("@rtl") != std::string::npos) {
    // Hardware is made for some sizes only, and says which.
    EXPECT_NE(first.err.find("@rtl"), std::string::npos) << first.err;
    EXPECT_TRUE(folder.files("probed").empty());
    return;
  }
  ASSERT_EQ(first.code, 0) << first.err << read_file(input) << platform.text();

  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.end(), options.begin(), options.end());
    return run_workload(input, more);
  };
  const FinishedRun plain = run({});
  expect_invariants(plain);
  EXPECT_EQ(read_file(folder.path("probed/blocks.csv")), plain.blocks_text) << "a probe changes something";
  std::ifstream csv(commands);
  const CheckedCommands checked = check_commands(csv, plain.result.at("configuration").at("dram"));
  EXPECT_EQ(checked.violation, "");
  const auto& dram = plain.result.at("dram").at("total");
  EXPECT_EQ(checked.activates, dram.at("activates"));
  EXPECT_EQ(checked.precharges, dram.at("precharges"));
  EXPECT_EQ(checked.reads, dram.at("reads"));
  EXPECT_EQ(checked.writes, dram.at("writes"));
  EXPECT_EQ(checked.refreshes, dram.at("refreshes"));
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--window", "1"}, {"--check-protocol"}}) {
    const FinishedRun other = run(how);
    EXPECT_EQ(other.result_text, plain.result_text) << how[0];
    EXPECT_EQ(other.blocks_text, plain.blocks_text) << how[0];
    EXPECT_EQ(other.copies_text, plain.copies_text) << how[0];
    EXPECT_EQ(other.predictions_text, plain.predictions_text) << how[0];
  }
  const FinishedRun elsewhere = run_workload(input, {"--seed", std::to_string(GetParam())});
  expect_same_work(plain, elsewhere);
  if (HasFailure()) ADD_FAILURE() << "the workload was:\n" << read_file(input) << "on\n" << platform.text();
}

TEST_P(RandomPlatforms, HaveMemoriesThatKeepTheirRulesUnderLoad) {
  const TestFolder folder;
  auto gpu = nlohmann::ordered_json::parse(RandomPlatform(GetParam()).text());
  gpu["dram"]["channels"] = 1;
  if (GetParam() % 2) {  // most presets leave it out
    gpu["dram"]["timing"]["tREFI"] = 1000 + 10 * GetParam();
    gpu["dram"]["timing"]["tRFC"] = 100;
  }
  const std::string dram = folder.write("dram.json", nlohmann::ordered_json{{"dram", gpu.at("dram")}}.dump());
  const char* trace = GetParam() % 3 == 0 ? "stream:6000" : "mix:6000";
  const Outcome outcome = run_program({"mem", trace, "--dram", dram, "--out", folder.path("out"), "--probe", "commands",
                                       "--seed", std::to_string(GetParam()), "--json"});
  if (outcome.code == 2 && gpu.dump().find("@rtl") != std::string::npos) {
    EXPECT_NE(outcome.err.find("@rtl"), std::string::npos) << outcome.err;
    return;
  }
  ASSERT_EQ(outcome.code, 0) << outcome.err << gpu.at("dram").dump(1);
  const auto result = nlohmann::json::parse(outcome.out);
  std::ifstream csv(folder.path("out/commands.csv"));
  const CheckedCommands checked = check_commands(csv, result.at("configuration").at("dram"));
  EXPECT_EQ(checked.violation, "") << gpu.at("dram").dump(1);
  EXPECT_EQ(checked.reads + checked.writes, 6000u);
  EXPECT_EQ(checked.activates, result.at("total").at("activates"));
}

INSTANTIATE_TEST_SUITE_P(Random, RandomPlatforms, testing::Range<std::uint64_t>(1, 17));
INSTANTIATE_TEST_SUITE_P(Nightly, RandomPlatforms, testing::Range<std::uint64_t>(1001, 2001));

}  // namespace
}  // namespace gputlm
