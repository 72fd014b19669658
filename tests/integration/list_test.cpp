// `gputlm list`: what there is to choose from, for people and for programs.

#include <fstream>
#include <iterator>
#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

class List : public testing::TestWithParam<const char*> {};

TEST_P(List, AsJsonNamesWhatTheTextNames) {
  const Outcome text = run_program({"list", GetParam()});
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(text.err, "");
  const Outcome json = run_program({"list", GetParam(), "--json"});
  EXPECT_EQ(json.code, 0);
  EXPECT_EQ(json.err, "");
  const auto root = nlohmann::json::parse(json.out);
  ASSERT_TRUE(root.contains(GetParam()));
  const auto& entries = root.at(GetParam());
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.out.begin(), text.out.end(), '\n')), entries.size() + 1);
  for (const auto& entry : entries) {
    const std::string name = entry.at(entry.contains("key") ? "key" : "name");
    EXPECT_NE(text.out.find(name), std::string::npos) << name;
    EXPECT_NE(entry.at("description"), "") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, List,
                         testing::Values("gpus", "policies", "counters", "probes", "experiments", "parameters"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(ListGpus, NamesGpusThatRun) {
  const auto root = nlohmann::json::parse(run_program({"list", "gpus", "--json"}).out);
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", R"(
kernels: {k: {grid: 3, block: 64, patterns: {p: {kind: coalesced}}, program: [{load: p}, {store: p}]}}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
  std::set<std::string> names;
  for (const auto& gpu : root.at("gpus")) {
    const std::string name = gpu.at("name");
    names.insert(name);
    EXPECT_EQ(run_workload(input, {"--gpu", name}).result.at("gpu"), name);
  }
  for (const char* name :
       {"pascal5", "tx2", "xavier", "volta80", "turing68", "pegasus44", "gtx480", "baseline60", "titan_v", "rtx2060"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(ListParameters, GivesValuesThatCanBeSet) {
  const auto root = nlohmann::json::parse(run_program({"list", "parameters", "--gpu", "tx2", "--json"}).out);
  std::vector<std::string> options{"--gpu", "xavier"};
  for (const auto& parameter : root.at("parameters")) {
    const auto& value = parameter.at("value");
    options.emplace_back("--set");
    options.push_back(parameter.at("key").get<std::string>() + "=" +
                      (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  EXPECT_GT(options.size(), 100u);
  const FinishedRun set = run_workload(workload_file("mixed.yaml"), options);
  EXPECT_EQ(set.result_text, run_workload(workload_file("mixed.yaml"), {"--gpu", "tx2"}).result_text);
}

TEST(Configuration, OfAResultIsAGpuFile) {
  const TestFolder folder;
  const FinishedRun run = run_workload(workload_file("compute.yaml"), {"--gpu", "gtx480", "--set", "sms=4"});
  const std::string file = folder.write("gpu.json", run.result.at("configuration").dump());
  EXPECT_EQ(run_workload(workload_file("compute.yaml"), {"--gpu", file}).result_text, run.result_text);
}

TEST(Json, OfARunIsItsResultFile) {
  const TestFolder folder;
  const Outcome outcome =
      run_program({"run", workload_file("compute.yaml"), "--gpu", "tx2", "--json", "--out", folder.path("out")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, read_file(folder.path("out/result.json")));
}

TEST(Progress, IsNotShownInAPipe) {
  const Outcome outcome = run_program({"run", workload_file("compute.yaml"), "--gpu", "tx2"});
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);
}

/// What the file of docs/ has of `list WHAT --markdown`, between two comments.
void expect_documented(const std::string& name, const std::string& what) {
  std::ifstream file(std::string(GPUTLM_SOURCE_DIR) + "/docs/" + name);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string begin = "<!-- gputlm list " + what + " --markdown -->\n", end = "<!-- end -->";
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::size_t start = from + begin.size();
  EXPECT_EQ(text.substr(start, text.find(end, start) - start), run_program({"list", what, "--markdown"}).out)
      << "put what the command prints between the two comments of docs/" << name;
}

TEST(ListCounters, AreThoseOfTheDocumentation) { expect_documented("result.md", "counters"); }

TEST(ListPolicies, SayOfThemselvesWhatTheDocumentationHas) { expect_documented("policies.md", "policies"); }

TEST(ListCounters, AreAllInAResult) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", R"(
kernels: {k: {grid: 3, block: 64, patterns: {p: {kind: coalesced}}, program: [{load: p}, {store: p}]}}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
  const nlohmann::json result = run_workload(input, {"--gpu", "xavier"}).result;
  for (const auto& counter : nlohmann::json::parse(run_program({"list", "counters", "--json"}).out).at("counters")) {
    // The first of the places, and of what there are many of the first.
    std::string path = "." + counter.at("place").get<std::string>();
    path = path.substr(0, path.find(',')) + "." + counter.at("name").get<std::string>();
    const nlohmann::json* node = &result;
    for (std::size_t at = 1; at <= path.size();) {
      const std::size_t next = std::min(path.find('.', at), path.size());
      if (node->is_array()) node = &node->at(0);
      const std::string key = path.substr(at, next - at);
      if (path.compare(0, 5, ".noc.") == 0 && at == 5) node = &node->at("gpc_requests");
      ASSERT_TRUE(node->contains(key)) << path << " at " << key;
      node = &node->at(key);
      at = next + 1;
    }
  }
}

}  // namespace
}  // namespace gputlm
