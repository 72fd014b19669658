/// Host programs for tests, written call by call.
#pragma once

#include <string>
#include <vector>

#include "models/host/workload.h"

namespace gputlm::test {

struct HostProgram {
  Workload workload;
  std::vector<Cycle> durations;       ///< durations of the launches
  std::vector<Cycle> copy_durations;  ///< durations of the copies

  explicit HostProgram(unsigned applications = 1) {
    for (unsigned a = 0; a < applications; ++a) workload.applications.push_back({"a" + std::to_string(a)});
  }
  StreamId stream(StreamKind kind = StreamKind::kBlocking, ApplicationId application = 0, int priority = 0) {
    workload.streams.push_back({"s" + std::to_string(workload.streams.size()), application, priority, kind});
    return static_cast<StreamId>(workload.streams.size() - 1);
  }
  std::uint32_t event(ApplicationId application = 0) {
    workload.events.push_back({"e" + std::to_string(workload.events.size()), application});
    return static_cast<std::uint32_t>(workload.events.size() - 1);
  }
  /// The calls that follow are those of a new thread.
  void thread(ApplicationId application = 0) {
    workload.threads.push_back({"t" + std::to_string(workload.threads.size()), application, {}, "host.yaml"});
  }
  KernelId launch(StreamId stream, Cycle duration = 100) {
    LaunchCommand& launch = workload.launches.emplace_back();
    launch.label = "k" + std::to_string(durations.size());
    launch.stream = stream;
    launch.job = job_;
    durations.push_back(duration);
    call(HostCall::Kind::kLaunch, stream, static_cast<std::uint32_t>(durations.size() - 1));
    return static_cast<KernelId>(durations.size() - 1);
  }
  /// A launch of the job, which is made only if the job overruns.
  KernelId beyond_budget(StreamId stream, Cycle duration, bool overruns) {
    const KernelId id = launch(stream, duration);
    workload.launches[id].beyond_budget = true;
    JobSpec& job = workload.jobs[*job_];
    job.overruns = overruns;
    workload.tasks[job.task].criticality = Criticality::kHi;
    return id;
  }
  std::uint32_t copy(StreamId stream, Cycle duration = 100, bool blocking = false, bool pageable = false) {
    CopyCommand& copy = workload.copies.emplace_back();
    copy.label = "c" + std::to_string(copy_durations.size());
    copy.stream = stream;
    copy.job = job_;
    copy.bytes = 1;
    copy.blocking = blocking;
    copy.pageable = pageable;
    copy_durations.push_back(duration);
    call(HostCall::Kind::kCopy, stream, static_cast<std::uint32_t>(copy_durations.size() - 1));
    return static_cast<std::uint32_t>(copy_durations.size() - 1);
  }
  /// The commands of the thread that follow are those of a job of a new task, until end_job().
  std::uint32_t job(Femtoseconds release) {
    workload.tasks.push_back({"t" + std::to_string(workload.tasks.size())});
    workload.jobs.push_back({static_cast<std::uint32_t>(workload.tasks.size() - 1), 0, release});
    job_ = static_cast<std::uint32_t>(workload.jobs.size() - 1);
    call(HostCall::Kind::kReleaseJob, 0, *job_);
    return *job_;
  }
  void end_job() { job_.reset(); }
  void record(StreamId stream, std::uint32_t event) { call(HostCall::Kind::kRecordEvent, stream, event); }
  void wait(StreamId stream, std::uint32_t event) { call(HostCall::Kind::kWaitEvent, stream, event); }
  void wait_until(Femtoseconds time) { call(HostCall::Kind::kWaitUntil, 0, 0, time); }
  void compute(Femtoseconds time) { call(HostCall::Kind::kHostFunction, 0, 0, time); }
  void synchronize(StreamId stream) { call(HostCall::Kind::kSynchronizeStream, stream); }
  void synchronize() { call(HostCall::Kind::kSynchronizeDevice); }
  void barrier(std::uint32_t number = 0) { call(HostCall::Kind::kBarrier, 0, number); }
  /// The calls that follow, until repeat(), are repeated.
  void loop() {
    loop_ = static_cast<std::uint32_t>(workload.threads.back().calls.size());
    call(HostCall::Kind::kLoop);
  }
  void repeat(std::uint32_t count, Femtoseconds time = 0) {
    call(HostCall::Kind::kRepeat, 0, loop_, time);
    workload.threads.back().calls.back().count = count;
  }

 private:
  std::optional<std::uint32_t> job_;
  std::uint32_t loop_ = 0;

  void call(HostCall::Kind kind, StreamId stream = 0, std::uint32_t what = 0, Femtoseconds time = 0) {
    std::vector<HostCall>& calls = workload.threads.back().calls;
    calls.push_back({kind, stream, what, time, calls.size() + 1});
  }
};

}  // namespace gputlm::test
