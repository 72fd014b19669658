// A program as a workload: releases, their calls, and messages about them.
#include "platform/programs/replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "platform/input/preset.h"
#include "platform/programs/capture.h"
#include "tests/support/nsight_export.h"
#include "tests/support/test_folder.h"
#include "tests/unit/error_of.h"

namespace gputlm {
namespace {

using captured::kernel;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t kUsOf = 1'000;

/// A replay of an export of Nsight Systems, on the GPU of the export.
class Replayed : public testing::Test {
 protected:
  Replayed() { e.gpu(); }
  Workload workload(const ProgramRun& run = {}) {
    e.write(folder.path("t.sqlite"));
    return replayed({capture_formats().at("Nsight Systems").read(folder.path("t.sqlite"), {})}, {"t"}, run,
                    load_gpu("rtx2060"));
  }
  Workload workload(Release release) {
    ProgramRun run;
    run.release = release;
    return workload(run);
  }
  static const ReplayedProgram& origin(const Workload& workload) {
    return dynamic_cast<const ReplayOrigin&>(*workload.origin).programs.at(0);
  }
  /// What a thread does: "until 3 us", "7.5 us", "k", "event 0", "waits for event 0", "waits for stream 1", ...
  static std::vector<std::string> calls(const Workload& workload, std::size_t thread = 0) {
    using Made = HostCall::Kind;
    std::vector<std::string> all;
    for (const HostCall& call : workload.threads.at(thread).calls) {
      const double us = static_cast<double>(call.time) / 1e9;
      switch (call.kind) {
        case Made::kLaunch: all.push_back(workload.launches.at(call.what).label); break;
        case Made::kCopy: all.push_back(workload.copies.at(call.what).label); break;
        case Made::kRecordEvent: all.push_back(fmt::format("event {}", call.what)); break;
        case Made::kWaitEvent:
          all.push_back(fmt::format("stream {} waits for event {}", call.stream, call.what));
          break;
        case Made::kReleaseJob: all.push_back(fmt::format("job {}", call.what)); break;
        case Made::kHostFunction: all.push_back(fmt::format("{} us", us)); break;
        case Made::kWaitUntil: all.push_back(fmt::format("until {} us", us)); break;
        case Made::kSynchronizeStream: all.push_back(fmt::format("waits for stream {}", call.stream)); break;
        case Made::kSynchronizeEvent: all.push_back(fmt::format("waits for event {}", call.what)); break;
        case Made::kSynchronizeDevice: all.push_back("waits for the device"); break;
        case Made::kBarrier: all.push_back(fmt::format("barrier {}", call.what)); break;
        case Made::kLoop:
        case Made::kRepeat: all.push_back("loop"); break;
      }
    }
    return all;
  }
  static std::vector<std::string> names(const std::vector<ApplicationSpec>& applications) {
    std::vector<std::string> all;
    for (const ApplicationSpec& application : applications) all.push_back(application.name);
    return all;
  }

  TestFolder folder;
  NsightExport e{NsightVersion::k2026_2};
};

const captured::Kernel kSmall = kernel("k", {1}, {32});

TEST_F(Replayed, ContextsAreApplications) {
  const auto t = e.thread(100, 0, "camera"), u = e.thread(200, 0, "planner");
  e.launch(t, {1'000}, e.stream(13), kSmall, {5'000, 6'000});
  e.launch(u, {2'000}, e.stream(e.context(200, 1), 13), kSmall, {7'000, 8'000});
  e.launch(u, {3'000}, e.stream(e.context(200, 2), 14), kSmall, {9'000, 10'000});
  EXPECT_THAT(names(workload().applications),
              ElementsAre("camera", "planner (process 200, context 1)", "planner (process 200, context 2)"));
}

TEST_F(Replayed, OfSeveralCapturesEachIsAnApplicationWhoseNameIsBeforeItsLabels) {
  const auto t = e.thread(100);
  e.launch(t, {1'000}, e.stream(13), kSmall, {5'000, 6'000});
  e.write(folder.path("t.sqlite"));
  const Program program = capture_formats().at("Nsight Systems").read(folder.path("t.sqlite"), {});
  const Workload both = replayed({program, program}, {"left", "right"}, {}, load_gpu("rtx2060"));
  EXPECT_THAT(names(both.applications), ElementsAre("left", "right"));
  EXPECT_EQ(both.launches.at(0).label, "left/k");
  EXPECT_EQ(both.launches.at(1).label, "right/k");
  EXPECT_EQ(both.threads.at(1).name, "right/python 100");
}

TEST_F(Replayed, StreamsHaveTheirPrioritiesAndKinds) {
  const auto t = e.thread(100);
  e.launch(t, {1'000}, e.unlisted_stream(7), kSmall, {5'000, 6'000});
  e.launch(t, {4'000}, e.stream(13, -5), kSmall, {7'000, 8'000});
  e.launch(t, {7'000}, e.stream(14, 0, captured::StreamKind::kDefault), kSmall, {9'000, 10'000});
  const Workload replay = workload();
  EXPECT_EQ(replay.streams.at(0).kind, StreamKind::kDefault);
  EXPECT_EQ(replay.streams.at(1).kind, StreamKind::kNonBlocking);
  EXPECT_EQ(replay.streams[1].priority, -5);
  EXPECT_EQ(replay.streams.at(2).kind, StreamKind::kBlocking);
  EXPECT_THAT(replay.settings, Contains("work_distributor.priorities=6"));
}

TEST_F(Replayed, APriorityOfTheRunIsThatOfAllStreams) {
  const auto t = e.thread(100);
  e.launch(t, {1'000}, e.stream(13, -5), kSmall, {5'000, 6'000});
  ProgramRun run;
  run.priority = 0;
  const Workload replay = workload(run);
  EXPECT_EQ(replay.streams.at(0).priority, 0);
  EXPECT_THAT(replay.settings, Not(Contains(HasSubstr("priorities"))));
}

TEST_F(Replayed, CommandsAreReleasedWhenTheHostCalledForThemOrWhenTheyBeganOrAtOnce) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  e.launch(t, {2 * kUsOf}, s, kernel("a", {1}, {32}), {9 * kUsOf, 10 * kUsOf});
  e.copy(t, {5 * kUsOf}, s, captured::host_to_device(64), {18 * kUsOf, 19 * kUsOf});
  e.launched_before(other, kernel("b", {1}, {32}), {20 * kUsOf, 30 * kUsOf});
  const Workload launched = workload(Release::kLaunch);
  EXPECT_THAT(calls(launched, 0), ElementsAre("a", "until 3 us", "host_to_device#1"))
      << "time begins with the first call";
  EXPECT_THAT(calls(launched, 1), ElementsAre(HasSubstr("until "), "b")) << "the call is not there: when it began";
  EXPECT_NEAR(static_cast<double>(launched.launches.at(1).release) / 1e9, 18, 3);
  const Workload started = workload(Release::kStart);
  EXPECT_THAT(calls(started, 0), ElementsAre("a", "until 9 us", "host_to_device#1"));
  EXPECT_THAT(calls(started, 1), ElementsAre("until 11 us", "b"));
  const Workload at_once = workload(Release::kNone);
  EXPECT_THAT(calls(at_once, 0), ElementsAre("a", "host_to_device#1"));
  EXPECT_THAT(calls(at_once, 1), ElementsAre("b"));
}

TEST_F(Replayed, AHostThatAnswersDoesWhatItDidAsLongAfterTheCallBefore) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  e.launch(t, {2 * kUsOf}, s, kernel("a", {1}, {32}), {9 * kUsOf, 60 * kUsOf});
  e.wait_event(t, {6 * kUsOf, 500}, other, e.record_event(t, {5 * kUsOf, 500}, s, 3));
  e.launch(t, {8 * kUsOf}, other, kernel("b", {1}, {32}), {65 * kUsOf, 70 * kUsOf});
  e.synchronize_stream(t, {11 * kUsOf, 64 * kUsOf}, other);
  e.launch(t, {95 * kUsOf}, s, kernel("c", {1}, {32}), {99 * kUsOf, 100 * kUsOf});
  const Workload replay = workload();
  EXPECT_EQ(origin(replay).release, Release::kProgram);
  std::vector<std::string> made = calls(replay);
  ASSERT_EQ(made.size(), 11u);
  const std::string gap = made[9];  // since the host knew of the end, at 70 us and the model's way to the host
  made[9] = "";
  EXPECT_THAT(made, ElementsAre("a", "3 us", "event 0", "1 us", "stream 1 waits for event 0", "2 us", "b", "3 us",
                                "waits for stream 1", "", "c"));
  EXPECT_NEAR(std::stod(gap), 25, 3);
  EXPECT_EQ(replay.launches.at(0).release, 0u);
  EXPECT_THAT(replay.settings, Contains("host.launch_queue=1024"));
}

TEST_F(Replayed, WithoutCallsThereIsNoHostThatAnswers) {
  (void)e.thread(100);
  e.launched_before(e.stream(13), kSmall, {5'000, 6'000});
  e.then("DROP TABLE IF EXISTS CUPTI_ACTIVITY_KIND_RUNTIME");
  EXPECT_EQ(origin(workload()).release, Release::kLaunch);
  EXPECT_THAT(error_of([&] { workload(Release::kProgram); }),
              HasSubstr("has no calls of the host, which release 'program' needs; allowed: launch, start, none"));
}

TEST_F(Replayed, AQueueThatWasFoundFullIsAsLongAsItWas) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  for (int i = 0; i < 4; ++i)
    e.launch(t, {(2 + i) * kUsOf, 500}, s, kSmall, {(10 + 10 * i) * kUsOf, (19 + 10 * i) * kUsOf});
  const auto call = e.launch(t, {6 * kUsOf, 20 * kUsOf}, s, kSmall, {50 * kUsOf, 60 * kUsOf});
  e.overhead(t, call, {6'100, 19'500}, captured::Overhead::kCommandBufferFull);
  EXPECT_THAT(workload().settings, Contains("host.launch_queue=4"));
}

TEST_F(Replayed, AShareOfUnknownSizeIsAskedForAndKeptTo) {
  const auto t = e.thread(100);
  const auto green = e.green_context(e.context(100, 5), 6);
  e.launch(t, {1'000}, e.stream(green, 13), kernel("k", {30}, {1024}), {100'000, 800'000});
  const Workload all = workload();
  EXPECT_FALSE(all.launches.at(0).sms);
  EXPECT_THAT(all.warnings, Contains(HasSubstr("whose number of SMs the capture does not give; set it by --sms")));
  ProgramRun run;
  run.measured_sms = 8;
  const Workload some = workload(run);
  ASSERT_TRUE(some.launches.at(0).sms);
  EXPECT_EQ(some.launches[0].sms->count(), 8u);
  EXPECT_THAT(some.warnings, Not(Contains(HasSubstr("--sms"))));
}

TEST_F(Replayed, WhatTheCaptureHasWrongIsAmongWarningsAndChecks) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {1'000}, s, kSmall, {5'000, 6'000});
  e.launch(t, {4'000}, s, kSmall, {9'000, 8'000});
  const Workload replay = workload();
  EXPECT_THAT(replay.warnings, Contains(HasSubstr("1 commands end before they start; they are left out; the first is "
                                                  "CUPTI_ACTIVITY_KIND_KERNEL, row 2")));
  ASSERT_FALSE(origin(replay).checks.empty());
  EXPECT_EQ(origin(replay).checks[0].name, "capture");
}

TEST_F(Replayed, AnotherGpuIsTold) {
  const auto t = e.thread(100);
  e.launch(t, {1'000}, e.stream(13), kSmall, {5'000, 15'000});
  e.write(folder.path("t.sqlite"));
  const Workload replay =
      replayed({capture_formats().at("Nsight Systems").read(folder.path("t.sqlite"), {})}, {"t"}, {}, load_gpu("a100"));
  EXPECT_THAT(replay.warnings, ElementsAre(HasSubstr("was measured on NVIDIA GeForce RTX 2060, 30 SMs, and runs on")));
  EXPECT_THAT(workload().warnings, IsEmpty());
}

TEST_F(Replayed, WithoutAGpuWhatIsTakenForItIsTold) {
  const auto t = e.thread(100);
  e.launch(t, {1'000}, e.stream(13), kSmall, {5'000, 6'000});
  e.then("DROP TABLE TARGET_INFO_GPU");
  EXPECT_THAT(workload().warnings,
              ElementsAre(HasSubstr("does not say how many SMs a GPU without a name has; assumed: the 30 of"),
                          HasSubstr("(warps, blocks, registers, shared memory); assumed: as one of")));
}

/// A program whose thread has two frames, each of a kernel.
class ReplayedJobs : public Replayed {
 protected:
  ReplayedJobs() {
    const auto t = e.thread(100);
    const auto s = e.stream(13);
    e.push_pop(t, {"frame"}, {1 * kUsOf, 40 * kUsOf}).push_pop(t, {"frame", true}, {100 * kUsOf, 140 * kUsOf});
    e.push_pop(t, {"empty frame"}, {150 * kUsOf, 151 * kUsOf});
    e.launch(t, {5 * kUsOf}, s, kernel("a", {1}, {32}), {10 * kUsOf, 20 * kUsOf});
    e.launch(t, {50 * kUsOf}, s, kernel("between", {1}, {32}), {60 * kUsOf, 70 * kUsOf});
    e.launch(t, {110 * kUsOf}, s, kernel("b", {1}, {32}), {120 * kUsOf, 130 * kUsOf});
  }
  Workload jobs(Release release) {
    ProgramRun run;
    run.release = release;
    run.jobs = "frame";
    return workload(run);
  }
};

TEST_F(ReplayedJobs, RangesOfANameAreJobsOfATask) {
  for (const Release release : {Release::kProgram, Release::kLaunch, Release::kStart}) {
    const Workload replay = jobs(release);
    ASSERT_EQ(replay.tasks.size(), 1u);
    EXPECT_EQ(replay.tasks[0].name, "frame");
    ASSERT_EQ(replay.jobs.size(), 2u);
    EXPECT_EQ(replay.launches.at(0).job, 0u);
    EXPECT_FALSE(replay.launches.at(1).job);
    EXPECT_EQ(replay.launches.at(2).job, 1u);
  }
}

TEST_F(ReplayedJobs, TimeBeginsWithTheFirstJobWhereThatIsBeforeItsFirstCall) {
  const Workload launched = jobs(Release::kLaunch);
  EXPECT_EQ(launched.jobs.at(0).release, 0u);
  EXPECT_EQ(launched.jobs.at(1).release, Femtoseconds{99'000'000'000});
  EXPECT_THAT(calls(launched), ElementsAre("job 0", "until 4 us", "a", "until 49 us", "between", "until 99 us", "job 1",
                                           "until 109 us", "b"));
  const Workload answered = jobs(Release::kProgram);
  EXPECT_TRUE(answered.jobs.at(1).when_reached);
  EXPECT_THAT(calls(answered), ElementsAre("job 0", "4 us", "a", "45 us", "between", "50 us", "job 1", "10 us", "b"));
}

TEST_F(ReplayedJobs, AnUnknownNameIsRefusedWithOneThatIsNear) {
  ProgramRun run;
  run.jobs = "frames";
  EXPECT_THAT(error_of([&] { workload(run); }),
              HasSubstr("t.sqlite: no range is called 'frames'; did you mean 'frame'?"));
}

TEST_F(ReplayedJobs, RepetitionsBeginTogether) {
  const auto worker = e.thread(100, 123, "worker");
  e.launch(worker, {6 * kUsOf}, e.stream(14), kernel("w", {1}, {32}), {30 * kUsOf, 40 * kUsOf});
  ProgramRun run;
  run.releases = {0, 500'000'000'000, 1'000'000'000'000};
  const Workload replay = workload(run);
  EXPECT_EQ(replay.launches.size(), 12u);
  EXPECT_THAT(calls(replay, 1),
              ElementsAre(HasSubstr(" us"), "w", "waits for the device", "barrier 0", "barrier 1", HasSubstr(" us"),
                          "w.2", "waits for the device", "barrier 2", "barrier 3", HasSubstr(" us"), "w.3"));
}

}  // namespace
}  // namespace gputlm
