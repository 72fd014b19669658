// `gputlm bound` and `run --check-bounds`: bounds beside simulated responses, and messages if they do not hold.

#include <gmock/gmock.h>

#include <map>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

constexpr const char* kTasks = GPUTLM_SOURCE_DIR "/workloads/bounds/tasks.yaml";
constexpr const char* kLevels = GPUTLM_SOURCE_DIR "/workloads/bounds/criticality.yaml";
constexpr const char* kTaskSet = GPUTLM_SOURCE_DIR "/workloads/bounds/task_set.yaml";
constexpr const char* kMemoryTasks = GPUTLM_SOURCE_DIR "/workloads/bounds/memory.yaml";

/// By task. `file`: where --json puts it.
std::map<std::string, Json> tasks_of(const std::string& file) {
  std::map<std::string, Json> tasks;
  const Json all = Json::parse(read_file(file));
  for (const Json& task : all.at("tasks")) tasks[task.at("task").get<std::string>()] = task;
  return tasks;
}

std::vector<std::string> bound_of(const std::string& workload, const std::string& json, const std::string& policy) {
  return {"bound",
          workload,
          "--gpu",
          "xavier",
          "--no-cache",
          "--phases",
          "3",
          "--json",
          json,
          "--set",
          "sm.model=blocks",
          "--set",
          "work_distributor.application=" + policy};
}

TEST(Bounds, HoldUnderEachPolicyAndNoneIsGivenWithoutAnAnalysis) {
  const TestFolder folder;
  for (const std::string policy : {"concurrent", "partitioned", "time_sliced", "exclusive"}) {
    const std::string file = folder.path(policy + ".json");
    const Outcome outcome = run_program(bound_of(kTasks, file, policy));
    ASSERT_EQ(outcome.code, 0) << policy << outcome.err;
    for (const auto& [name, task] : tasks_of(file)) {
      ASSERT_TRUE(task.contains("bound_cycles")) << policy << " " << name << " " << task.at("no_bound");
      EXPECT_GE(task.at("margin_cycles"), 0) << policy << " " << name;
      EXPECT_GE(task.at("simulated_cycles"), task.at("alone_cycles")) << "alone is the best that can be";
    }
  }
  // At an instruction boundary a slice ends without waiting for blocks; what saving them takes is measured.
  const std::string saved = folder.path("saved.json");
  std::vector<std::string> arguments = bound_of(kTasks, saved, "time_sliced");
  arguments.insert(arguments.end(), {"--set", "work_distributor.time_sliced.instruction_preemption=true"});
  ASSERT_EQ(run_program(arguments).code, 0);
  for (const auto& [name, task] : tasks_of(saved)) EXPECT_GE(task.at("margin_cycles"), 0) << name;

  // Alone on its SMs a task takes its time alone, but for the others' blocks that pass the work distributor.
  const Json control = tasks_of(folder.path("partitioned.json")).at("control");
  EXPECT_LE(control.at("margin_cycles"), 100);
}

/// A chain of small kernels, twelve a job, beside a large kernel; `then`: what its host does behind its jobs.
std::string chain_and_hog(const std::string& then = "", unsigned hog_period_us = 800) {
  return R"(
kernels:
  small: {grid: 8, block: 64, program: [spin: {us: 5}]}
  tiny: {grid: 1, block: 64, program: [spin: {us: 5}]}
  large: {grid: 128, block: 512, program: [spin: {us: 20}]}
applications:
  - name: chains
    time_slice_us: 50
    streams:
      - name: c
        commands:
          - {job: chain, repeat: 8, period_us: 900, commands: [{kernel: small, repeat: 12}]}
)" + then +
         R"(
  - name: hog
    time_slice_us: 50
    streams: [{name: h, launches: [{kernel: large, label: large, repeat: 8, period_us: )" +
         std::to_string(hog_period_us) + "}]}]\n";
}

TEST(Bounds, OfAChainOfSmallKernelsWaitForSlotsOrTurnsAndNotForEachKernel) {
  const TestFolder folder;
  const std::string workload = folder.write("w.yaml", chain_and_hog());
  for (const bool switches : {false, true}) {
    const std::string file = folder.path("sliced.json");
    std::vector<std::string> arguments = bound_of(workload, file, "time_sliced");
    if (switches) arguments.insert(arguments.end(), {"--set", "work_distributor.time_sliced.switch_us=30"});
    ASSERT_EQ(run_program(arguments).code, 0);
    const Json chain = tasks_of(file).at("chain");
    EXPECT_GE(chain.at("margin_cycles"), 0);
    const double slot = 1.377e3 * (50 + 25 + (switches ? 30 : 0));  // cycles of the other's, about
    EXPECT_GT(chain.at("simulated_cycles").get<double>(), chain.at("alone_cycles").get<double>() + slot / 2);
    EXPECT_LT(chain.at("bound_cycles").get<double>(), chain.at("alone_cycles").get<double>() + 4 * slot);
    EXPECT_GE(tasks_of(file).at("large").at("margin_cycles"), 0);
  }
  const std::string file = folder.path("exclusive.json");
  ASSERT_EQ(run_program(bound_of(workload, file, "exclusive")).code, 0);
  const auto tasks = tasks_of(file);
  EXPECT_GE(tasks.at("chain").at("margin_cycles"), 0);
  EXPECT_GE(tasks.at("large").at("margin_cycles"), 0);
  EXPECT_GT(tasks.at("large").at("simulated_cycles").get<double>(),
            tasks.at("large").at("alone_cycles").get<double>() + 1.377e3 * 50)
      << "it has waited for a chain";
}

TEST(Bounds, AreNoneUnderExclusiveWhereAnotherMayKeepTheEngine) {
  const TestFolder folder;
  const auto why = [&](const std::string& text) {
    const std::string file = folder.path("b.json");
    EXPECT_EQ(run_program(bound_of(folder.write("w.yaml", text), file, "exclusive")).code, 0);
    return tasks_of(file).at("large").value("no_bound", "");
  };
  EXPECT_EQ(why(chain_and_hog()), "");
  EXPECT_THAT(why(chain_and_hog("", 75)), HasSubstr("together they may demand more than the engine can supply"));
  EXPECT_THAT(why(chain_and_hog("          - {synchronize: stream}\n"
                                "          - {job: other, release_us: 9000, commands: [tiny]}")),
              HasSubstr("an application whose host or copies decide when it continues"));
}

TEST(Bounds, SayWhyThereIsNone) {
  const TestFolder folder;
  const std::string text = R"(
kernels: {k: {grid: 8, block: 64, program: [spin: {us: 10}]}}
applications:
  - name: a
    streams:
      - {name: fast, priority: -1, launches: [{kernel: k, repeat: 5, period_us: 5}]}
      - {name: slow, launches: [{kernel: k, label: k2, repeat: 5, period_us: 50}]}
      - name: copies
        commands: [{job: copying, commands: [{copy: host_to_device, to: 0x10000000, bytes: 4KiB}, {kernel: k, label: k3}]}]
)";
  const Outcome outcome =
      run_program({"bound", folder.write("w.yaml", text), "--gpu", "xavier", "--no-cache", "--phases", "1", "--csv",
                   folder.path("b.csv"), "--set", "copy_engine.engines=2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("k: unbounded: utilisation above 1"));
  EXPECT_THAT(outcome.out, HasSubstr("k2: unbounded: a more urgent task has no bound"));
  EXPECT_THAT(outcome.out, HasSubstr("copying: no analysis: it copies, and several copy engines"));
  EXPECT_THAT(read_file(folder.path("b.csv")), HasSubstr("task,application,scheme,alone_cycles,bound_cycles"));

  const Outcome srtf = run_program({"bound", kTasks, "--set", "work_distributor.kernel_order=srtf"});
  EXPECT_EQ(srtf.code, 2);
  EXPECT_THAT(srtf.err, HasSubstr("no analysis: the kernel order 'srtf' has none, allowed: leftover, fifo"));
  const Outcome none = run_program({"bound", kTasks, "--phases", "0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--phases: found '0', allowed: a whole number from 1 to 10000"));
}

/// A task below another that is released so.
std::string with_releases(const std::string& keys) {
  return "kernels: {k: {grid: 8, block: 64, program: [spin: {us: 10}]}}\napplications:\n  - name: a\n    streams:\n"
         "      - {name: s, launches: [{kernel: k, label: steady, repeat: 20, period_us: 100}]}\n"
         "      - {name: t, priority: -1, launches: [{kernel: k, label: now_and_then, " +
         keys + "}]}\n";
}

/// A declared least distance is a period for tasks that wait for the task, regardless of the drawn releases.
TEST(Bounds, GoByTheLeastDistanceThatReleasesDeclare) {
  const TestFolder folder;
  const auto bound = [&](const std::string& keys) {
    const std::string json = folder.path("b.json");
    const Outcome outcome = run_program({"bound", folder.write("w.yaml", with_releases(keys)), "--gpu", "xavier",
                                         "--no-cache", "--phases", "1", "--json", json});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return tasks_of(json).at("steady").at("bound_cycles").get<std::uint64_t>();
  };
  const std::string far_apart = "releases_us: [0, 500, 1100, 1900]";
  const std::uint64_t every_45 = bound("repeat: 4, period_us: 45");
  EXPECT_LT(bound(far_apart), every_45);
  EXPECT_EQ(bound(far_apart + ", min_interarrival_us: 45"), every_45);
  EXPECT_EQ(bound("repeat: 4, period_us: 45, sporadic_us: 900"), every_45) << "a period is the least that is drawn";
  EXPECT_EQ(bound("repeat: 4, sporadic_us: 900, seed: 3, min_interarrival_us: 45"), every_45) << "a Poisson process";
}

TEST(Bounds, RefuseReleasesThatComeCloserThanTheyDeclare) {
  const TestFolder folder;
  const Outcome outcome =
      run_program({"run", folder.write("w.yaml", with_releases("releases_us: [0, 50, 79.5], min_interarrival_us: 30")),
                   "--gpu", "xavier"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("w.yaml:6: task now_and_then: found job 2 released at 79.5 us, 29.5 us after job 1, "
                        "allowed: 30 or more (min_interarrival_us)"));
}

/// A verdict of "met" beside a response that is longer would be believed.
TEST(Bounds, ThatARunBreaksSaySoAndWhatItDidNotKeep) {
  const TestFolder folder;
  const Outcome outcome = run_program({"bound", kMemoryTasks, "--gpu", "xavier", "--no-cache", "--phases", "1",
                                       "--json", folder.path("b.json"), "--csv", folder.path("b.csv")});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("gather .*bound broken"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex(
                               "gather: bound broken: assumed that a kernel takes no longer beside others than "
                               "alone; a block of 'gather#[0-9]+' \\(application [a-z]+\\) took [0-9.]+ us, 1\\.[0-9]+ "
                               "times as long as alone"));
  const auto tasks = tasks_of(folder.path("b.json"));
  EXPECT_TRUE(tasks.at("gather").at("bound_broken").get<bool>());
  EXPECT_FALSE(tasks.at("gather").value("met_by_analysis", false));
  EXPECT_THAT(tasks.at("gather").at("not_kept").get<std::string>(), HasSubstr("no longer beside others"));
  EXPECT_THAT(read_file(folder.path("b.csv")), HasSubstr(",bound_broken,not_kept"));
  ASSERT_EQ(run_program({"bound", kTasks, "--gpu", "xavier", "--phases", "1", "--json", folder.path("b.json")}).code,
            0);
  for (const auto& [name, task] : tasks_of(folder.path("b.json"))) EXPECT_FALSE(task.at("bound_broken")) << name;
}

TEST(Bounds, OfTwoLevelsOfCriticalityHoldInBothModes) {
  const TestFolder folder;
  for (const std::string variant : {"", "#keep", "#degrade"}) {
    for (const std::string policy : {"concurrent", "time_sliced", "exclusive"}) {
      const std::string file = folder.path("levels.json");
      const Outcome outcome = run_program(bound_of(kLevels + variant, file, policy));
      ASSERT_EQ(outcome.code, 0) << variant << " " << policy << outcome.err;
      const auto tasks = tasks_of(file);
      for (const auto& [name, task] : tasks) {
        // A slice of each other context may come before any job: too many for a bound.
        ASSERT_EQ(task.contains("bound_lo_cycles"), policy != "time_sliced") << variant << " " << policy << " " << name;
        if (policy == "time_sliced") continue;
        EXPECT_LE(task.at("simulated_lo_cycles"), task.at("bound_lo_cycles"))
            << variant << " " << policy << " " << name;
        if (task.contains("margin_cycles")) {
          EXPECT_GE(task.at("margin_cycles"), 0) << variant << policy << name;
        }
      }
      EXPECT_EQ(tasks.at("detect").at("bound_of_mode"), variant.empty() ? "lo" : "any");
      EXPECT_EQ(tasks.at("detect").at("dropped").get<int>() > 0, variant != "#keep") << variant << policy;
      if (policy != "time_sliced") {
        EXPECT_GT(tasks.at("brake").at("bound_cycles"), tasks.at("brake").at("bound_lo_cycles"));
      }
    }
  }
}

/// What AMC is for: with level lo dropped, level hi has a bound within its deadline that it does not have beside it.
TEST(Bounds, OfLevelHiAreNoLongerWhereLevelLoIsDroppedThanWhereItIsKept) {
  const TestFolder folder;
  const auto bound = [&](const std::string& variant) {
    EXPECT_EQ(run_program(bound_of(kLevels + variant, folder.path("b.json"), "concurrent")).code, 0);
    return tasks_of(folder.path("b.json")).at("steer").at("bound_cycles").get<std::uint64_t>();
  };
  EXPECT_LT(bound(""), bound("#keep"));
}

TEST(Bounds, ARunOfTwoLevelsIsCheckedByMode) {
  const Outcome outcome =
      run_program({"run", kLevels, "--gpu", "xavier", "--check-bounds", "--set", "sm.model=blocks"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("bounds: no response above its bound, of "));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("Mode hi: [0-9]+ changes, [0-9.]+ us \\([0-9.]+ % of the run\\)"));
}

TEST(Bounds, OfASweepAreThoseOfItsRuns) {
  const TestFolder folder;
  const std::string study =
      folder.write("s.yaml", std::string("gpus: [xavier]\nworkloads: [") + kTaskSet + "]\nseeds: [1, 2]\n");
  const Outcome outcome = run_program({"sweep", study, "--bounds", "--out", folder.path("out"), "--no-cache"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Bounds of response times"));
  const std::string csv = read_file(folder.path("out/bounds.csv"));
  EXPECT_THAT(csv, HasSubstr("gpu,workload,seed,task,application,scheme"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 8) << "eight tasks of each seed";
  const std::string summary = read_file(folder.path("out/summary.csv"));
  for (const char* const metric : {"mode_changes", "hi_mode_cycles", "dropped", "missed_hi", "missed_lo"})
    EXPECT_THAT(summary, HasSubstr(std::string(",") + metric + ",")) << metric;
  const Outcome seeds = run_program({"bound", kTaskSet, "--gpu", "xavier", "--seeds", "2"});
  EXPECT_EQ(seeds.code, 2);
  EXPECT_THAT(seeds.err, HasSubstr("each seed draws other tasks"));
}

/// Two streams kept to SMs that overlap in part, in one context.
TEST(Bounds, HoldOfStreamsThatAreKeptToSomeSms) {
  const TestFolder folder;
  const std::string text = R"(
kernels: {k: {grid: 40, block: 512, program: [spin: {us: 10}]}, m: {grid: 64, block: 256, program: [spin: {us: 17}]}}
applications:
  - {name: a, sms: 0-4, streams: [{name: s, launches: [{kernel: k, repeat: 8, period_us: 400}]}]}
  - {name: b, sms: 3-7, streams: [{name: s, launches: [{kernel: m, repeat: 8, period_us: 500}]}]}
)";
  const std::string file = folder.path("b.json");
  ASSERT_EQ(run_program(bound_of(folder.write("w.yaml", text), file, "concurrent")).code, 0);
  bool meet = false;
  for (const auto& [name, task] : tasks_of(file)) {
    ASSERT_TRUE(task.contains("bound_cycles")) << name;
    EXPECT_GE(task.at("margin_cycles"), 0) << name;
    meet = meet || task.at("simulated_cycles") > task.at("alone_cycles");
  }
  EXPECT_TRUE(meet);
  ASSERT_EQ(run_program(bound_of(folder.path("w.yaml"), file, "partitioned")).code, 0);
  EXPECT_THAT(tasks_of(file).at("k").at("no_bound").get<std::string>(),
              HasSubstr("its partition shares SMs with that of application 'b', and contexts send blocks in turn; the "
                        "analysis covers shares without a common SM"));
}

TEST(Bounds, AreCheckedInARun) {
  const Outcome good = run_program({"run", kTasks, "--gpu", "xavier", "--check-bounds"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_THAT(good.err, HasSubstr("bounds: no response above its bound, of 80 jobs"));
  // Two tasks that meet in the memory: that a kernel takes no longer beside others does not hold.
  const Outcome bad = run_program({"run", kMemoryTasks, "--gpu", "xavier", "--check-bounds"});
  EXPECT_EQ(bad.code, 1) << bad.err;
  EXPECT_THAT(bad.err,
              testing::ContainsRegex("task 'gather': bound broken: gather#1 took [0-9]+ cycles, the bound is [0-9]+"));
  const Outcome unchecked = run_program({"run", kMemoryTasks, "--gpu", "xavier"});
  EXPECT_EQ(unchecked.code, 0);
}

}  // namespace
}  // namespace gputlm
