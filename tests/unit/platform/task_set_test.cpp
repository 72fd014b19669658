// Random sets of tasks: UUniFast's distribution, times of jobs, and workloads with a set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platform/input/preset.h"
#include "platform/input/task_set.h"
#include "tests/unit/platform/workload_texts.h"

namespace gputlm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Femtoseconds kUs = 1'000'000'000;

const GpuConfig& xavier() {
  static const GpuConfig gpu = load_gpu("xavier");
  return gpu;
}

TaskSetSpec four_tasks(double utilisation) {
  TaskSetSpec spec;
  spec.tasks = 4;
  spec.utilisation = utilisation;
  spec.shortest_period = 1000 * kUs;
  spec.longest_period = 100000 * kUs;
  return spec;
}

double utilisation_of(const DrawnTask& task) {
  return static_cast<double>(task.takes()) / static_cast<double>(task.period);
}

TEST(TaskSet, HasTheUtilisationThatIsAskedFor) {
  for (std::uint64_t key = 0; key < 200; ++key) {
    double sum = 0;
    for (const DrawnTask& task : draw_task_set(four_tasks(0.7), xavier(), key)) sum += utilisation_of(task);
    EXPECT_NEAR(sum, 0.7, 0.005) << "but for whole tenths of microseconds";
  }
}

/// If all sets of n values that add up to U are equally likely, a value exceeds x with probability (1 - x/U)^(n-1).
TEST(TaskSet, UtilisationsAreUniformOnTheSimplex) {
  constexpr unsigned kSets = 3000;
  for (const double x : {0.1, 0.3, 0.5}) {
    unsigned above = 0;
    for (std::uint64_t key = 0; key < kSets; ++key) {
      for (const DrawnTask& task : draw_task_set(four_tasks(0.8), xavier(), key)) above += utilisation_of(task) > x;
    }
    EXPECT_NEAR(above / (4.0 * kSets), std::pow(1 - x / 0.8, 3), 0.015) << x;
  }
}

TEST(TaskSet, PeriodsAreEvenOnALogarithmicScale) {
  unsigned low = 0, all = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) {
    for (const DrawnTask& task : draw_task_set(four_tasks(0.5), xavier(), key)) {
      EXPECT_GE(task.period, 1000 * kUs);
      EXPECT_LE(task.period, 100000 * kUs);
      low += task.period < 10000 * kUs;  // the middle of the scale
      ++all;
    }
  }
  EXPECT_NEAR(static_cast<double>(low) / all, 0.5, 0.025);
}

TEST(TaskSet, NoTaskHasMoreThanAllOfTheTime) {
  for (std::uint64_t key = 0; key < 100; ++key) {
    for (const DrawnTask& task : draw_task_set(four_tasks(2.5), xavier(), key)) EXPECT_LE(utilisation_of(task), 1.001);
  }
}

TEST(TaskSet, IsTheSameEachTimeAndAnotherWithAnotherSeed) {
  const auto text = [](std::uint64_t seed) {
    std::string all;
    const TaskSetSpec spec = four_tasks(0.6);
    for (const DrawnTask& task : draw_task_set(spec, xavier(), task_set_key(spec, seed)))
      all += std::to_string(task.period) + " " + std::to_string(task.block) + " " + std::to_string(task.blocks) + "\n";
    return all;
  };
  EXPECT_EQ(text(3), text(3));
  EXPECT_NE(text(3), text(4));
}

TEST(TaskSet, BlocksThatAreGivenTakeTheirWaves) {
  TaskSetSpec spec = four_tasks(0.6);
  spec.blocks = 33;
  spec.threads = 1024;  // two to an SM of xavier, which has eight: three waves
  for (const DrawnTask& task : draw_task_set(spec, xavier(), 1)) {
    EXPECT_EQ(task.blocks, 33u);
    EXPECT_EQ(task.waves, 3u);
  }
}

constexpr const char* kSet =
    "tasks: {uunifast: {tasks: 5, utilisation: 0.5, shortest_period_us: 500, longest_period_us: 2000, ";

TEST(WorkloadFile, MakesAnApplicationOfEachTaskOfASet) {
  const Workload workload =
      load_text(kSet + std::string("deadline: 0.5, priorities: rate_monotonic}, application: {time_slice_us: 50}}"));
  ASSERT_EQ(workload.applications.size(), 5u);
  EXPECT_EQ(workload.applications[2].name, "t2");
  EXPECT_EQ(workload.applications[2].share.time_slice, 50 * kUs);
  EXPECT_THAT(workload.settings, ElementsAre("work_distributor.priorities=5"));
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(workload.streams[t].priority, static_cast<int>(t) - 4) << "the shorter period is more urgent";
    std::vector<Femtoseconds> releases;
    for (const JobSpec& job : workload.jobs) {
      if (job.task == t) releases.push_back(job.release);
    }
    ASSERT_GE(releases.size(), 2u) << "twice the longest period";
    EXPECT_EQ(releases[0], 0u);
    EXPECT_NEAR(static_cast<double>(*workload.tasks[t].deadline), 0.5 * static_cast<double>(releases[1]), 1e5);
  }
  EXPECT_EQ(workload.launches.size(), workload.jobs.size());
}

TEST(WorkloadFile, TasksOfLevelHiHaveASecondLaunchAndOverrunBySeed) {
  const std::string text = kSet + std::string("hi_share: 1, hi_factor: 3, overrun: 0.5, duration_us: 100000}}");
  const Workload workload = load_text(text);
  EXPECT_TRUE(workload.has_modes());
  EXPECT_EQ(workload.launches.size(), 2 * workload.jobs.size());
  const auto overran =
      std::count_if(workload.jobs.begin(), workload.jobs.end(), [](auto& job) { return job.overruns; });
  EXPECT_NEAR(static_cast<double>(overran) / static_cast<double>(workload.jobs.size()), 0.5, 0.1);
  const auto spin_of = [](const LaunchCommand& launch) { return launch.kernel->code(0)->spin(0, 0); };
  std::vector<Femtoseconds> within(5), beyond(5);
  for (const LaunchCommand& launch : workload.launches)
    (launch.beyond_budget ? beyond : within)[workload.jobs[*launch.job].task] = spin_of(launch);
  for (std::size_t t = 0; t < 5; ++t) EXPECT_EQ(beyond[t], 2 * within[t]) << "three times as long, all together";
}

TEST(WorkloadFile, CriticalityMonotonicPrioritiesPutLevelHiFirst) {
  const Workload workload = load_text(
      "tasks: {uunifast: {tasks: 12, utilisation: 0.5, shortest_period_us: 500, longest_period_us: 2000, "
      "hi_share: 0.5, priorities: criticality_first}}");
  int most_hi = -100, least_lo = 100;
  for (std::size_t t = 0; t < 12; ++t) {
    const bool hi = workload.tasks[t].criticality == Criticality::kHi;
    if (hi) most_hi = std::max(most_hi, workload.streams[t].priority);
    if (!hi) least_lo = std::min(least_lo, workload.streams[t].priority);
  }
  EXPECT_LT(most_hi, least_lo);
}

TEST(WorkloadFile, RefusesSetsThatCannotBe) {
  EXPECT_THAT(
      workload_error("tasks: {uunifast: {tasks: 2, utilisation: 3, shortest_period_us: 5, longest_period_us: 9}}"),
      HasSubstr("found more than the number of tasks"));
  EXPECT_THAT(
      workload_error("tasks: {uunifast: {tasks: 2, utilisation: 1, shortest_period_us: 9, longest_period_us: 5}}"),
      HasSubstr("found less than shortest_period_us"));
  EXPECT_THAT(
      workload_error("tasks: {uunifast: {tasks: 2, utilisation: 2, shortest_period_us: 5, longest_period_us: 9}}"),
      HasSubstr("found no set of 2 tasks with a utilisation of 2"));
  EXPECT_THAT(workload_error("kernels: {}"), HasSubstr("'applications' is missing"));
}

}  // namespace
}  // namespace gputlm
