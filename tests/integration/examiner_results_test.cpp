// Result files of cuda_scheduling_examiner beside a run, as a user compares them.
#include <filesystem>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

constexpr const char* kConfiguration = R"({
  "name": "two streams", "max_iterations": 2, "max_time": 0, "cuda_device": 0,
  "benchmarks": [
    {"filename": "./bin/timer_spin.so", "log_name": "a_0.json", "label": "A", "thread_count": 512, "block_count": 60,
     "data_size": 0, "additional_info": 1000000},
    {"filename": "./bin/multikernel.so", "log_name": "b_1.json", "thread_count": 0, "block_count": 0, "data_size": 0,
     "additional_info": [
       {"kernel_label": "K1", "duration": 500000, "block_count": 8, "thread_count": 256},
       {"kernel_label": "K2", "duration": 700000, "block_count": 4, "thread_count": 1024}]}]})";

class ExaminerResults : public testing::Test {
 protected:
  void SetUp() override {
    const std::string path = folder.write("c.json", kConfiguration);
    ASSERT_EQ(run_program({"run", path, "--out", folder.path("run")}).code, 0);
  }
  Outcome compare(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"compare", folder.path("run"), folder.path("run/results")};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  /// Changes a result file as JSON.
  void change(const std::string& name, const std::function<void(nlohmann::json& file)>& how) {
    nlohmann::json file = nlohmann::json::parse(read_file(folder.path("run/results/" + name)));
    how(file);
    folder.write("run/results/" + name, file.dump());
  }
  nlohmann::json broken() {
    const Outcome compared = compare({"--json"});
    EXPECT_EQ(compared.code, 0) << compared.err;
    return nlohmann::json::parse(compared.out).at("broken_rules");
  }

  TestFolder folder;
};

TEST_F(ExaminerResults, OfARunAgreeWithItAndKeepTheRules) {
  const Outcome compared = compare({"--json", "--out", folder.path("c")});
  ASSERT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(compared.err, "");
  const auto json = nlohmann::json::parse(compared.out);
  EXPECT_EQ(json.at("broken_rules").size(), 0u);
  EXPECT_EQ(json.at("errors").at("kernels").at("count"), 6) << "three kernels, twice";
  EXPECT_EQ(json.at("commands").at(0).at("label"), "A");
  EXPECT_EQ(json.at("measured_only").size(), 0u);
  EXPECT_LT(json.at("errors").at("kernels").at("start_ns").at("max"), 10);
  EXPECT_EQ(json.at("errors").at("blocks").at("count"), 2 * (60 + 8 + 4));
  EXPECT_LT(json.at("errors").at("blocks").at("end_ns").at("max"), 10);
  EXPECT_EQ(json.at("placement").at("same_sm"), 1.0);
  const std::string csv = read_file(folder.path("c/comparison_blocks.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * (60 + 8 + 4));
}

TEST_F(ExaminerResults, SeveralFilesAreOneMeasurement) {
  const Outcome both = run_program({"compare", folder.path("run"), folder.path("run/results/a_0.json"),
                                    folder.path("run/results/b_1.json"), "--json"});
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(nlohmann::json::parse(both.out).at("errors").at("kernels").at("count"), 6);
  const Outcome one = run_program({"compare", folder.path("run"), folder.path("run/results/b_1.json"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(one.out).at("errors").at("kernels").at("count"), 4);
  const Outcome mixed =
      run_program({"compare", folder.path("run"), folder.path("run/results/a_0.json"), folder.path("run")});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_NE(mixed.err.find("is a second measurement"), std::string::npos) << mixed.err;
}

TEST_F(ExaminerResults, RulesThatAreBrokenAreNamedWithTheirBlocks) {
  EXPECT_EQ(broken().size(), 0u);
  change("b_1.json", [](nlohmann::json& file) { file["times"][2]["block_smids"][3] = 77; });
  EXPECT_EQ(broken().at(0).at("rule"), "a block is on one of the 30 SMs");
  EXPECT_EQ(broken().at(0).at("what"), "K1 block 3 is on SM 77");
  change("b_1.json", [](nlohmann::json& file) {
    file["times"][2]["block_smids"][3] = 3;
    file["times"][3]["block_times"][0] = file["times"][2]["block_times"][0];
  });
  EXPECT_EQ(broken().at(0).at("rule"), "a kernel starts when the one before it in its stream has ended");
  const Outcome text = compare();
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(
      text.out.find("The measurement breaks rules of scheduling:\n  a kernel starts when the one before it in its "
                    "stream has ended:\n    K2 block 0 starts at "),
      std::string::npos)
      << text.out;
}

TEST_F(ExaminerResults, MoreThreadsThanAnSmHoldsAreNamed) {
  change("a_0.json", [](nlohmann::json& file) {
    for (auto& sm : file["times"][2]["block_smids"]) sm = 5;
  });
  EXPECT_EQ(broken().at(0).at("rule"), "an SM holds 1024 threads");
  EXPECT_EQ(broken().at(0).at("what").get<std::string>().rfind("SM 5 has 30", 0), 0u) << broken();
}

TEST_F(ExaminerResults, OfAnotherGpuAreJudgedAsTheViewersDo) {
  for (const char* name : {"a_0.json", "b_1.json"})
    change(name, [](nlohmann::json& file) { file["max_resident_threads"] = 20 * 2048; });
  const Outcome compared = compare();
  EXPECT_EQ(compared.code, 0);
  EXPECT_NE(compared.err.find("assumed: 20 SMs of 2048 threads"), std::string::npos) << compared.err;
  EXPECT_NE(compared.out.find("a block is on one of the 20 SMs"), std::string::npos) << compared.out;
}

TEST_F(ExaminerResults, BadFilesAreRefusedWithTheirPlace) {
  const std::vector<std::pair<std::function<void(nlohmann::json&)>, std::string>> cases = {
      {[](auto& file) { file["times"][2]["block_smids"].erase(0); },
       "times, entry 3: block_times and block_smids: allowed: a start and an end"},
      {[](auto& file) { file["times"][2]["block_times"][1] = "soon"; },
       "entry 3: block_times has \"soon\": allowed: seconds"},
      {[](auto& file) { file["times"][2]["thread_count"] = 0; }, "thread_count is 0: allowed: 1 to 1048576"},
      {[](auto& file) { file["times"] = 3; }, "times: allowed: a list"},
      {[](auto& file) { file["max_resident_threads"] = 2048; }, "they are from another GPU"}};
  const std::string kept = read_file(folder.path("run/results/b_1.json"));
  for (const auto& [how, message] : cases) {
    folder.write("run/results/b_1.json", kept);
    change("b_1.json", how);
    const Outcome refused = compare();
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find(message), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("b_1.json"), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace gputlm
