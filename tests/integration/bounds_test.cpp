// `gputlm bound` and `run --check-bounds`: bounds beside simulated responses, and what is said where they do not hold.

#include <gmock/gmock.h>

#include <map>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

constexpr const char* kTasks = GPUTLM_SOURCE_DIR "/workloads/bounds/tasks.yaml";
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
  for (const std::string policy : {"concurrent", "partitioned", "time_sliced"}) {
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

  const std::string file = folder.path("exclusive.json");
  ASSERT_EQ(run_program(bound_of(kTasks, file, "exclusive")).code, 0);
  EXPECT_THAT(tasks_of(file).at("plan").at("no_bound"), HasSubstr("an application with several streams"));
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
  EXPECT_THAT(none.err, HasSubstr("--phases: found 0, allowed: 1"));
}

/// A task below another that is released so.
std::string with_releases(const std::string& keys) {
  return "kernels: {k: {grid: 8, block: 64, program: [spin: {us: 10}]}}\napplications:\n  - name: a\n    streams:\n"
         "      - {name: s, launches: [{kernel: k, label: steady, repeat: 20, period_us: 100}]}\n"
         "      - {name: t, priority: -1, launches: [{kernel: k, label: now_and_then, " +
         keys + "}]}\n";
}

/// Whatever was drawn: a declared least distance is a period, for those who wait for the task.
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

TEST(Bounds, AreCheckedInARun) {
  const Outcome good = run_program({"run", kTasks, "--gpu", "xavier", "--check-bounds"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_THAT(good.err, HasSubstr("bounds: no response above its bound, of 80 jobs"));
  // Two tasks that meet in the memory: that a kernel takes no longer beside others does not hold.
  const Outcome bad = run_program({"run", kMemoryTasks, "--gpu", "xavier", "--check-bounds"});
  EXPECT_EQ(bad.code, 1) << bad.err;
  EXPECT_THAT(bad.err, testing::ContainsRegex("task 'gather': gather#1 took [0-9]+ cycles, the bound is [0-9]+"));
  const Outcome unchecked = run_program({"run", kMemoryTasks, "--gpu", "xavier"});
  EXPECT_EQ(unchecked.code, 0);
}

}  // namespace
}  // namespace gputlm
