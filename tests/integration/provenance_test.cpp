// Results name their inputs, and results of other inputs do not replace them by mistake.

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

class Provenance : public testing::Test {
 protected:
  Outcome run(const std::string& input, const Options& more = {}) const {
    Options arguments{"run", input, "--out", folder_.path("out"), "--max-cycles", "1000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  Json result() const { return Json::parse(read_file(folder_.path("out/result.json"))); }
  std::string workload(const std::string& name, unsigned blocks) const {
    return folder_.write(name, busy_workload(blocks, 10));
  }

  TestFolder folder_;
};

TEST_F(Provenance, IsTheNameFormatAndContentOfTheInputAndTheProgramsVersion) {
  ASSERT_EQ(run(folder_.write("deep/a.yaml",
                              "kernels:\n  k: {grid: 1, block: 32, program: [fp32]}\napplications:\n"
                              "  - {name: a, streams: [{name: s, launches: [k]}]}\n"))
                .code,
            0);
  const Json input = result().at("input");
  EXPECT_EQ(input.at("name"), "a.yaml") << "wherever it lies";
  EXPECT_EQ(input.at("format"), "workload file");
  ASSERT_EQ(input.at("files").size(), 1u);
  EXPECT_EQ(input["files"][0].at("sha1"), "4aab45251c3fd8cd97671d24311962326b30c568") << "as sha1sum gives it";
  EXPECT_EQ(input["files"][0].at("bytes"), 117);
  EXPECT_THAT(result().at("version").get<std::string>(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST_F(Provenance, OfTheCommandLineIsWithThePerformance) {
  const std::string input = workload("a.yaml", 1);
  ASSERT_EQ(run(input, {"--seed", "7"}).code, 0);
  const Json performance = Json::parse(read_file(folder_.path("out/performance.json")));
  EXPECT_EQ(performance.at("command"),
            (Json{"run", input, "--out", folder_.path("out"), "--max-cycles", "1000", "--seed", "7"}));
}

TEST_F(Provenance, PerformanceSaysHowMuchTheThreadsDidTogether) {
  const std::string input = workload("a.yaml", 1);
  const auto performance = [&](const std::string& threads) {
    const Outcome outcome = run(input, {"--threads", threads});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err.find(" windows") != std::string::npos, threads != "1") << outcome.err;
    return Json::parse(read_file(folder_.path("out/performance.json")));
  };
  EXPECT_EQ(performance("1").at("windows_by_all_threads"), 0);
  const Json two = performance("2");
  EXPECT_EQ(two.at("threads"), 2);
  EXPECT_GE(two.at("windows_by_all_threads"), 0);
  EXPECT_LE(two.at("windows_by_all_threads"), 1);
}

TEST_F(Provenance, OfWhatComesFromStandardInputIsItsText) {
  const std::string input = workload("a.yaml", 1);
  ASSERT_EQ(run(input).code, 0);
  const Json of_file = result().at("input").at("files")[0];
  ASSERT_EQ(std::system((std::string(GPUTLM_PROGRAM) + " run - --max-cycles 1000 --out " + folder_.path("other") +
                         " < " + input + " > /dev/null 2>&1")
                            .c_str()),
            0);
  const Json of_text = Json::parse(read_file(folder_.path("other/result.json"))).at("input").at("files")[0];
  EXPECT_EQ(of_text.at("sha1"), of_file.at("sha1"));
  EXPECT_EQ(of_text.at("bytes"), of_file.at("bytes"));
}

TEST_F(Provenance, OfTheSameInputLetsTheNextRunReplaceTheResult) {
  ASSERT_EQ(run(workload("a.yaml", 1)).code, 0);
  EXPECT_EQ(run(workload("renamed.yaml", 1), {"--window", "1", "--json"}).code, 0);
  EXPECT_EQ(result().at("input").at("name"), "renamed.yaml");
}

TEST_F(Provenance, OfSomethingElseIsKeptUnlessForced) {
  ASSERT_EQ(run(workload("a.yaml", 1)).code, 0);
  const std::string kept = read_file(folder_.path("out/result.json"));
  const auto refused = [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("result.json: is the result of something else ("),
                                   HasSubstr("); allowed: another folder, or --force")));
    EXPECT_EQ(read_file(folder_.path("out/result.json")), kept);
    return outcome.err;
  };
  EXPECT_THAT(refused(run(workload("b.yaml", 2))), HasSubstr("(input a.yaml, here b.yaml)"));
  EXPECT_THAT(refused(run(folder_.path("a.yaml"), {"--seed", "2"})), HasSubstr("(seed 1, here 2)"));
  EXPECT_THAT(refused(run(folder_.path("a.yaml"), {"--set", "sm.warp_scheduler=gto"})),
              HasSubstr("(sm.warp_scheduler lrr_greedy, here gto)"));
  EXPECT_THAT(refused(run(folder_.path("a.yaml"), {"--gpu", "xavier"})), HasSubstr("here xavier)"));
  EXPECT_THAT(refused(run(workload("a.yaml", 3))), HasSubstr("(input a.yaml, whose content was another)"));
  EXPECT_EQ(run(folder_.path("b.yaml"), {"--force"}).code, 0);
  EXPECT_EQ(result().at("input").at("name"), "b.yaml");
}

TEST_F(Provenance, OfAnotherProgramIsKeptAndWhatIsBrokenIsReplaced) {
  const std::string input = workload("a.yaml", 1);
  folder_.write("out/result.json", R"({"made": "by hand"})");
  EXPECT_THAT(run(input).err, HasSubstr("it is not of 'gputlm run'"));
  folder_.write("out/result.json", R"({"schema": "gputlm-re)");
  EXPECT_EQ(run(input).code, 0);
}

}  // namespace
}  // namespace gputlm
