// Copies in streams: how the host orders them and whom they block (cuda-hierarchy, section II-C). Tests of the engines
// cover which copy an engine takes.

#include <gmock/gmock.h>

#include "tests/unit/host/host_harness.h"
#include "tests/unit/host/host_program.h"

namespace gputlm::test {
namespace {

HostHarness host_of(const HostProgram& p) { return {p.workload, p.durations, 64, {}, p.copy_durations}; }

TEST(Copies, ACopyEntersItsQueueAtTheHeadOfItsStreamAndLeavesTheStreamWhenItIsDone) {
  HostProgram p;
  const StreamId s = p.stream();
  p.thread();
  const KernelId before = p.launch(s, 300);
  const std::uint32_t copy = p.copy(s, 500);
  const KernelId after = p.launch(s, 10);
  HostHarness host = host_of(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.copy_submitted[copy], host.notified[before]);
  EXPECT_EQ(host.submitted[after], host.copy_notified[copy]);
  EXPECT_EQ(host.copies_in_use(), 0u);
}

TEST(Copies, PinnedCopiesOverlapWithKernelsOfOtherStreams) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  p.thread();
  const std::uint32_t copy = p.copy(a, 500);
  const KernelId kernel = p.launch(b, 500);
  HostHarness host = host_of(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.copy_submitted[copy], 0u);
  EXPECT_EQ(host.submitted[kernel], 0u);
}

TEST(Copies, PageableAndBlockingCopiesHoldTheirThreadUntilTheyAreDoneAndNoOther) {
  for (const bool pageable : {false, true}) {
    HostProgram p;
    const StreamId a = p.stream(), b = p.stream(), c = p.stream();
    p.thread();
    const std::uint32_t copy = p.copy(a, 500, !pageable, pageable);
    const KernelId next = p.launch(b, 500);
    p.thread();
    const KernelId other = p.launch(c, 500);
    HostHarness host = host_of(p);
    ASSERT_TRUE(host.run());
    EXPECT_EQ(host.submitted[next], host.copy_notified[copy]);
    EXPECT_EQ(host.submitted[other], 0u);
  }
}

TEST(Copies, TheDefaultStreamWaitsForCopiesOfOthersAndTheyForIt) {
  HostProgram p;
  const StreamId s = p.stream(), null = p.stream(StreamKind::kDefault);
  p.thread();
  const std::uint32_t first = p.copy(s, 500), barrier = p.copy(null, 100);
  const KernelId after = p.launch(s, 10);
  HostHarness host = host_of(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.copy_submitted[barrier], host.copy_notified[first]);
  EXPECT_EQ(host.submitted[after], host.copy_notified[barrier]);
}

TEST(Copies, TheRunEndsWithTheLastOfThemOrOfTheKernels) {
  for (const Cycle copy : {100u, 400u}) {
    HostProgram p;
    const StreamId a = p.stream(), b = p.stream();
    p.thread();
    p.copy(a, copy);
    p.launch(b, 250);
    HostHarness host = host_of(p);
    ASSERT_TRUE(host.run());
    EXPECT_EQ(host.run_end, std::max(host.copy_notified[0], host.notified[0]) + 1);
  }
}

TEST(Copies, HaveTheGpuForThemselvesWhereNothingElseCanHappenUntilTheirEnd) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  p.thread();
  const std::uint32_t blocking = p.copy(a, 500, true);
  const std::uint32_t awaited = p.copy(a, 500);
  p.synchronize();
  const std::uint32_t beside_time = p.copy(a, 500);
  p.compute(100 * kPeriod);
  p.synchronize();
  p.launch(b, 1000);
  const std::uint32_t beside_kernel = p.copy(a, 500, true);
  p.synchronize();
  const std::uint32_t one = p.copy(a, 100), other = p.copy(b, 500);
  const std::uint32_t last = p.copy(b, 1000);
  HostHarness host = host_of(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.undisturbed, testing::ElementsAre(blocking, awaited, last))
      << beside_time << beside_kernel << one << other;
}

TEST(Copies, AreCopiedAgainWhenTheirApplicationIsLaunchedAgain) {
  HostProgram p(2);
  p.workload.applications[0].relaunch = true;
  const StreamId a = p.stream(), b = p.stream(StreamKind::kBlocking, 1);
  p.thread();
  p.copy(a, 100);
  p.thread(1);
  p.launch(b, 1000);
  HostHarness host = host_of(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.copy_submitted[0], 6 * 140u);  // the last that ended: 140 cycles each, the seventh
}

TEST(Copies, GoNotBeforeATimeThatTheirThreadWaitsFor) {
  HostProgram p;
  const StreamId a = p.stream();
  p.thread();
  p.wait_until(99 * kPeriod + 1);
  p.copy(a);
  p.wait_until(300 * kPeriod);
  p.launch(a, 10);
  p.compute(100 * kPeriod);
  p.wait_until(200 * kPeriod);
  p.launch(a, 10);
  HostHarness host = host_of(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.copy_submitted, testing::ElementsAre(100));
  EXPECT_THAT(host.submitted, testing::ElementsAre(300, 400));
}

}  // namespace
}  // namespace gputlm::test
