// The rules by which commands of streams go to the GPU (cuda-hierarchy, sections II-C and III-B; Amert et al., RTSS
// 2017). A launch takes a hop to the GPU and its end a hop back.

#include <gmock/gmock.h>

#include <random>

#include "tests/unit/host/host_harness.h"
#include "tests/unit/host/host_program.h"
#include "tlm/base/error.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

HostHarness run(const HostProgram& program, const HostConfig& config = {}) {
  return {program.workload, program.durations, 64, config};
}

TEST(Streams, AKernelOfTheDefaultStreamWaitsForWhatWasIssuedBeforeItAndHoldsBackWhatComesAfter) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream(), null = p.stream(StreamKind::kDefault);
  p.thread();
  const KernelId first = p.launch(a, 300), other = p.launch(b, 100), barrier = p.launch(null, 50);
  const KernelId after = p.launch(a), beside = p.launch(b);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[other], 1u);
  EXPECT_EQ(host.submitted[barrier], host.notified[first]);
  EXPECT_EQ(host.submitted[after], host.notified[barrier]);
  EXPECT_EQ(host.submitted[beside], host.notified[barrier] + 1);
}

TEST(Streams, TheDefaultStreamDoesNotWaitForWhatIsIssuedAfterIt) {
  HostProgram p;
  const StreamId a = p.stream(), null = p.stream(StreamKind::kDefault);
  p.thread();
  p.launch(null, 200);
  p.launch(a, 300);
  p.launch(null, 100);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 240, 580));
}

TEST(Streams, NonBlockingStreamsAndThoseOfOtherApplicationsTakeNoPartInTheOrderOfTheDefaultStream) {
  HostProgram p(2);
  const StreamId aside = p.stream(StreamKind::kNonBlocking), null = p.stream(StreamKind::kDefault);
  const StreamId late = p.stream(StreamKind::kNonBlocking), last = p.stream(StreamKind::kNonBlocking);
  const StreamId blocking = p.stream(), other = p.stream(StreamKind::kBlocking, 1);
  p.thread();
  p.launch(aside, 500);
  p.launch(null, 500);
  p.launch(late, 100);
  p.launch(blocking, 500);
  p.launch(last, 100);
  p.thread(1);
  p.launch(other, 100);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 1, 2, 541, 3, 4));  // who takes no part goes at once, one a cycle
}

TEST(Streams, EventsOfTheDefaultStreamKeepItsOrderToo) {
  HostProgram p;
  const StreamId a = p.stream(), null = p.stream(StreamKind::kDefault);
  const StreamId aside = p.stream(StreamKind::kNonBlocking);
  const std::uint32_t event = p.event();
  p.thread();
  p.launch(a, 300);
  p.record(null, event);
  p.wait(aside, event);
  const KernelId waits = p.launch(aside);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[waits], 340u);
}

TEST(Streams, AWaitHoldsBackItsStreamUntilAllBeforeTheRecordHasEnded) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  const std::uint32_t event = p.event();
  p.thread();
  p.launch(b, 10);
  p.wait(b, event);
  const KernelId behind = p.launch(b);
  p.launch(a, 100);
  const KernelId last = p.launch(a, 200);
  p.record(a, event);
  const KernelId after = p.launch(a, 1000);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(std::min(host.submitted[behind], host.submitted[after]), host.notified[last]);
  EXPECT_EQ(std::max(host.submitted[behind], host.submitted[after]), host.notified[last] + 1);
}

TEST(Streams, AnEventThatIsReachedHoldsNobody) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  const std::uint32_t event = p.event();
  p.thread();
  p.record(a, event);
  p.wait(b, event);
  p.launch(b);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0));
}

TEST(Streams, EventsAreToBeReachedAnewWhenTheApplicationIsLaunchedAgain) {
  HostProgram p(2);
  p.workload.applications[0].relaunch = true;
  const StreamId a = p.stream(), b = p.stream(), other = p.stream(StreamKind::kBlocking, 1);
  const std::uint32_t event = p.event();
  p.thread();
  p.launch(a, 100);
  p.record(a, event);
  p.wait(b, event);
  p.launch(b, 10);
  p.thread(1);
  p.launch(other, 1000);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  ASSERT_GE(host.submitted.size(), 5u);
  EXPECT_EQ(host.submitted[3], host.notified[1]);  // the second time: a's launch,
  EXPECT_EQ(host.submitted[4], host.notified[3]);  // and b's behind it
}

TEST(Threads, AHostFunctionDelaysWhatItsThreadCallsNextAndNothingElse) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  p.thread();
  p.launch(a, 10);
  p.compute(499 * kPeriod + 1);
  p.launch(a, 10);
  p.thread();
  p.launch(b, 10);
  p.launch(b, 10);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 500, 1, 51));
}

TEST(Threads, EachCallTakesItsTimeOfItsThread) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream(), c = p.stream();
  p.thread();
  p.launch(a, 1000);
  p.record(a, p.event());
  p.launch(b, 1000);
  p.thread();
  p.launch(c, 1000);
  HostHarness host = run(p, {30});
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(30, 90, 31));
}

TEST(Threads, CallsOfAThreadThatIsAheadOverlapWithWhatRuns) {
  HostProgram p;
  const StreamId a = p.stream();
  p.thread();
  for (int i = 0; i < 3; ++i) p.launch(a, 100);
  HostHarness host = run(p, {30});
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(30, 170, 310));
}

TEST(Threads, SynchronizingAStreamWaitsForWhatWasIssuedToItAndForNoOtherStream) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream(), c = p.stream();
  p.thread();
  p.launch(a, 100);
  const KernelId last = p.launch(a, 100);
  p.launch(b, 5000);
  p.synchronize(a);
  const KernelId after = p.launch(c);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[after], host.notified[last]);
}

TEST(Threads, SynchronizingADeviceWaitsForAllStreamsOfTheApplicationAndForNoOther) {
  HostProgram p(2);
  const StreamId a = p.stream(), b = p.stream(StreamKind::kNonBlocking), c = p.stream();
  const StreamId other = p.stream(StreamKind::kBlocking, 1);
  p.thread();
  p.launch(a, 100);
  const KernelId longest = p.launch(b, 500);
  p.synchronize();
  const KernelId after = p.launch(c);
  p.thread(1);
  p.launch(other, 5000);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[after], host.notified[longest]);
}

TEST(Threads, ASynchronizationDoesNotWaitForWhatOtherThreadsIssueLater) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  p.thread();
  p.launch(a, 100);
  p.synchronize();
  const KernelId after = p.launch(b, 10);
  p.thread();
  p.compute(50 * kPeriod);
  p.launch(a, 5000);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[after], 140u + 1);  // the other thread's launch goes in the cycle before
}

TEST(Threads, AnApplicationIsLaunchedAgainWhenItsThreadsAreThrough) {
  HostProgram p(2);
  p.workload.applications[0].relaunch = true;
  const StreamId a = p.stream(), b = p.stream(StreamKind::kBlocking, 1);
  p.thread();
  p.launch(a, 100);
  p.compute(300 * kPeriod);
  p.thread(1);
  p.launch(b, 1000);
  HostHarness host = run(p);
  ASSERT_TRUE(host.run());
  ASSERT_GE(host.submitted.size(), 4u);
  EXPECT_EQ(host.submitted[2], 300u);
  EXPECT_EQ(host.submitted[3], 600u);
}

TEST(Host, WhereRoomIsScarceMoreUrgentStreamsGoFirst) {
  HostProgram p;
  const StreamId low = p.stream(), high = p.stream(StreamKind::kBlocking, 0, -1);
  p.thread();
  p.launch(low, 100);
  p.launch(low, 100);
  p.launch(high, 100);
  p.launch(high, 100);
  HostHarness host(p.workload, p.durations, 1);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.order, ElementsAre(2, 3, 0, 1));
}

TEST(Host, AnApplicationWithAsManyKernelsInFlightAsItMayHaveHoldsBackNoOther) {
  HostProgram p(2);
  for (const ApplicationId a : {0, 0, 0, 1}) {
    const StreamId stream = p.stream(StreamKind::kBlocking, a);
    p.thread(a);
    p.launch(stream, 100);
  }
  HostHarness host(p.workload, p.durations, 16, {}, {}, 2);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 1, 140, 2));
}

TEST(Host, ReportsWhoWaitsForWhat) {
  HostProgram p;
  const StreamId a = p.stream(), null = p.stream(StreamKind::kDefault);
  const std::uint32_t event = p.event();
  p.thread();
  p.wait(a, event);
  p.record(null, event);
  p.synchronize(a);
  p.launch(a);
  HostHarness host = run(p);
  EXPECT_FALSE(host.run(1000));
  EXPECT_THAT(host.core.waiting(),
              ElementsAre("stream s0: 0 of 1 launches ended, waiting for event e0",
                          "stream s1: 0 of 0 launches ended, waiting for stream s0 (default stream)",
                          "thread t0: waiting for stream s0 in line 3"));
}

std::string refusal(const HostProgram& program) {
  try {
    check_waits(program.workload);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Waits, AnEventThatNobodyRecordsIsRefused) {
  HostProgram p;
  const StreamId a = p.stream();
  p.thread();
  p.launch(a);
  p.wait(a, p.event());
  EXPECT_EQ(refusal(p),
            "host.yaml:2: found a wait for event 'e0', which no call records; allowed: an event that a call of the "
            "application records");
}

TEST(Waits, ACircleOfStreamsIsRefused) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  const std::uint32_t first = p.event(), second = p.event();
  p.thread();
  p.wait(a, second);
  p.record(a, first);
  p.thread();
  p.wait(b, first);
  p.record(b, second);
  EXPECT_THAT(refusal(p), HasSubstr("found waits that wait for each other (event 'e1' in line 1, event 'e0' in line "
                                    "1)"));
}

TEST(Waits, ARecordBehindACopyThatHoldsItsThreadAndWaitsForItIsRefused) {
  for (const bool pageable : {false, true}) {
    HostProgram p;
    const StreamId a = p.stream(), b = p.stream();
    const std::uint32_t event = p.event();
    p.thread();
    p.wait(a, event);
    p.copy(a, 100, !pageable, pageable);
    p.record(b, event);
    EXPECT_THAT(refusal(p), HasSubstr("wait for each other (event 'e0' in line 1)"));
  }
}

TEST(Waits, ARecordBehindASynchronizationThatWaitsForItIsRefused) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  const std::uint32_t event = p.event();
  p.thread();
  p.wait(a, event);
  p.synchronize();
  p.record(b, event);
  EXPECT_THAT(refusal(p), HasSubstr("event 'e0' in line 1"));
}

TEST(Waits, ARecordInTheDefaultStreamBehindTheWaitIsRefused) {
  HostProgram p;
  const StreamId a = p.stream(), null = p.stream(StreamKind::kDefault);
  const std::uint32_t event = p.event();
  p.thread();
  p.wait(a, event);
  p.record(null, event);
  EXPECT_THAT(refusal(p), HasSubstr("event 'e0' in line 1"));
}

TEST(Waits, ARecordInALaterPhaseIsRefused) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream(), c = p.stream();
  const std::uint32_t event = p.event();
  p.thread();
  p.wait(a, event);
  p.launch(a);
  p.thread();
  p.workload.launches[p.launch(b)].phase = 1;
  p.record(c, event);  // the thread comes to it when the phase has begun
  EXPECT_THAT(refusal(p), HasSubstr("event 'e0' in line 1"));
}

TEST(Waits, AWaitForALaterRecordInAnotherStreamIsAllowed) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  const std::uint32_t event = p.event();
  p.thread();
  p.wait(a, event);
  p.launch(a);
  p.record(b, event);
  p.synchronize();
  EXPECT_EQ(refusal(p), "");
}

/// Threads that feed streams of all kinds with launches, with and without delays, and events; a wait is always for an event that was recorded
/// before it in the program, so there is no circle.
HostProgram random_program(std::mt19937_64& random) {
  HostProgram p(static_cast<unsigned>(1 + random() % 2));
  const std::size_t applications = p.workload.applications.size();
  std::vector<std::vector<StreamId>> streams(applications);
  std::vector<std::vector<std::uint32_t>> recorded(applications);
  for (ApplicationId a = 0; a < applications; ++a) {
    if (random() % 2) streams[a].push_back(p.stream(StreamKind::kDefault, a));
    for (std::uint64_t more = 1 + random() % 3; more > 0; --more) {
      const StreamKind kind = random() % 3 ? StreamKind::kBlocking : StreamKind::kNonBlocking;
      streams[a].push_back(p.stream(kind, a, -static_cast<int>(random() % 2)));
    }
    p.thread(a);
    p.launch(streams[a][0]);
    for (std::uint64_t calls = random() % 30; calls > 0; --calls) {
      const StreamId stream = streams[a][random() % streams[a].size()];
      switch (random() % 10) {
        case 0:
          recorded[a].push_back(p.event(a));
          p.record(stream, recorded[a].back());
          break;
        case 1:
          if (!recorded[a].empty()) p.wait(stream, recorded[a][random() % recorded[a].size()]);
          break;
        case 2: p.compute(random() % 200000); break;
        case 3: p.synchronize(stream); break;
        case 4: p.synchronize(); break;
        default: {
          const KernelId launch = p.launch(stream, 1 + random() % 300);
          if (random() % 3 == 0) p.workload.launches[launch].delay = random() % 50000;
        }
      }
    }
  }
  return p;
}

TEST(Host, RunsEveryLaunchOfARandomProgramOnceInTheOrderOfItsStreamAndOfTheDefaultStream) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const HostProgram p = random_program(random);
    HostHarness host = run(p, {static_cast<unsigned>(random() % 2 * 7)});
    ASSERT_TRUE(host.run()) << "seed " << seed;
    ASSERT_EQ(host.order.size(), p.durations.size()) << "seed " << seed;
    for (const ThreadSpec& thread : p.workload.threads) {
      for (std::size_t i = 0; i < thread.calls.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const HostCall &later = thread.calls[i], &earlier = thread.calls[j];
          if (later.kind != HostCall::Kind::kLaunch || earlier.kind != HostCall::Kind::kLaunch) continue;
          const StreamKind a = p.workload.streams[earlier.stream].kind, b = p.workload.streams[later.stream].kind;
          const bool null = a == StreamKind::kDefault || b == StreamKind::kDefault;
          const bool aside = a == StreamKind::kNonBlocking || b == StreamKind::kNonBlocking;
          if (later.stream != earlier.stream && (!null || aside)) continue;
          const Cycle delay = Clock(kPeriod).at_or_after(p.workload.launches[later.what].delay);
          ASSERT_GE(host.submitted[later.what], host.notified[earlier.what] + delay)
              << "seed " << seed << ", launches " << earlier.what << " and " << later.what;
        }
      }
    }
  }
}

TEST(Host, RunsARandomProgramAlikeForEveryWindow) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const HostProgram p = random_program(random);
    const HostConfig config{static_cast<unsigned>(random() % 2 * 7)};
    HostHarness widest(p.workload, p.durations, 3, config);
    ASSERT_TRUE(widest.run()) << "seed " << seed;
    const std::vector<std::function<Cycle()>> windows = {[] { return Cycle{1}; }, [] { return Cycle{4}; },
                                                         [&random] { return Cycle{1 + random() % kHop}; }};
    for (const auto& window : windows) {
      HostHarness other(p.workload, p.durations, 3, config);
      ASSERT_TRUE(other.run(window)) << "seed " << seed;
      ASSERT_EQ(other.submitted, widest.submitted) << "seed " << seed;
      ASSERT_EQ(other.notified, widest.notified) << "seed " << seed;
      ASSERT_EQ(other.run_end, widest.run_end) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gputlm::test
