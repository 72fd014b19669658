// `gputlm list`: all named things, for people and for programs.

#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

/// Names of the lists of `gputlm list`.
std::vector<std::string> lists() {
  std::vector<std::string> names;
  const auto root = nlohmann::json::parse(run_program({"list", "--json"}).out);
  for (const auto& list : root.at("lists")) names.push_back(list.at("name"));
  return names;
}

class List : public testing::TestWithParam<std::string> {};

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
  // Lines of an entry that go on begin with a space.
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.out.size(); at = text.out.find('\n', at) + 1) lines += text.out[at] != ' ';
  EXPECT_EQ(lines, entries.size() + 1);
  for (const auto& entry : entries) {
    const std::string name = entry.at(entry.contains("key") ? "key" : "name");
    EXPECT_NE(text.out.find(name), std::string::npos) << name;
    EXPECT_NE(entry.at("description"), "") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, List,
                         testing::Values("gpus", "drams", "policies", "counters", "policy-counters", "probes",
                                         "experiments", "parameters", "formats", "blocks", "commands"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

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

TEST(Reference, IsWhatTheProgramSaysOfItself) {
  const std::string folder = std::string(GPUTLM_SOURCE_DIR) + "/docs/reference/";
  std::set<std::string> pages;
  for (const std::string& list : lists()) {
    pages.insert(list + ".md");
    ASSERT_TRUE(std::filesystem::exists(folder + list + ".md")) << "scripts/reference makes it";
    EXPECT_EQ(read_file(folder + list + ".md"), run_program({"list", list, "--markdown"}).out)
        << list << ": scripts/reference makes it again";
  }
  for (const auto& file : std::filesystem::directory_iterator(folder))
    EXPECT_EQ(pages.count(file.path().filename()), 1u) << file.path() << ": of a list that is no more";
}

TEST(Lists, FitAHundredColumns) {
  for (const std::string& list : lists()) {
    std::istringstream lines(run_program({"list", list}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << list << ": " << line;
  }
}

TEST(Lists, AreCutToAPattern) {
  const std::string some = run_program({"list", "parameters", "sm.TLB.*"}).out;
  EXPECT_EQ(std::count(some.begin(), some.end(), '\n'), 5) << some;
  EXPECT_NE(run_program({"list", "gpus", "jetson"}).out.find("tx2"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(run_program({"list", "policies", "qaws", "--json"}).out).at("policies").size(), 1u);
}

TEST(Explain, TellsAParametersValueAndSourceInEveryPreset) {
  const std::string text = run_program({"explain", "sm.l1.bytes"}).out;
  for (const char* part : {"128 to 1073741824 bytes", "(models/sm)", "xavier", "whitepaper: 48 KB"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Explain, KnowsWhateverIsListed) {
  for (const std::string& list : lists()) {
    const auto root = nlohmann::json::parse(run_program({"list", list, "--json"}).out);
    const auto& first = root.at(list).at(0);
    const std::string name = first.at(first.contains("key") ? "key" : "name");
    const Outcome outcome = run_program({"explain", name});
    EXPECT_EQ(outcome.code, 0) << list << ": " << name;
    EXPECT_NE(outcome.out.find(name), std::string::npos) << outcome.out;
  }
}

TEST(ListWorkloads, ShowsWhatRunTakes) {
  const auto list = [](const std::string& folder) {
    return nlohmann::json::parse(run_program({"list", "workloads", "mixed", "--json"}, folder).out);
  };
  const auto here = list(GPUTLM_SOURCE_DIR), elsewhere = list("/");
  EXPECT_EQ(here.at("workloads").at(0).at("name"), "workloads/mixed.yaml");
  EXPECT_EQ(here.at("workloads").at(0).at("description"), "Three streams of two applications at once");
  EXPECT_TRUE(std::filesystem::exists("/" + elsewhere.at("workloads").at(0).at("name").get<std::string>()))
      << elsewhere;
}

TEST(Help, IsThatOfTheCommand) {
  EXPECT_EQ(run_program({"help", "run"}).out, run_program({"run", "--help"}).out);
  EXPECT_EQ(run_program({"help"}).out, run_program({"--help"}).out);
  const auto root = nlohmann::json::parse(run_program({"list", "commands", "--json"}).out);
  for (const auto& command : root.at("commands")) {
    const std::string text = run_program({"help", command.at("name")}).out;
    EXPECT_NE(text.find("Examples:\n  gputlm "), std::string::npos) << command << " has no example";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(ListCounters, AreAllInAResult) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", R"(
kernels: {k: {grid: 3, block: 64, patterns: {p: {kind: coalesced}}, program: [{load: p}, {store: p}]}}
applications:
  - name: a
    memory_budget: {bytes: 64KiB, period_us: 1}
    persisting_l2_cache_size: 64KiB
    streams: [{name: s, access_policy_window: {base: 0, bytes: 4KiB}, commands: [{memset: 4KiB, to: 0x10000}, k]}]
  - {name: b, streams: [{name: t, launches: [k]}]}
)");
  const nlohmann::json result =
      run_workload(input, {"--set", "mmu.enabled=true", "--set", "work_distributor.application=time_sliced", "--set",
                           "l2.persisting_share=0.5"})
          .result;
  // What blocks with demands count stands where there are some.
  const std::string demands = folder.write("d.yaml", R"(
kernels: {k: {grid: 3, block: 64, program: [spin: {us: 2}], demand: {dram_read_bytes: 6400}}}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
  const std::string durations = folder.path("durations.yaml");
  const auto runs = std::filesystem::path(GPUTLM_PROGRAM).parent_path() / "tests/calibrations";  // as of other tests
  run_program(
      {"calibrate", demands, "--gpu", "orin", "--set", "sm.model=blocks", "-o", durations, "--cache", runs.string()});
  const auto of_blocks = nlohmann::json::parse(run_program({"run", demands, "--gpu", "orin", "--set", "sm.model=blocks",
                                                            "--set", "sm.durations=" + durations, "--json"})
                                                   .out);
  const std::string clusters = folder.write("c.yaml", R"(
kernels: {k: {grid: 2, block: 32, cluster: 2, program: [cluster_barrier]}}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
  const auto of_clusters = nlohmann::json::parse(run_program({"run", clusters, "--gpu", "h100_sxm", "--json"}).out);
  const auto has = [](const nlohmann::json& in, const std::string& path) {
    const nlohmann::json* node = &in;
    for (std::size_t at = 1; at <= path.size();) {
      const std::size_t next = std::min(path.find('.', at), path.size());
      if (node->is_array()) node = &node->at(0);
      const std::string key = path.substr(at, next - at);
      if (path.compare(0, 5, ".noc.") == 0 && at == 5) node = &node->at("gpc_requests");
      if (!node->contains(key)) return false;
      node = &node->at(key);
      at = next + 1;
    }
    return true;
  };
  const auto root = nlohmann::json::parse(run_program({"list", "counters", "--json"}).out);
  for (const auto& counter : root.at("counters")) {
    // The first of the places, and of what there are many of the first.
    std::string path = "." + counter.at("place").get<std::string>();
    if (path.find(".csv") != std::string::npos) continue;  // of another file
    path = path.substr(0, path.find(',')) + "." + counter.at("name").get<std::string>();
    EXPECT_TRUE(has(result, path) || has(of_blocks, path) || has(of_clusters, path)) << path;
  }
}

}  // namespace
}  // namespace gputlm
