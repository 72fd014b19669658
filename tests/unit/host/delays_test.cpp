// Delays of commands: the time of driver and GPU from when nothing holds a command any more until its submission. A launch
// takes a hop to the GPU and its end a hop back.

#include <gmock/gmock.h>

#include "tests/unit/host/host_harness.h"
#include "tests/unit/host/host_program.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;

HostHarness host_with_delays(const HostProgram& p, unsigned in_flight = 64, const HostConfig& config = {}) {
  return {p.workload, p.durations, in_flight, config, p.copy_durations};
}

KernelId delayed_launch(HostProgram& p, StreamId stream, Femtoseconds delay, Cycle duration = 100) {
  const KernelId launch = p.launch(stream, duration);
  p.workload.launches[launch].delay = delay;
  return launch;
}

std::uint32_t delayed_copy(HostProgram& p, StreamId stream, Femtoseconds delay, bool blocking = false) {
  const std::uint32_t copy = p.copy(stream, 500, blocking);
  p.workload.copies[copy].delay = delay;
  return copy;
}

TEST(Delays, CountFromTheCallWhereTheStreamIsFreeAndFromTheEndOfTheCommandBeforeWhereItIsNot) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  const KernelId first = delayed_launch(p, s, 50 * kPeriod), next = delayed_launch(p, s, 70 * kPeriod);
  const std::uint32_t copy = delayed_copy(p, s, 90 * kPeriod);
  HostHarness host = host_with_delays(p, 64, {30});
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[first], 30u + 50);
  EXPECT_EQ(host.submitted[next], host.notified[first] + 70);
  EXPECT_EQ(host.copy_submitted[copy], host.notified[next] + 90);
}

TEST(Delays, RoundUpToTheClock) {
  for (const Femtoseconds delay : {1u, 999u, 1000u, 1001u}) {
    HostProgram p;
    p.thread();
    delayed_launch(p, p.stream(), delay);
    HostHarness host = host_with_delays(p);
    ASSERT_TRUE(host.run());
    EXPECT_THAT(host.submitted, ElementsAre((delay + kPeriod - 1) / kPeriod));
  }
}

TEST(Delays, HoldBackWhatIsBehindThemInTheirStreamAndNoOtherStreamNorTheThread) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  const std::uint32_t event = p.event();
  p.thread();
  delayed_launch(p, a, 1000 * kPeriod, 10);
  p.record(a, event);
  p.launch(a, 10);
  p.launch(b, 10);
  p.compute(20 * kPeriod);
  p.wait(b, event);
  p.launch(b, 10);
  HostHarness host = host_with_delays(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(1000, 1050, 0, 1051));
}

TEST(Delays, BeginWhenTheEventThatTheCommandWaitsForIsReached) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  const std::uint32_t event = p.event();
  p.thread();
  const KernelId awaited = p.launch(a, 300);
  p.record(a, event);
  p.wait(b, event);
  const KernelId waits = delayed_launch(p, b, 40 * kPeriod);
  HostHarness host = host_with_delays(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[waits], host.notified[awaited] + 40);
}

TEST(Delays, BeginWhenTheDefaultStreamLetsTheCommandGo) {
  HostProgram p;
  const StreamId s = p.stream(), null = p.stream(StreamKind::kDefault);
  p.thread();
  const KernelId before = p.launch(s, 300), barrier = delayed_launch(p, null, 40 * kPeriod);
  const KernelId after = delayed_launch(p, s, 60 * kPeriod);
  HostHarness host = host_with_delays(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted[barrier], host.notified[before] + 40);
  EXPECT_EQ(host.submitted[after], host.notified[barrier] + 60);
}

TEST(Delays, ThatEndTogetherLetTheMoreUrgentStreamGoFirst) {
  HostProgram p;
  const StreamId low = p.stream(), high = p.stream(StreamKind::kBlocking, 0, -1);
  p.thread();
  delayed_launch(p, low, 50 * kPeriod);
  delayed_launch(p, high, 50 * kPeriod);
  HostHarness host = host_with_delays(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(51, 50));
}

TEST(Delays, RunWhileTheGpuHasNoRoomForTheCommand) {
  HostProgram p;
  p.thread();
  p.launch(p.stream(), 300);
  delayed_launch(p, p.stream(), 200 * kPeriod);
  delayed_launch(p, p.stream(), 360 * kPeriod);
  HostHarness host = host_with_delays(p, 2);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 200, 360));  // there is room again at 340
}

TEST(Delays, ComeAgainWithEveryLaunchOfTheirApplication) {
  HostProgram p(2);
  p.workload.applications[0].relaunch = true;
  const StreamId s = p.stream(), other = p.stream(StreamKind::kBlocking, 1);
  p.thread();
  delayed_launch(p, s, 60 * kPeriod);
  p.thread(1);
  p.launch(other, 1000);
  HostHarness host = host_with_delays(p);
  ASSERT_TRUE(host.run());
  ASSERT_GE(host.submitted.size(), 4u);
  EXPECT_THAT(host.submitted, testing::Contains(260u));
  EXPECT_THAT(host.submitted, testing::Contains(460u));
}

TEST(Delays, AreSomethingThatTheHostHasToDoBesideACopy) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  p.thread();
  const std::uint32_t alone = delayed_copy(p, a, 100 * kPeriod, true);
  const std::uint32_t beside = delayed_copy(p, a, 100 * kPeriod);
  delayed_launch(p, b, 150 * kPeriod);
  HostHarness host = host_with_delays(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.undisturbed, ElementsAre(alone)) << beside;
}

TEST(Delays, AreNoPartOfTheReleaseOfAJobButOfItsResponse) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  p.job(200 * kPeriod);
  const KernelId launch = delayed_launch(p, s, 60 * kPeriod);
  HostHarness host = host_with_delays(p);
  ASSERT_TRUE(host.run());
  ASSERT_EQ(host.jobs.size(), 1u);
  EXPECT_EQ(host.jobs[0].released, 200u);
  EXPECT_EQ(host.submitted[launch], 260u);
  EXPECT_EQ(host.jobs[0].notified, 400u);
}

}  // namespace
}  // namespace gputlm::test
