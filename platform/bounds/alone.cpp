#include "platform/bounds/alone.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace gputlm {
namespace {

using Kind = HostCall::Kind;

/// Numbers phases in the order in which jobs and launches occur.
class Phases {
 public:
  explicit Phases(const Workload& workload) : workload_(workload), of_jobs_(workload.jobs.size()) {}
  unsigned of_job(std::uint32_t job) {
    if (!of_jobs_[job]) of_jobs_[job] = next_++;
    return *of_jobs_[job];
  }
  unsigned of_launch(std::uint32_t launch) {
    const std::optional<std::uint32_t> job = workload_.launches[launch].job;
    return job ? of_job(*job) : next_++;
  }

 private:
  const Workload& workload_;
  std::vector<std::optional<unsigned>> of_jobs_;
  unsigned next_ = 0;
};

template <class T>
void longer(std::vector<T>& all, const std::vector<T>& other) {
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], other[i]);
}

/// Time for the copies after the last kernel of a job, which a phase does not wait for: 1 ns per byte.
Femtoseconds time_for_copies(const Workload& workload) {
  constexpr Femtoseconds kOfAByte = 1'000'000, kMost = 100'000'000'000'000;  // a tenth of a second
  std::vector<Bytes> bytes(workload.jobs.size() + 1);  // bytes copied, by job; the last entry is for copies outside
                                                       // jobs
  for (const CopyCommand& copy : workload.copies) bytes[copy.job.value_or(workload.jobs.size())] += copy.bytes;
  return std::min(*std::max_element(bytes.begin(), bytes.end()), kMost / kOfAByte) * kOfAByte;
}

}  // namespace

OneAtATime one_at_a_time(const Workload& workload, bool overruns) {
  OneAtATime made;
  Workload& all = made.workload = workload;
  for (JobSpec& job : all.jobs) job.overruns = overruns;
  all.threads = host_threads(workload);
  for (ApplicationSpec& application : all.applications) application.relaunch = false;
  Phases phases(workload);
  for (const ThreadSpec& thread : all.threads) {
    for (const HostCall& call : thread.calls) {
      if (call.kind == Kind::kReleaseJob) all.jobs[call.what].phase = phases.of_job(call.what);
      if (call.kind == Kind::kLaunch) all.launches[call.what].phase = phases.of_launch(call.what);
    }
  }
  const Femtoseconds pause = time_for_copies(workload);
  for (LaunchCommand& launch : all.launches) {
    launch.release -= launch.job ? workload.jobs[*launch.job].release : launch.release;
    launch.release += pause;
    if (launch.job) all.jobs[*launch.job].phase = launch.phase;
  }
  for (JobSpec& job : all.jobs) job.release = pause;
  // Launches are sorted by phase.
  made.launches.resize(all.launches.size());
  std::iota(made.launches.begin(), made.launches.end(), 0u);
  std::stable_sort(made.launches.begin(), made.launches.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return all.launches[a].phase < all.launches[b].phase; });
  std::vector<LaunchCommand> sorted;
  std::vector<std::uint32_t> place(made.launches.size());
  for (const std::uint32_t launch : made.launches) {
    place[launch] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(all.launches[launch]));
  }
  all.launches = std::move(sorted);
  for (ThreadSpec& thread : all.threads) {
    for (HostCall& call : thread.calls) {
      if (call.kind == Kind::kLaunch) call.what = place[call.what];
    }
  }
  return made;
}

void AloneTimes::add(const AloneTimes& other) {
  longer(responses, other.responses);
  longer(job_responses, other.job_responses);
  longer(job_responses_lo, other.job_responses_lo);
  longer(copies, other.copies);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].time = std::max(launches[i].time, other.launches[i].time);
    launches[i].block = std::max(launches[i].block, other.launches[i].block);
  }
}

Cycle occupancy(const GpuConfig& config, const BlockRecord& block) {
  return block.end - block.start + 2 * config.work_distributor.launch_latency + config.sm.launch_fetch_latency;
}

AloneTimes alone_times(const GpuConfig& config, const OneAtATime& made, const RunResult& result) {
  const Cycle hop = config.work_distributor.launch_latency;
  AloneTimes times;
  times.launches.resize(made.launches.size());
  times.responses.resize(made.launches.size());
  times.job_responses.resize(made.workload.jobs.size());
  times.copies.resize(made.workload.copies.size());
  for (const KernelRecord& kernel : result.kernels) {
    const std::uint32_t launch = made.launches[kernel.command];
    times.launches[launch].time = std::max<Cycle>(kernel.end + hop - kernel.arrived, 1);
    times.responses[launch] = kernel.notified - kernel.released;
  }
  for (const BlockRecord& block : result.blocks) {
    Cycle& longest = times.launches[made.launches[block.kernel]].block;
    longest = std::max(longest, occupancy(config, block));
  }
  for (BoundKernel& kernel : times.launches) {
    if (kernel.block == 0) kernel.block = kernel.time;  // blocks were not recorded: none takes longer than the kernel
    kernel.time = std::max(kernel.time, kernel.block);
  }
  for (const CopyRecord& copy : result.copies) times.copies[copy.command] = copy.ended - copy.arrived;
  times.job_responses_lo.resize(times.job_responses.size());
  for (const JobEnded& job : result.jobs) {
    times.job_responses[job.job] = job.notified - job.released;
    if (!made.workload.jobs[job.job].overruns) times.job_responses_lo[job.job] = times.job_responses[job.job];
  }
  return times;
}

std::vector<SwitchTimes> longest_switches(const Workload& workload,
                                          const std::vector<const std::vector<SliceEnded>*>& runs) {
  std::vector<SwitchTimes> longest(workload.applications.size());
  for (const std::vector<SliceEnded>* const slices : runs) {
    for (const SliceEnded& slice : *slices) {
      SwitchTimes& of = longest[slice.application];
      of.leaves = std::max(of.leaves, slice.off - slice.end);
      of.comes = std::max(of.comes, slice.start - slice.come);
    }
  }
  return longest;
}

}  // namespace gputlm
