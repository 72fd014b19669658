#include "tests/unit/host/host_harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace gputlm::test {
namespace {

/// A launch and how long the GPU works on it, from its arrival there.
struct Job {
  StreamId stream = 0;
  Cycle duration = 100;
  Femtoseconds release = 0;
  unsigned phase = 0;
};

/// Streams in order of their applications, and which of these are launched again and again.
struct Applications {
  std::vector<ApplicationId> of_stream;
  std::vector<bool> relaunch;
};

Workload workload_of(const std::vector<Job>& jobs, const Applications& applications) {
  Workload workload;
  for (const bool relaunch : applications.relaunch) {
    const std::size_t a = workload.applications.size();
    workload.applications.push_back({"a" + std::to_string(a)});
    workload.applications.back().relaunch = relaunch;
    workload.applications.back().sms = SmSet(a + 1);
  }
  for (const ApplicationId application : applications.of_stream) {
    const std::size_t s = workload.streams.size();
    workload.streams.push_back({"s" + std::to_string(s), application, static_cast<int>(s)});
  }
  for (const Job& job : jobs) {
    LaunchCommand& launch = workload.launches.emplace_back();
    launch.label = "k" + std::to_string(workload.launches.size() - 1);
    launch.stream = job.stream;
    launch.release = job.release;
    launch.phase = job.phase;
    if (job.duration % 2 == 0) launch.alone_cycles = job.duration;
  }
  return workload;
}

std::vector<Cycle> durations_of(const std::vector<Job>& jobs) {
  std::vector<Cycle> durations;
  durations.reserve(jobs.size());
  for (const Job& job : jobs) durations.push_back(job.duration);
  return durations;
}

HostHarness make_host(const std::vector<Job>& jobs, const Applications& applications, unsigned in_flight) {
  return {workload_of(jobs, applications), durations_of(jobs), in_flight};
}
HostHarness make_host(const std::vector<Job>& jobs, unsigned streams, unsigned in_flight) {
  return make_host(jobs, {std::vector<ApplicationId>(streams, 0), {false}}, in_flight);
}

TEST(Host, LaunchesOfAStreamFollowEachOther) {
  HostHarness host = make_host({{0, 300}, {0, 10}, {0, 50}}, 1, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.released, testing::ElementsAre(0, 0, 0));  // due at once, but their stream was not free
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 340, 390));
  EXPECT_THAT(host.notified, testing::ElementsAre(340, 390, 480));
  EXPECT_EQ(host.launches_in_use(), 0u);
}

TEST(Host, StreamsDoNotWaitForEachOther) {
  HostHarness host = make_host({{0, 5000}, {0, 10}, {1, 10}, {1, 10}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 5040, 1, 51));
  EXPECT_THAT(host.order, testing::ElementsAre(2, 3, 0, 1));
}

TEST(Host, ReleaseTimesRoundUpToTheClock) {
  for (const Femtoseconds release : {0u, 1u, 999u, 1000u, 1001u, 700000u}) {
    HostHarness host = make_host({{0, 10, release}}, 1, 8);
    ASSERT_TRUE(host.run());
    EXPECT_EQ(host.submitted[0], (release + kPeriod - 1) / kPeriod);
  }
}

TEST(Host, ALateReleaseHoldsBackWhatIsBehindItInTheStream) {
  HostHarness host = make_host({{0, 10, 1000 * kPeriod}, {0, 10}, {1, 10}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(1000, 1050, 0));
}

TEST(Host, APhaseStartsWhenTheOneBeforeHasEndedAndReleaseTimesCountFromThere) {
  HostHarness host = make_host({{0, 10}, {1, 300}, {0, 10, 0, 1}, {1, 10, 500 * kPeriod, 1}, {1, 10, 0, 2}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.notified[1], 341u);
  EXPECT_EQ(host.submitted[2], 341u);
  EXPECT_EQ(host.submitted[3], 341u + 500);
  EXPECT_EQ(host.submitted[4], host.notified[3]);
}

TEST(Host, PhasesWithoutLaunchesTakeNoTime) {
  HostHarness host = make_host({{0, 10, 0, 2}, {0, 10, 5 * kPeriod, 5}}, 1, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 55));
}

TEST(Host, KeepsNoMoreInFlightThanTheWorkDistributorTakes) {
  HostHarness host = make_host({{0}, {1}, {2}, {3}, {4}}, 5, 2);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 1, 140, 141, 280));
}

TEST(Host, ReportsWhichStreamsHaveNotEnded) {
  HostHarness host = make_host({{0, 1000000}, {0, 10}, {1, 10}}, 2, 8);
  EXPECT_FALSE(host.run(1000));
  EXPECT_THAT(host.core.waiting(), testing::ElementsAre("stream s0: 0 of 2 launches ended, waiting for k0"));
}

TEST(Host, TellsTheEndOfTheRunBeforeItIsThere) {
  HostHarness host = make_host({{0, 300}, {0, 10}, {1, 700}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.run_end, *std::max_element(host.notified.begin(), host.notified.end()) + 1);
}

TEST(Host, LaunchesAnApplicationAgainUntilAllHaveEndedOnce) {
  // An iteration of application 0 takes 140 cycles (a launch of 100, and a hop each way), application 1 takes 1000 + 40.
  HostHarness host = make_host({{0, 100}, {1, 1000}}, {{0, 1}, {true, true}}, 8);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.run_end, 1 + 1000 + 40 + 1);
  const std::vector<const KernelLaunch*> running = host.core.running();
  ASSERT_EQ(running.size(), 1u);
  EXPECT_EQ(running[0]->iteration, 7u);  // 7 * 140 = 980
  EXPECT_EQ(running[0]->submitted, 980u);
  EXPECT_EQ(running[0]->identity.kernel, 2 + 6u);
  EXPECT_EQ(host.notified.size(), 2 + 6u);
  for (std::size_t i = 2; i < host.notified.size(); ++i) EXPECT_EQ(host.submitted[i], (i - 1) * 140);
}

TEST(Host, WaitsForAllStreamsOfAnApplicationBeforeItLaunchesThemAgainAndReleaseTimesCountFromThere) {
  HostHarness host = make_host({{0, 100}, {0, 10}, {1, 10, 300 * kPeriod}, {2, 900}}, {{0, 0, 1}, {true, false}}, 8);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.notified[1], 190u);
  EXPECT_EQ(host.notified[2], 350u);
  ASSERT_GE(host.submitted.size(), 7u);
  EXPECT_EQ(host.submitted[4], 350u);
  EXPECT_EQ(host.submitted[5], 350u + 140);
  EXPECT_EQ(host.released[6], 350u + 300);
  EXPECT_EQ(host.submitted[6], 350u + 300);
  EXPECT_EQ(host.run_end, 1 + 940 + 1);
}

TEST(Host, LaunchesAgainKeepNobodyOutWhereRoomIsScarce) {
  HostHarness host = make_host({{0, 100}, {1, 100}, {1, 100}, {1, 100}}, {{0, 1}, {true, false}}, 1);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 140, 280, 420));
}

TEST(Host, DoesNotLaunchAgainWhatEndsLast) {
  HostHarness host = make_host({{0, 1000}, {1, 100}}, {{0, 1}, {true, false}}, 8);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.notified.size(), 2u);
  EXPECT_TRUE(host.core.running().empty());
}

std::vector<Job> random_jobs(std::mt19937_64& random, unsigned streams) {
  std::vector<Job> jobs(1 + random() % 40);
  for (Job& job : jobs)
    job = {static_cast<StreamId>(random() % streams), 1 + random() % 200, random() % 2 ? 0 : random() % 400000,
           static_cast<unsigned>(random() % 4)};
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.phase < b.phase; });
  return jobs;
}

TEST(Host, SubmitsEachLaunchAsSoonAsItMay) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const auto streams = static_cast<unsigned>(1 + random() % 6);
    const auto jobs = random_jobs(random, streams);
    HostHarness host = make_host(jobs, streams, 64);
    ASSERT_TRUE(host.run()) << "seed " << seed;
    std::vector<Cycle> may(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      Cycle phase_start = 0;
      for (std::size_t j = 0; j < i; ++j) {
        if (jobs[j].phase < jobs[i].phase) phase_start = std::max(phase_start, host.notified[j]);
        if (jobs[j].stream == jobs[i].stream) may[i] = std::max(may[i], host.notified[j]);
      }
      may[i] = std::max(may[i], phase_start + (jobs[i].release + kPeriod - 1) / kPeriod);
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      // One launch a cycle: a later one has had its cycles taken by others.
      ASSERT_GE(host.submitted[i], may[i]) << "seed " << seed << ", launch " << i;
      for (Cycle c = may[i]; c < host.submitted[i]; ++c)
        ASSERT_NE(std::find(host.submitted.begin(), host.submitted.end(), c), host.submitted.end())
            << "seed " << seed << ", launch " << i << " could have gone in cycle " << c;
    }
  }
}

TEST(Host, DoesTheSameForEveryWindow) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto streams = static_cast<unsigned>(1 + random() % 6);
    const auto jobs = random_jobs(random, streams);
    const auto in_flight = static_cast<unsigned>(1 + random() % 6);
    HostHarness widest = make_host(jobs, streams, in_flight);
    ASSERT_TRUE(widest.run()) << "seed " << seed;
    const std::vector<std::function<Cycle()>> windows = {[] { return Cycle{1}; }, [] { return Cycle{4}; },
                                                         [&random] { return Cycle{1 + random() % kHop}; }};
    for (const auto& window : windows) {
      HostHarness other = make_host(jobs, streams, in_flight);
      ASSERT_TRUE(other.run(window)) << "seed " << seed;
      ASSERT_EQ(other.submitted, widest.submitted) << "seed " << seed;
      ASSERT_EQ(other.notified, widest.notified) << "seed " << seed;
      ASSERT_EQ(other.order, widest.order) << "seed " << seed;
      ASSERT_EQ(other.run_end, widest.run_end) << "seed " << seed;
    }
  }
}

TEST(Host, LaunchesAgainAlikeForEveryWindow) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto applications = static_cast<unsigned>(2 + random() % 3);
    Applications shape;
    for (unsigned s = 0, streams = applications + static_cast<unsigned>(random() % 3); s < streams; ++s)
      shape.of_stream.push_back(static_cast<ApplicationId>(s % applications));
    for (unsigned a = 0; a < applications; ++a) shape.relaunch.push_back(random() % 3 > 0);
    auto jobs = random_jobs(random, static_cast<unsigned>(shape.of_stream.size()));
    for (Job& job : jobs) job.phase = 0;
    const auto in_flight = static_cast<unsigned>(1 + random() % 6);
    HostHarness widest = make_host(jobs, shape, in_flight);
    ASSERT_TRUE(widest.run()) << "seed " << seed;
    const std::vector<std::function<Cycle()>> windows = {[] { return Cycle{1}; }, [] { return Cycle{4}; },
                                                         [&random] { return Cycle{1 + random() % kHop}; }};
    for (const auto& window : windows) {
      HostHarness other = make_host(jobs, shape, in_flight);
      ASSERT_TRUE(other.run(window)) << "seed " << seed;
      ASSERT_EQ(other.run_end, widest.run_end) << "seed " << seed;
      ASSERT_EQ(other.submitted, widest.submitted) << "seed " << seed;
      ASSERT_EQ(other.order, widest.order) << "seed " << seed;
      ASSERT_EQ(other.core.running().size(), widest.core.running().size()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gputlm::test
