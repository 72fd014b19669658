// Mixed criticality: budgets, the mode, and the jobs of level lo.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/host/host_harness.h"
#include "tests/unit/host/host_program.h"

namespace gputlm::test {
namespace {

using ::testing::ElementsAre;

HostHarness host_with_modes(const HostProgram& p) { return HostHarness(p.workload, p.durations, 8); }

std::vector<std::uint32_t> numbers(const std::vector<JobEnded>& jobs) {
  std::vector<std::uint32_t> all;
  for (const JobEnded& job : jobs) all.push_back(job.job);
  return all;
}
std::vector<std::uint32_t> numbers(const std::vector<JobDropped>& jobs) {
  std::vector<std::uint32_t> all;
  for (const JobDropped& job : jobs) all.push_back(job.job);
  return all;
}

/// A job of level hi at 0, whose budget is a kernel of 300 cycles, and which takes 400 more if it overruns.
KernelId job_with_budget(HostProgram& p, bool overruns) {
  const StreamId s = p.stream();
  p.thread();
  p.job(0);
  const KernelId within = p.launch(s, 300);
  p.beyond_budget(s, 400, overruns);
  p.end_job();
  return within;
}

/// One of level lo, of one kernel.
std::uint32_t job_of_level_lo(HostProgram& p, StreamId stream, Cycle release, Cycle duration = 100) {
  p.thread();
  const std::uint32_t job = p.job(release * kPeriod);
  p.launch(stream, duration);
  p.end_job();
  return job;
}

TEST(Modes, TheModeIsHiFromWhenABudgetIsUsedUpUntilNoJobIsUnderWay) {
  HostProgram p;
  const KernelId within = job_with_budget(p, true);
  HostHarness h = host_with_modes(p);
  ASSERT_TRUE(h.run());
  ASSERT_EQ(h.mode_changes.size(), 2u);
  EXPECT_TRUE(h.mode_changes[0].hi);
  EXPECT_EQ(h.mode_changes[0].at, h.notified[within]) << "what is within the budget has ended, and the job goes on";
  EXPECT_EQ(h.mode_changes[0].job, 0u);
  EXPECT_FALSE(h.mode_changes[1].hi);
  EXPECT_EQ(h.mode_changes[1].at, h.jobs[0].notified);
  EXPECT_TRUE(h.jobs[0].in_hi_mode);
}

TEST(Modes, AJobThatDoesNotOverrunEndsWithItsBudget) {
  HostProgram p;
  const KernelId within = job_with_budget(p, false);
  HostHarness h = host_with_modes(p);
  ASSERT_TRUE(h.run());
  EXPECT_TRUE(h.mode_changes.empty());
  ASSERT_EQ(h.jobs.size(), 1u);
  EXPECT_EQ(h.jobs[0].notified, h.notified[within]);
  EXPECT_FALSE(h.jobs[0].in_hi_mode);
  EXPECT_THAT(h.order, ElementsAre(within)) << "the other launch was not made";
  EXPECT_EQ(h.launches_in_use(), 0u);
}

TEST(Modes, JobsOfLevelLoDoNotBeginInModeHiAndThoseThatHaveGoOn) {
  HostProgram p;
  job_with_budget(p, true);  // in mode hi from about 340 to 780
  const StreamId before = p.stream(), in_hi = p.stream(), behind = p.stream();
  const std::uint32_t begun = job_of_level_lo(p, before, 200, 300), dropped = job_of_level_lo(p, in_hi, 400);
  const std::uint32_t queued = job_of_level_lo(p, before, 210), later = job_of_level_lo(p, behind, 2000);
  HostHarness h = host_with_modes(p);
  ASSERT_TRUE(h.run());
  EXPECT_THAT(numbers(h.dropped), ElementsAre(dropped, queued)) << "one was released before, but had not begun";
  EXPECT_THAT(numbers(h.jobs), ElementsAre(begun, 0u, later));
  EXPECT_TRUE(h.jobs[0].in_hi_mode);
  EXPECT_FALSE(h.jobs[2].in_hi_mode);
  EXPECT_EQ(h.mode_changes.size(), 2u);
}

TEST(Modes, TasksThatAreKeptRunInModeHiToo) {
  HostProgram p;
  job_with_budget(p, true);
  const std::uint32_t kept = job_of_level_lo(p, p.stream(), 400);
  p.workload.tasks[p.workload.jobs[kept].task].in_hi_mode = InHiMode::kKeep;
  HostHarness h = host_with_modes(p);
  ASSERT_TRUE(h.run());
  EXPECT_TRUE(h.dropped.empty());
  EXPECT_EQ(h.jobs.size(), 2u);
}

TEST(Modes, OfTasksThatAreDegradedOneJobInSoManyRuns) {
  HostProgram p;
  job_with_budget(p, true);
  const StreamId s = p.stream();
  const std::uint32_t first = job_of_level_lo(p, s, 400, 10);
  TaskSpec& task = p.workload.tasks[p.workload.jobs[first].task];
  task.in_hi_mode = InHiMode::kDegrade;
  task.degraded_every = 3;
  const std::uint32_t of_task = p.workload.jobs[first].task;
  for (std::uint32_t n = 1; n < 5; ++n) {
    const std::uint32_t job = job_of_level_lo(p, s, 400 + n * 50, 10);
    p.workload.jobs[job].task = of_task;
    p.workload.jobs[job].number = n;
  }
  HostHarness h = host_with_modes(p);
  ASSERT_TRUE(h.run());
  EXPECT_THAT(numbers(h.dropped), ElementsAre(first + 1, first + 2, first + 4));
}

TEST(Modes, AJobThatIsOverdueKeepsTheModeHi) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  p.job(0);
  p.launch(s, 300);
  p.beyond_budget(s, 400, true);
  p.end_job();
  p.synchronize(s);
  p.job(500 * kPeriod);  // its thread comes to it when the first has ended
  p.launch(s, 100);
  p.end_job();
  p.workload.tasks[1].criticality = Criticality::kHi;
  HostHarness h = host_with_modes(p);
  ASSERT_TRUE(h.run());
  ASSERT_EQ(h.mode_changes.size(), 2u);
  EXPECT_EQ(h.mode_changes[1].at, h.jobs[1].notified);
}

TEST(Modes, ADroppedJobMakesNoneOfItsCommands) {
  HostProgram p;
  job_with_budget(p, true);
  const StreamId s = p.stream(), other = p.stream();
  p.thread();
  const std::uint32_t job = p.job(400 * kPeriod);
  p.copy(s, 50, true);
  p.launch(s, 100);
  p.launch(other, 100);
  p.end_job();
  p.launch(s, 70);  // none of a job: nobody drops it
  HostHarness h(p.workload, p.durations, 8, {}, p.copy_durations);
  ASSERT_TRUE(h.run());
  EXPECT_THAT(numbers(h.dropped), ElementsAre(job));
  EXPECT_EQ(h.order.size(), 3u) << "the job that overruns, and the launch of no job";
  EXPECT_EQ(h.copies_in_use() + h.launches_in_use(), 0u);
}

TEST(Modes, ADroppedCommandThatOverlapsLeavesItsStreamAsItWas) {
  HostProgram p;
  job_with_budget(p, true);
  const StreamId s = p.stream();
  p.thread();
  const KernelId running = p.launch(s, 900);  // of no job, beside which the job's could begin
  const std::uint32_t job = p.job(400 * kPeriod);
  p.workload.launches[p.launch(s, 100)].overlaps = true;
  p.end_job();
  const KernelId behind = p.launch(s, 50);
  HostHarness h = host_with_modes(p);
  ASSERT_TRUE(h.run());
  EXPECT_THAT(numbers(h.dropped), ElementsAre(job));
  EXPECT_GE(h.submitted[behind], h.notified[running]);
}

}  // namespace
}  // namespace gputlm::test
