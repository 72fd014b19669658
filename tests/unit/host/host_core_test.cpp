#include "models/host/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {
namespace {

constexpr Femtoseconds kPeriod = 1000;
constexpr Cycle kHop = 20;

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

/// A host whose kernels run side by side, each for its time.
class HostHarness final {
 public:
  HostHarness(std::vector<Job> jobs, unsigned streams, unsigned in_flight)
      : HostHarness(std::move(jobs), {std::vector<ApplicationId>(streams, 0), {false}}, in_flight) {}
  HostHarness(std::vector<Job> jobs, const Applications& applications, unsigned in_flight)
      : jobs_(std::move(jobs)), workload_(make(jobs_, applications)), submitted(jobs_.size()), notified(jobs_.size()),
        released(jobs_.size()), core(workload_, Clock(kPeriod), in_flight, source_) {
    core.kernels_ended.watch([this](const KernelEnded& ended) { kernel_ended(ended.kernel, ended.notified); });
    core.completions().on_last = [this](Cycle at) { run_ends(at); };
  }

  bool run(const std::function<Cycle()>& window, Cycle limit = 100000) {
    for (Cycle now = 0; now < limit;) {
      const Cycle until = std::min(now + window(), run_end);  // as the platform stops its units
      if (until == now) return false;
      // An end is on its way as soon as it has happened.
      while (!running_.empty() && running_.begin()->first.first < until) {
        const Cycle at = std::max(running_.begin()->first.first + kHop, last_ + 1);
        last_ = at;
        core.completions().push(at, *running_.begin()->second);
        running_.erase(running_.begin());
      }
      for (; !credits_.empty() && *credits_.begin() < until; credits_.erase(credits_.begin()))
        core.launches().credit(*credits_.begin(), 1);
      core.advance(until);
      core.kernels_ended.flush();
      computed_until = until;
      core.completions().freed_slots().clear();
      for (const auto& departure : core.launches().departures()) {
        const Cycle end = departure.slot + kHop + jobs_[departure.item->command].duration;
        running_.emplace(std::make_pair(end, departure.item->identity.kernel), departure.item);
        credits_.insert(end + kHop);
      }
      core.launches().departures().clear();
      now = until;
      if (core.done()) return true;
    }
    return false;
  }
  bool run(Cycle limit = 100000) {
    return run([] { return kHop; }, limit);
  }
  std::size_t launches_in_use() const { return source_.in_use(); }

 private:
  static Workload make(const std::vector<Job>& jobs, const Applications& applications) {
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
  void kernel_ended(const KernelLaunch& kernel, Cycle now) {
    for (std::vector<Cycle>* times : {&released, &submitted, &notified}) {
      if (times->size() <= kernel.identity.kernel) times->resize(kernel.identity.kernel + 1, 0);
    }
    released[kernel.identity.kernel] = kernel.released;
    submitted[kernel.identity.kernel] = kernel.submitted;
    notified[kernel.identity.kernel] = now;
    order.push_back(kernel.identity.kernel);
    EXPECT_EQ(kernel.identity.stream, jobs_[kernel.command].stream);
    EXPECT_EQ(kernel.priority, static_cast<int>(kernel.identity.stream));
    EXPECT_EQ(kernel.sms, SmSet(kernel.identity.application + 1u));
    const Cycle duration = jobs_[kernel.command].duration;
    EXPECT_EQ(kernel.alone_cycles, duration % 2 == 0 ? std::optional(duration) : std::nullopt);
    EXPECT_EQ(kernel.iteration == 0, kernel.identity.kernel == kernel.command);
  }
  void run_ends(Cycle at) {
    EXPECT_EQ(run_end, kNever) << "told twice";
    EXPECT_GE(at - 1, computed_until + kHop) << "told too late";
    run_end = at;
  }

  std::vector<Job> jobs_;
  Workload workload_;
  PlainItems<KernelLaunch> source_;
  std::map<std::pair<Cycle, KernelId>, KernelLaunch*> running_;
  std::multiset<Cycle> credits_;
  Cycle last_ = 0;

 public:
  Cycle run_end = kNever;                  ///< of the run
  Cycle computed_until = 0;                ///< by the host
  std::vector<Cycle> submitted, notified;  ///< by kernel id
  std::vector<Cycle> released;
  std::vector<KernelId> order;  ///< of the ends
  HostCore core;
};

TEST(Host, LaunchesOfAStreamFollowEachOther) {
  HostHarness host({{0, 300}, {0, 10}, {0, 50}}, 1, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.released, testing::ElementsAre(0, 0, 0));  // due at once, but their stream was not free
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 340, 390));
  EXPECT_THAT(host.notified, testing::ElementsAre(340, 390, 480));
  EXPECT_EQ(host.launches_in_use(), 0u);
}

TEST(Host, StreamsDoNotWaitForEachOther) {
  HostHarness host({{0, 5000}, {0, 10}, {1, 10}, {1, 10}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 5040, 1, 51));
  EXPECT_THAT(host.order, testing::ElementsAre(2, 3, 0, 1));
}

TEST(Host, ReleaseTimesRoundUpToTheClock) {
  for (const Femtoseconds release : {0u, 1u, 999u, 1000u, 1001u, 700000u}) {
    HostHarness host({{0, 10, release}}, 1, 8);
    ASSERT_TRUE(host.run());
    EXPECT_EQ(host.submitted[0], (release + kPeriod - 1) / kPeriod);
  }
}

TEST(Host, ALateReleaseHoldsBackWhatIsBehindItInTheStream) {
  HostHarness host({{0, 10, 1000 * kPeriod}, {0, 10}, {1, 10}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(1000, 1050, 0));
}

TEST(Host, APhaseStartsWhenTheOneBeforeHasEndedAndReleaseTimesCountFromThere) {
  HostHarness host({{0, 10}, {1, 300}, {0, 10, 0, 1}, {1, 10, 500 * kPeriod, 1}, {1, 10, 0, 2}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.notified[1], 341u);
  EXPECT_EQ(host.submitted[2], 341u);
  EXPECT_EQ(host.submitted[3], 341u + 500);
  EXPECT_EQ(host.submitted[4], host.notified[3]);
}

TEST(Host, PhasesWithoutLaunchesTakeNoTime) {
  HostHarness host({{0, 10, 0, 2}, {0, 10, 5 * kPeriod, 5}}, 1, 8);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 55));
}

TEST(Host, KeepsNoMoreInFlightThanTheWorkDistributorTakes) {
  HostHarness host({{0}, {1}, {2}, {3}, {4}}, 5, 2);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 1, 140, 141, 280));
}

TEST(Host, ReportsWhichStreamsHaveNotEnded) {
  HostHarness host({{0, 1000000}, {0, 10}, {1, 10}}, 2, 8);
  EXPECT_FALSE(host.run(1000));
  EXPECT_THAT(host.core.waiting(), testing::ElementsAre("stream s0: 0 of 2 launches ended, waiting for k0"));
}

TEST(Host, TellsTheEndOfTheRunBeforeItIsThere) {
  HostHarness host({{0, 300}, {0, 10}, {1, 700}}, 2, 8);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.run_end, *std::max_element(host.notified.begin(), host.notified.end()) + 1);
}

TEST(Host, LaunchesAnApplicationAgainUntilAllHaveEndedOnce) {
  // An iteration of application 0 takes 140 cycles (a launch of 100, and a hop each way), application 1 takes 1000 + 40.
  HostHarness host({{0, 100}, {1, 1000}}, {{0, 1}, {true, true}}, 8);
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
  HostHarness host({{0, 100}, {0, 10}, {1, 10, 300 * kPeriod}, {2, 900}}, {{0, 0, 1}, {true, false}}, 8);
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
  HostHarness host({{0, 100}, {1, 100}, {1, 100}, {1, 100}}, {{0, 1}, {true, false}}, 1);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, testing::ElementsAre(0, 140, 280, 420));
}

TEST(Host, DoesNotLaunchAgainWhatEndsLast) {
  HostHarness host({{0, 1000}, {1, 100}}, {{0, 1}, {true, false}}, 8);
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
    HostHarness host(jobs, streams, 64);
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
    HostHarness widest(jobs, streams, in_flight);
    ASSERT_TRUE(widest.run()) << "seed " << seed;
    const std::vector<std::function<Cycle()>> windows = {[] { return Cycle{1}; }, [] { return Cycle{4}; },
                                                         [&random] { return Cycle{1 + random() % kHop}; }};
    for (const auto& window : windows) {
      HostHarness other(jobs, streams, in_flight);
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
    HostHarness widest(jobs, shape, in_flight);
    ASSERT_TRUE(widest.run()) << "seed " << seed;
    const std::vector<std::function<Cycle()>> windows = {[] { return Cycle{1}; }, [] { return Cycle{4}; },
                                                         [&random] { return Cycle{1 + random() % kHop}; }};
    for (const auto& window : windows) {
      HostHarness other(jobs, shape, in_flight);
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
