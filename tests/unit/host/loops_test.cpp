// Loops of host threads, and barriers between them. A launch takes a hop of 20 cycles to the GPU and its end a hop back.

#include <gmock/gmock.h>

#include <random>

#include "tests/unit/host/host_harness.h"
#include "tests/unit/host/host_program.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;

HostHarness host_of_loops(const HostProgram& program, const HostConfig& config = {}) {
  return {program.workload, program.durations, 64, config, program.copy_durations};
}

/// A thread that launches and waits, again and again.
void add_looping_thread(HostProgram& p, StreamId stream, Cycle duration, std::uint32_t count, Femtoseconds time = 0) {
  p.thread();
  p.loop();
  p.launch(stream, duration);
  p.synchronize(stream);
  p.repeat(count, time);
}

TEST(Loops, RepeatTheirCallsSoManyTimes) {
  HostProgram p;
  add_looping_thread(p, p.stream(), 100, 3);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 140, 280));
  EXPECT_THAT(host.released, ElementsAre(0, 140, 280)) << "release times count from the iteration";
}

TEST(Loops, BeginNoIterationAfterTheirTimeAndNeverCutOne) {
  HostProgram p;
  add_looping_thread(p, p.stream(), 100, 0, 281 * kPeriod);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 140, 280));
  EXPECT_THAT(host.notified, ElementsAre(140, 280, 420));
}

TEST(Loops, EndWhenTheirTimeIsJustOver) {
  HostProgram p;
  add_looping_thread(p, p.stream(), 100, 0, 280 * kPeriod);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 140)) << "their third iteration would begin at 280";
}

TEST(Loops, EndByWhatComesFirst) {
  HostProgram p;
  add_looping_thread(p, p.stream(), 100, 2, 1000 * kPeriod);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.submitted.size(), 2u);
}

TEST(Loops, TheirTimeCountsFromTheirBeginning) {
  HostProgram p;
  const StreamId stream = p.stream();
  p.thread();
  p.compute(500 * kPeriod);
  p.loop();
  p.launch(stream, 100);
  p.synchronize(stream);
  p.repeat(0, 200 * kPeriod);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(500, 640));
}

TEST(Loops, TheRunLastsUntilTheLastOfThemHasEndedAndAllThatTheyLaunched) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  add_looping_thread(p, a, 100, 2);
  p.thread();
  p.loop();
  p.launch(b, 1000);  // not waited for
  p.repeat(2);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  ASSERT_EQ(host.notified.size(), 4u);
  EXPECT_EQ(host.run_end, *std::max_element(host.notified.begin(), host.notified.end()) + 1);
}

TEST(Loops, CopiesAreRepeatedToo) {
  HostProgram p;
  const StreamId stream = p.stream();
  p.thread();
  p.loop();
  p.copy(stream, 50);
  p.synchronize(stream);
  p.repeat(3);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_EQ(host.copy_submitted[0], 180u);
  EXPECT_EQ(host.copies_in_use(), 0u);
}

TEST(Loops, AThreadMayHaveSeveralOneAfterTheOther) {
  HostProgram p;
  const StreamId stream = p.stream();
  add_looping_thread(p, stream, 100, 2);
  p.loop();
  p.launch(stream, 10);
  p.synchronize(stream);
  p.repeat(2);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.order, ElementsAre(0, 2, 1, 3)) << "ids: what is launched again gets the next free ones";
  EXPECT_THAT(host.submitted, ElementsAre(0, 280, 140, 330));
}

TEST(Barriers, LetNobodyGoOnBeforeAllHaveCome) {
  HostProgram p;
  const StreamId a = p.stream(), b = p.stream();
  p.thread();
  p.compute(300 * kPeriod);
  p.barrier();
  p.launch(a);
  p.thread();
  p.barrier();
  p.launch(b);
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(300, 301));
}

TEST(Barriers, AreOpenedByWhoIsAskedNextAndThoseBehindItGoOnAtOnce) {
  HostProgram p;
  const StreamId stream = p.stream();
  for (const Cycle computes : {0, 300, 0, 0}) {  // thread 1 comes last, and 2 finds that all have come
    p.thread();
    p.compute(computes * kPeriod);
    p.barrier();
    p.launch(stream);
  }
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.order, ElementsAre(3, 0, 1, 2));
}

TEST(Barriers, InLoopsMakeIterationsBeginTogether) {
  HostProgram p;
  for (const Cycle duration : {100, 300}) {
    const StreamId stream = p.stream();
    p.thread();
    p.loop();
    p.barrier();
    p.launch(stream, duration);
    p.synchronize(stream);
    p.repeat(3);
  }
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 1, 341, 342, 682, 683));
}

TEST(Barriers, DoNotWaitForThreadsThatCannotComeThereAnyMore) {
  HostProgram p;
  std::uint32_t count = 1;
  for (int i = 0; i < 2; ++i, count = 3) {
    const StreamId stream = p.stream();
    p.thread();
    p.loop();
    p.barrier();
    p.launch(stream, 100);
    p.synchronize(stream);
    p.repeat(count);
  }
  HostHarness host = host_of_loops(p);
  ASSERT_TRUE(host.run());
  EXPECT_THAT(host.submitted, ElementsAre(0, 1, 141, 281));
}

TEST(Barriers, ThatNobodyOpensAreReported) {
  HostProgram p;
  const StreamId a = p.stream();
  p.thread();
  p.launch(a, 1000000);
  p.synchronize(a);
  p.barrier();
  p.thread();
  p.barrier();
  HostHarness host = host_of_loops(p);
  EXPECT_FALSE(host.run(1000));
  EXPECT_THAT(host.core.waiting(), testing::Contains("thread t1: waiting for other threads in line 1"));
}

TEST(CallsMade, OfLoopsAreToldInEachIteration) {
  HostProgram p;
  const StreamId stream = p.stream();
  add_looping_thread(p, stream, 100, 2);
  HostConfig config;
  config.call_cycles = 7;
  HostHarness host = host_of_loops(p, config);
  ASSERT_TRUE(host.run());
  std::vector<std::array<Cycle, 3>> calls;
  for (const CallMade& made : host.calls) calls.push_back({made.call, made.begin, made.end});
  using Call = std::array<Cycle, 3>;
  // loop, launch, synchronize, repeat; what the thread waits for is over a hop, 100 cycles and a hop after the launch
  EXPECT_THAT(calls, ElementsAre(Call{0, 0, 0}, Call{1, 0, 7}, Call{2, 7, 147}, Call{3, 147, 147}, Call{1, 147, 154},
                                 Call{2, 154, 294}, Call{3, 294, 294}));
}

TEST(Loops, ComeOutTheSameWhateverTheWindow) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
    HostProgram p;
    const unsigned threads = 2 + below(3);
    for (unsigned t = 0; t < threads; ++t) {
      const StreamId stream = p.stream(below(3) == 0 ? StreamKind::kNonBlocking : StreamKind::kBlocking);
      p.thread();
      p.compute(below(100) * kPeriod);
      p.loop();
      if (below(2) == 0) p.barrier();
      if (below(2) == 0) p.copy(stream, 1 + below(50));
      p.launch(stream, 1 + below(200));
      if (below(2) == 0) p.compute(below(100) * kPeriod);
      p.synchronize(stream);
      p.repeat(below(2) == 0 ? 1 + below(4) : 0, (1 + below(1000)) * kPeriod);
    }
    HostHarness widest = host_of_loops(p);
    ASSERT_TRUE(widest.run()) << "seed " << seed;
    for (const Cycle window : {1, 3, 19}) {
      HostHarness other = host_of_loops(p);
      ASSERT_TRUE(other.run([&] { return window; }));
      ASSERT_EQ(other.submitted, widest.submitted) << "seed " << seed;
      ASSERT_EQ(other.notified, widest.notified) << "seed " << seed;
      ASSERT_EQ(other.run_end, widest.run_end) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gputlm::test
