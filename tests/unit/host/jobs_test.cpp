#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/host/arrivals.h"
#include "tests/unit/host/host_harness.h"
#include "tests/unit/host/host_program.h"

namespace gputlm::test {
namespace {

using ::testing::ElementsAre;

HostHarness host_of_jobs(const HostProgram& p, unsigned in_flight = 8) {
  return HostHarness(p.workload, p.durations, in_flight, {}, p.copy_durations);
}

TEST(Arrivals, ArePeriodsApart) {
  EXPECT_THAT(release_times({4, 5, 10}), ElementsAre(5, 15, 25, 35));
  EXPECT_THAT(release_times({3, 7}), ElementsAre(7, 7, 7));
}

TEST(Arrivals, WithJitterAreLaterByUpToIt) {
  constexpr Femtoseconds kPeriodic = 1000, kJitter = 300;
  Femtoseconds least = kNever, most = 0;
  const auto times = release_times({2000, 0, kPeriodic, 0, kJitter, 1});
  for (std::size_t i = 0; i < times.size(); ++i) {
    ASSERT_GE(times[i], i * kPeriodic);
    least = std::min(least, times[i] - i * kPeriodic);
    most = std::max(most, times[i] - i * kPeriodic);
  }
  EXPECT_LT(least, 3u);
  EXPECT_GT(most, kJitter - 3);
  EXPECT_LE(most, kJitter);
}

TEST(Arrivals, WithMoreJitterThanAPeriodKeepTheirOrder) {
  const auto times = release_times({2000, 0, 10, 0, 1000, 1});
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

TEST(Arrivals, ThatAreSporadicHaveTheirLeastGapAndTheirMeanGap) {
  constexpr Femtoseconds kMin = 1000, kMean = 500;
  constexpr std::size_t kJobs = 100000;
  const auto times = release_times({kJobs, 0, kMin, kMean, 0, 7});
  std::size_t beyond_mean = 0;
  for (std::size_t i = 1; i < kJobs; ++i) {
    ASSERT_GE(times[i] - times[i - 1], kMin);
    beyond_mean += times[i] - times[i - 1] > kMin + kMean;
  }
  const double mean = static_cast<double>(times.back()) / (kJobs - 1);
  EXPECT_NEAR(mean, kMin + kMean, 5);                                    // three standard errors
  EXPECT_NEAR(static_cast<double>(beyond_mean) / kJobs, 0.3679, 0.005);  // e^-1: exponential
}

TEST(Arrivals, DependOnTheSeedAndTheJobOnly) {
  const auto few = release_times({10, 0, 100, 50, 20, 3}), many = release_times({20, 0, 100, 50, 20, 3});
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(few, release_times({10, 0, 100, 50, 20, 4}));
}

TEST(Jobs, EndWithTheLastOfTheirCommandsAndRespondFromTheirRelease) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  p.thread();
  const std::uint32_t job = p.job(50 * kPeriod);
  p.copy(a, 100);
  const KernelId longest = p.launch(b, 700);
  p.launch(a, 10);
  p.end_job();
  p.launch(a, 5000);  // none of it
  HostHarness host = host_of_jobs(p);
  ASSERT_TRUE(host.run());
  ASSERT_EQ(host.jobs.size(), 1u);
  EXPECT_EQ(host.jobs[0].job, job);
  EXPECT_EQ(host.jobs[0].released, 50u);
  EXPECT_EQ(host.jobs[0].notified, host.notified[longest]);
  EXPECT_EQ(host.copy_submitted[0], 50u);
}

TEST(Jobs, AreReleasedAlthoughTheOneBeforeHasNotEnded) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  for (const Femtoseconds release : {0, 100, 200}) {
    p.job(release * kPeriod);
    p.launch(s, 500);
  }
  HostHarness host = host_of_jobs(p);
  ASSERT_TRUE(host.run());
  ASSERT_EQ(host.jobs.size(), 3u);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(host.jobs[j].released, 100 * j);
    EXPECT_EQ(host.jobs[j].notified, host.notified[j]);
  }
}

TEST(Jobs, KeepTheirReleaseWhenTheirThreadComesLate) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  p.compute(300 * kPeriod);
  p.job(100 * kPeriod);
  p.compute(50 * kPeriod);  // after the release: a part of the job
  p.launch(s, 10);
  HostHarness host = host_of_jobs(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.jobs.at(0).released, 100u);
  EXPECT_EQ(host.submitted[0], 350u);
}

TEST(Jobs, OfALaunchAreReleasedWithIt) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  p.launch(s, 10);
  p.workload.tasks.push_back({"t"});
  p.workload.jobs.push_back({0, 0, 40 * kPeriod});
  p.workload.launches[0].job = 0;
  p.workload.launches[0].release = 40 * kPeriod;
  HostHarness host = host_of_jobs(p);
  ASSERT_TRUE(host.run());
  ASSERT_EQ(host.jobs.size(), 1u);
  EXPECT_EQ(host.jobs[0].released, 40u);
  EXPECT_EQ(host.jobs[0].notified, host.notified[0]);
}

TEST(Jobs, AreReleasedAnewWhenTheirApplicationIsLaunchedAgain) {
  HostProgram p(2);
  p.workload.applications[0].relaunch = true;
  const StreamId a = p.stream(), b = p.stream(StreamKind::kBlocking, 1);
  p.thread();
  p.job(30 * kPeriod);
  p.copy(a, 100);
  p.launch(a, 50);
  p.end_job();
  p.thread(1);
  p.launch(b, 1000);
  HostHarness host = host_of_jobs(p);
  ASSERT_TRUE(host.run());
  ASSERT_GT(host.jobs.size(), 2u);
  for (std::uint32_t i = 0; i < host.jobs.size(); ++i) {
    EXPECT_EQ(host.jobs[i].iteration, i);
    EXPECT_EQ(host.jobs[i].released, (i ? host.jobs[i - 1].notified : 0) + 30);
  }
}

}  // namespace
}  // namespace gputlm::test
