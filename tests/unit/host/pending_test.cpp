// Messages about the next launches to a GPU whose contexts take turns. A launch and a message take a hop to the GPU, and the
// end of a launch a hop back.

#include <gmock/gmock.h>

#include "tests/unit/host/host_harness.h"
#include "tests/unit/host/host_program.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;
using Said = HostHarness::Said;

HostHarness taking_turns(const HostProgram& p, TurnTaking turns = {true, false}, const HostConfig& config = {}) {
  return {p.workload, p.durations, 64, config, p.copy_durations, std::nullopt, HostedGpus{1, {}, false, turns}};
}

/// Whether each launch said that another comes next, in the order in which they left.
std::vector<bool> said_by_launches(const HostProgram& p, TurnTaking turns = {true, false}) {
  HostHarness host = taking_turns(p, turns);
  EXPECT_TRUE(host.run());
  EXPECT_EQ(host.words, 0u);
  std::vector<bool> all;
  for (const Said& said : host.said) all.push_back(said.pending);
  return all;
}

TEST(PendingWork, IsSaidByEachLaunchThatHasAnotherBehindIt) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  for (unsigned i = 0; i < 3; ++i) p.launch(s);
  EXPECT_THAT(said_by_launches(p), ElementsAre(true, true, false));
  EXPECT_THAT(said_by_launches(p, {}), ElementsAre(false, false, false)) << "nobody takes turns";
}

TEST(PendingWork, TakesAWordWhereALaunchComesBehindAKernelThatRuns) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  p.launch(s, 100);
  p.compute(30 * kPeriod);
  p.launch(s, 100);
  HostHarness host = taking_turns(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.said, ElementsAre(Said{0, 0, false}, Said{30, 0, true}, Said{140, 0, false}));
  EXPECT_EQ(host.words, 1u);
}

TEST(PendingWork, EndsWhereTheHostComesTooLate) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  p.launch(s);
  p.synchronize(s);
  p.launch(s);
  EXPECT_THAT(said_by_launches(p), ElementsAre(false, false));
}

// NVIDIA, open-gpu-doc, dev_pbdma.ref of GV100, "Semaphore switch option".
TEST(PendingWork, IsNoLaunchBehindACopyUnlessWaitsAreWork) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  p.launch(s);
  p.copy(s);
  p.launch(s);
  EXPECT_THAT(said_by_launches(p), ElementsAre(false, false));
  HostHarness host = taking_turns(p, {true, true});
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.said, ElementsAre(Said{0, 0, true}, Said{280, 0, false}));
}

TEST(PendingWork, IsALaunchThatWaitsForAnEventBehindKernels) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream(), c = p.stream();
  const std::uint32_t first = p.event(), second = p.event();
  p.thread();
  p.launch(a);
  p.record(a, first);
  p.wait(b, first);
  p.record(b, second);
  p.wait(c, second);
  p.launch(c);
  EXPECT_THAT(said_by_launches(p), ElementsAre(true, false));
}

TEST(PendingWork, IsNoLaunchThatWaitsForAnEventBehindACopyOrOneThatIsNotRecordedYet) {
  HostProgram behind_copy;
  {
    const StreamId a = behind_copy.stream(), b = behind_copy.stream();
    const std::uint32_t event = behind_copy.event();
    behind_copy.thread();
    behind_copy.copy(a, 1000);
    behind_copy.record(a, event);
    behind_copy.launch(b);
    behind_copy.wait(b, event);
    behind_copy.launch(b);
  }
  EXPECT_THAT(said_by_launches(behind_copy), ElementsAre(false, false));
  HostProgram late;
  const StreamId a = late.stream(), b = late.stream();
  const std::uint32_t event = late.event();
  late.thread();
  late.launch(b);
  late.wait(b, event);
  late.launch(b);
  late.compute(50 * kPeriod);
  late.record(a, event);
  HostHarness host = taking_turns(late);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.said, ElementsAre(Said{0, 0, false}, Said{50, 0, true}, Said{140, 0, false}))
      << "the event is reached while the kernel runs";
}

TEST(PendingWork, IsALaunchThatTheDefaultStreamsOrderHoldsBehindKernels) {
  HostProgram p;
  const StreamId null = p.stream(StreamKind::kDefault), s = p.stream();
  p.thread();
  p.launch(s);
  p.launch(null);
  p.launch(s);
  EXPECT_THAT(said_by_launches(p), ElementsAre(true, true, false));
  HostProgram with_copy;
  const StreamId other_null = with_copy.stream(StreamKind::kDefault), other = with_copy.stream();
  with_copy.thread();
  with_copy.launch(other);
  with_copy.copy(other_null);
  with_copy.launch(other);
  EXPECT_THAT(said_by_launches(with_copy), ElementsAre(false, false));
}

TEST(PendingWork, LastsForTheDelayBehindAKernelAndDoesNotBeginWithThatOfAFirstLaunch) {
  HostProgram p;
  const StreamId s = p.stream(), t = p.stream();
  p.thread();
  p.workload.launches.reserve(3);
  for (const StreamId stream : {s, s, t}) {
    const KernelId launch = p.launch(stream);
    p.workload.launches[launch].delay = stream == t ? 1000 * kPeriod : 40 * kPeriod;
  }
  HostHarness host = taking_turns(p);
  ASSERT_TRUE(host.run());
  // The other stream's launch is its driver's for long after the chain has ended.
  EXPECT_THAT(host.said, ElementsAre(Said{40, 0, true}, Said{220, 0, false}, Said{1000, 0, false}));
}

TEST(PendingWork, OfApplicationsIsToldForEachAndTheSameForEveryWindow) {
  const auto said = [](Cycle window) {
    HostProgram p(2);
    const StreamId a = p.stream(), b = p.stream(StreamKind::kBlocking, 1), c = p.stream(StreamKind::kBlocking, 1);
    p.thread();
    for (unsigned i = 0; i < 6; ++i) {
      p.launch(a, 20 + 30 * i);
      p.compute(25 * kPeriod);
    }
    p.thread(1);
    for (unsigned i = 0; i < 6; ++i) {
      p.launch(i % 2 ? b : c, 110 - 10 * i);
      p.compute((10 + 7 * i) * kPeriod);
    }
    HostHarness host = taking_turns(p);
    EXPECT_TRUE(host.run([=] { return window; }));
    EXPECT_GE(host.words, 2u);
    bool last[2] = {true, true};
    for (const Said& one : host.said) last[one.application] = one.pending;
    EXPECT_FALSE(last[0] || last[1]);
    return host.said;
  };
  const std::vector<Said> longest = said(kHop);
  EXPECT_EQ(said(1), longest);
  EXPECT_EQ(said(7), longest);
}

}  // namespace
}  // namespace gputlm::test
