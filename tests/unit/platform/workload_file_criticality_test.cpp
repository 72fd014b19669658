// Tasks of two levels of criticality in a workload file: budgets, overrunning jobs, and their launches beyond the budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platform/input/workload_writer.h"
#include "tests/unit/platform/workload_texts.h"

namespace gputlm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSpinning =
    "kernels: {k: {grid: 4, block: 64, program: [spin: {us: 10}]}, c: {grid: 4, block: 64, program: [int]}}\n";

std::string launching(const std::string& launch) {
  return kSpinning + ("applications: [{name: a, streams: [{name: s, launches: [" + launch + "]}]}]\n");
}
std::string commanding(const std::string& commands) {
  return kSpinning + ("applications: [{name: a, streams: [{name: s, commands: [" + commands + "]}]}]\n");
}

std::vector<bool> overruns(const Workload& workload) {
  std::vector<bool> all;
  for (const JobSpec& job : workload.jobs) all.push_back(job.overruns);
  return all;
}

TEST(WorkloadFile, GivesJobsWithTwoBudgetsASecondLaunchOfWhatIsBetweenThem) {
  const Workload workload =
      load_text(launching("{kernel: k, repeat: 3, period_us: 100, deadline_us: 80, criticality: hi, "
                          "wcet_us: {lo: 12, hi: 30}, overruns: {jobs: [2]}}"));
  EXPECT_EQ(workload.tasks[0].criticality, Criticality::kHi);
  EXPECT_EQ(workload.tasks[0].deadline, Femtoseconds{80'000'000'000});
  EXPECT_THAT(overruns(workload), ElementsAre(false, true, false));
  ASSERT_EQ(workload.launches.size(), 6u);
  for (std::size_t l = 0; l < 6; ++l) {
    EXPECT_EQ(workload.launches[l].beyond_budget, l % 2 == 1);
    EXPECT_EQ(workload.launches[l].job, l / 2);
    EXPECT_EQ(workload.launches[l].kernel->code(0)->spin(0, 0), l % 2 == 1 ? 15'000'000'000u : 10'000'000'000u)
        << "10 us and 18 / 12 of them";
  }
  EXPECT_EQ(workload.launches[1].label, "k.beyond#1");
  EXPECT_TRUE(workload.has_modes());
}

TEST(WorkloadFile, DrawsWhichJobsOverrunBySeed) {
  const std::string launch =
      "{kernel: k, repeat: 1000, period_us: 100, criticality: hi, wcet_us: {lo: 10, hi: 30}, "
      "overruns: {probability: 0.1";
  const auto first = overruns(load_text(launching(launch + "}}")));
  EXPECT_NEAR(static_cast<double>(std::count(first.begin(), first.end(), true)), 100, 30);
  EXPECT_EQ(first, overruns(load_text(launching(launch + "}}"))));
  EXPECT_NE(first, overruns(load_text(launching(launch + ", seed: 5}}"))));
  EXPECT_EQ(first.size(), 1000u);
}

TEST(WorkloadFile, AJobSaysItselfWhatItDoesBeyondItsBudget) {
  const Workload workload = load_text(
      commanding("{job: j, repeat: 2, period_us: 50, criticality: hi, overruns: {jobs: [1]}, commands: [c, {kernel: c, "
                 "grid: 9, beyond_budget: true}, {kernel: k, label: last}]}"));
  EXPECT_TRUE(workload.launches[1].beyond_budget);
  EXPECT_EQ(workload.launches[1].kernel->blocks(), 9u);
  EXPECT_THAT(overruns(workload), ElementsAre(true, false));
}

TEST(WorkloadFile, SaysWhatBecomesOfTasksOfLevelLo) {
  const Workload workload =
      load_text(launching("{kernel: k, in_hi_mode: degrade, degraded_every: 4, criticality: lo}, "
                          "{kernel: c, criticality: lo, wcet_us: {lo: 7}}"));
  EXPECT_EQ(workload.tasks[0].in_hi_mode, InHiMode::kDegrade);
  EXPECT_EQ(workload.tasks[0].degraded_every, 4u);
  EXPECT_EQ(workload.tasks[1].in_hi_mode, InHiMode::kDrop);
  EXPECT_EQ(workload.tasks[1].wcet->lo, Femtoseconds{7'000'000'000});
  EXPECT_FALSE(workload.has_modes());
}

TEST(WorkloadFile, RefusesWhatCannotOverrun) {
  EXPECT_THAT(workload_error(launching("{kernel: k, criticality: lo, wcet_us: {lo: 5, hi: 9}}")),
              HasSubstr("a task of criticality lo has no budget of level hi"));
  EXPECT_THAT(workload_error(launching("{kernel: k, overruns: {jobs: [1]}}")),
              HasSubstr("only jobs of criticality hi may overrun"));
  EXPECT_THAT(workload_error(launching("{kernel: k, criticality: hi, overruns: {jobs: [1]}}")),
              HasSubstr("the launch has no 'wcet_us' with 'hi'"));
  EXPECT_THAT(workload_error(launching("{kernel: c, criticality: hi, wcet_us: {lo: 5, hi: 9}}")),
              HasSubstr("kernel 'c' does more than spin"));
  EXPECT_THAT(workload_error(launching("{kernel: k, criticality: hi, wcet_us: {lo: 9, hi: 5}}")),
              HasSubstr("found less than lo"));
  EXPECT_THAT(workload_error(launching("{kernel: k, criticality: hi, wcet_us: {lo: 5, hi: 9}, overruns: {jobs: [1], "
                                       "probability: 0.5}}")),
              HasSubstr("either 'probability' or 'jobs'"));
  EXPECT_THAT(workload_error(launching("{kernel: k, beyond_budget: true}")), HasSubstr("only a launch of a job"));
  EXPECT_THAT(workload_error(commanding("{job: j, criticality: hi, overruns: {jobs: [1]}, commands: [k]}")),
              HasSubstr("none of the job's commands is 'beyond_budget'"));
  EXPECT_THAT(workload_error(commanding("{job: j, commands: [k, {kernel: c, beyond_budget: true}]}")),
              HasSubstr("only jobs of criticality hi may go beyond their budget"));
}

/// What `gputlm convert` writes out does the same.
TEST(WorkloadFile, OfTwoLevelsIsWrittenAndReadAgain) {
  const Workload workload = load_text(
      kSpinning +
      std::string(
          "applications:\n"
          "  - {name: a, streams: [{name: s, launches: [{kernel: k, repeat: 3, period_us: 100, deadline_us: 80, "
          "criticality: hi, wcet_us: {lo: 12, hi: 30}, overruns: {jobs: [2]}}]}]}\n"
          "  - {name: b, streams: [{name: s, launches: [{kernel: c, label: b, in_hi_mode: keep}]}]}\n"));
  const std::string text = workload_yaml(workload, "");
  const Workload again = load_text(text);
  EXPECT_EQ(workload_yaml(again, ""), text);
  EXPECT_EQ(overruns(again), overruns(workload));
  ASSERT_EQ(again.launches.size(), workload.launches.size());
  for (std::size_t l = 0; l < again.launches.size(); ++l) {
    EXPECT_EQ(again.launches[l].label, workload.launches[l].label);
    EXPECT_EQ(again.launches[l].beyond_budget, workload.launches[l].beyond_budget);
    EXPECT_EQ(again.launches[l].release, workload.launches[l].release);
  }
  EXPECT_EQ(again.tasks[0].criticality, Criticality::kHi);
  EXPECT_EQ(again.tasks[0].wcet->hi, workload.tasks[0].wcet->hi);
  EXPECT_EQ(again.tasks[1].in_hi_mode, InHiMode::kKeep);
}

}  // namespace
}  // namespace gputlm
