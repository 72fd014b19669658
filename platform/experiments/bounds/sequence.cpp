#include "platform/experiments/bounds/sequence.h"

#include <fmt/format.h>

#include <algorithm>

namespace gputlm {

void Sequence::add(const Workload& workload) {
  if (parts_.empty()) {
    all_.applications = workload.applications;
    all_.streams = workload.streams;
  }
  Part part{static_cast<std::uint32_t>(all_.launches.size()), static_cast<std::uint32_t>(workload.launches.size()),
            static_cast<std::uint32_t>(all_.jobs.size()), static_cast<std::uint32_t>(workload.jobs.size())};
  const auto first_task = static_cast<std::uint32_t>(all_.tasks.size());
  unsigned last = 0;
  for (TaskSpec task : workload.tasks) {
    task.name = fmt::format("{}.{}", parts_.size(), task.name);
    all_.tasks.push_back(std::move(task));
  }
  for (JobSpec job : workload.jobs) {
    job.task += first_task;
    job.phase += phases_;
    all_.jobs.push_back(job);
  }
  for (LaunchCommand launch : workload.launches) {
    launch.label = fmt::format("{}.{}", parts_.size(), launch.label);
    if (launch.job) *launch.job += part.first_job;
    last = std::max(last, launch.phase);
    launch.phase += phases_;
    all_.launches.push_back(std::move(launch));
  }
  for (ThreadSpec thread : host_threads(workload)) {
    for (HostCall& call : thread.calls) {
      if (call.kind == HostCall::Kind::kLaunch) call.what += part.first_launch;
      if (call.kind == HostCall::Kind::kReleaseJob) call.what += part.first_job;
    }
    thread.name = fmt::format("{}.{}", parts_.size(), thread.name);
    all_.threads.push_back(std::move(thread));
  }
  phases_ += last + 1;
  parts_.push_back(part);
}

}  // namespace gputlm
