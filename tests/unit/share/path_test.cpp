// The commands that determined the time of a job, and the cause of each of its cycles.

#include "platform/share/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace gputlm {
namespace {

using Kind = HostCall::Kind;

constexpr Femtoseconds kCycle = 1'000'000;  // of 1000 MHz

/// An application whose thread calls for kernels in streams, at 1000 MHz.
class PathTest : public testing::Test {
 protected:
  PathTest() {
    run_.config.core_mhz = 1000;
    run_.workload.applications = {{"a"}};
    run_.workload.streams = {{"s", 0, 0}, {"t", 0, 0}};
    run_.workload.threads.push_back({"main", 0});
    result_.applications.resize(1);
    result_.applications[0].iterations = 1;
  }
  /// A launch that the thread calls for, and what became of it: instants in cycles.
  void launch(StreamId stream, Cycle submitted, Cycle arrived, Cycle first, Cycle end, Cycle notified) {
    const auto place = static_cast<std::uint32_t>(run_.workload.launches.size());
    LaunchCommand command;
    command.stream = stream;
    command.job = job_;
    run_.workload.launches.push_back(command);
    call(Kind::kLaunch).what = place;
    KernelRecord record;
    record.id = record.command = place;
    record.submitted = submitted;
    record.arrived = arrived;
    record.first_block = first;
    record.end = end;
    record.notified = notified;
    result_.kernels.push_back(record);
  }
  HostCall& call(Kind kind, Cycle time = 0) {
    HostCall made;
    made.kind = kind;
    made.time = time * kCycle;
    return run_.workload.threads[0].calls.emplace_back(made);
  }
  void job(Cycle released, Cycle notified) {
    if (run_.workload.tasks.empty()) run_.workload.tasks.push_back({"task", 0});
    const auto number = static_cast<std::uint32_t>(run_.workload.jobs.size());
    run_.workload.jobs.push_back({0, number});
    result_.jobs.push_back({number, 0, released, notified});
    job_ = number;
  }
  static std::vector<Cycle> sizes(const JobPath& path) {
    std::vector<Cycle> sizes;
    for (const CycleSet& state : path.states) sizes.push_back(state.size());
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), Cycle{0}), path.until - path.from) << "each cycle is in one";
    return sizes;
  }
  std::vector<JobPath> paths() const { return job_paths(result_, run_, 0); }

  gputlm::Run run_;
  RunResult result_;
  std::optional<std::uint32_t> job_;
};

// In order: runs, waits, copies, waits for an engine, behind, host.
TEST_F(PathTest, GoesBackThroughAStream) {
  launch(0, 10, 20, 50, 150, 160);     // waits 30, runs 100
  launch(0, 160, 170, 175, 375, 390);  // waits 5, runs 200
  const auto all = paths();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(sizes(all[0]), testing::ElementsAre(300, 35, 0, 0, 0, 55));
  EXPECT_EQ(all[0].kernels.size(), 2u);
}

TEST_F(PathTest, LeavesOutWhatRunsBesideIt) {
  launch(1, 10, 20, 20, 100, 110);     // beside the first of the other stream
  launch(0, 10, 20, 20, 220, 230);     // runs 200
  launch(0, 230, 240, 240, 340, 350);  // runs 100
  EXPECT_THAT(sizes(paths()[0]), testing::ElementsAre(300, 0, 0, 0, 0, 50));
}

TEST_F(PathTest, GoesThroughAThreadThatHasWaitedAndComputes) {
  launch(1, 10, 20, 40, 140, 150);  // waits 20, runs 100
  call(Kind::kSynchronizeDevice);
  call(Kind::kHostFunction, 500);
  launch(0, 650, 660, 660, 700, 710);  // called for 500 after the end of the first
  EXPECT_THAT(sizes(paths()[0]), testing::ElementsAre(140, 20, 0, 0, 0, 550));
}

TEST_F(PathTest, StopsAtAHostThatWaitsForNothing) {
  launch(1, 10, 20, 400, 440, 450);  // nobody waits for it
  call(Kind::kHostFunction, 640);
  launch(0, 650, 660, 660, 700, 710);
  EXPECT_THAT(sizes(paths()[0]), testing::ElementsAre(40, 0, 0, 0, 0, 670));
}

TEST_F(PathTest, OfAJobSaysWhatIsServedBeforeIt) {
  job(0, 160);
  launch(0, 10, 20, 50, 150, 160);
  job(100, 390);
  launch(0, 160, 170, 175, 375, 390);
  const auto all = paths();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(sizes(all[0]), testing::ElementsAre(100, 30, 0, 0, 0, 30));
  // From 100 on: 50 of the first job's kernel, then its own.
  EXPECT_THAT(sizes(all[1]), testing::ElementsAre(200, 5, 0, 0, 50, 35));
}

}  // namespace
}  // namespace gputlm
