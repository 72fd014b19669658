/// Mixed criticality, as the host of a GPU can implement it: the mode is lo until a job of a task of level hi has used up
/// its budget of level lo and continues, and lo again when no job is active (Baruah, Burns and Davis, "Response-Time
/// Analysis for Mixed Criticality Systems", RTSS 2011: AMC). A GPU does not preempt a kernel because of its budget, so
/// budgets end at the ends of kernels, as in systems that split kernels to preempt them (Zhou, Tong and Liu, "GPES: A
/// Preemptive Execution System for GPGPU Computing", RTAS 2015): a job's work beyond its budget is in separate launches. In
/// mode hi jobs of level lo do not begin; one that has begun continues.
#include <algorithm>

#include "models/host/core.h"

namespace gputlm {

using Kind = HostCall::Kind;

std::optional<std::uint32_t> HostCore::job_of(const HostCall& command) const {
  if (command.kind == Kind::kLaunch) return workload_.launches[command.what].job;
  if (command.kind == Kind::kCopy) return workload_.copies[command.what].job;
  return std::nullopt;
}

void HostCore::note_under_way(std::optional<std::uint32_t> job) {
  if (!job || jobs_[*job].under_way) return;
  jobs_[*job].under_way = true;
  jobs_[*job].in_hi_mode = hi_mode_;
  under_way_.push_back(*job);
}

bool HostCore::is_dropped(const JobSpec& job) const {
  const TaskSpec& task = workload_.tasks[job.task];
  if (!hi_mode_ || task.criticality == Criticality::kHi || task.in_hi_mode == InHiMode::kKeep) return false;
  return task.in_hi_mode == InHiMode::kDrop || job.number % task.degraded_every != 0;
}

bool HostCore::is_passed_over(const HostCall& command, Cycle now) {
  const std::optional<std::uint32_t> which = job_of(command);
  if (!which) return false;
  Job& job = jobs_[*which];
  if (!job.begun && !job.dropped) {
    job.dropped = is_dropped(workload_.jobs[*which]);
    job.begun = !job.dropped;
  }
  const bool beyond = command.kind == Kind::kLaunch && workload_.launches[command.what].beyond_budget;
  if (job.dropped || (beyond && !workload_.jobs[*which].overruns)) return true;
  if (beyond && !hi_mode_) enter_hi_mode(*which, now);
  return false;
}

void HostCore::pass_over(StreamId stream, const HostCall& command, Cycle now) {
  const ApplicationId application = workload_.streams[stream].application;
  const std::uint32_t iteration = queues_.iteration(stream);
  const std::optional<std::uint32_t> job = job_of(command);
  doubt(application);
  queues_.begin(stream);
  queues_.end(stream, command.kind, command.what, iteration);
  look_behind(stream);
  end_of_job(job, iteration, now);
  if (iteration == 0 || !workload_.applications[application].relaunch) {
    --awaited_;
    run_end_.ended(now);
  }
  if (command.kind == Kind::kLaunch) {
    ++streams_[stream].ended;
    if (iteration == 0) {
      ++ended_;
      --left_in_phase_;
    }
  }
  end_one(application, now);
  pass_ended_phases(now);
}

void HostCore::enter_hi_mode(std::uint32_t job, Cycle now) {
  hi_mode_ = true;
  for (const std::uint32_t other : under_way_) jobs_[other].in_hi_mode = true;
  if (mode_changes.watched()) mode_changes.note({now, true, job});
}

bool HostCore::has_overdue_job(std::size_t thread, Cycle now) const {
  const std::vector<HostCall>& calls = specs_[thread].calls;
  for (std::size_t c = threads_[thread].next; c < calls.size(); ++c) {
    if (calls[c].kind != Kind::kReleaseJob) continue;
    const JobSpec& job = workload_.jobs[calls[c].what];
    return job.phase == phase_ && start(thread) + clock_.at_or_after(job.release) < now;
  }
  return false;
}

void HostCore::leave_hi_mode_when_idle(Cycle now) {
  if (!under_way_.empty()) return;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (has_overdue_job(t, now)) return;
  }
  hi_mode_ = false;
  if (mode_changes.watched()) mode_changes.note({now, false, 0});
}

}  // namespace gputlm
