#include "platform/experiments/bounds/set_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/kernel/random.h"
#include "platform/bounds/study.h"
#include "platform/files/json_text.h"
#include "platform/input/durations_file.h"
#include "platform/input/parameters.h"
#include "platform/run/memory_estimate.h"
#include "platform/run/simulation.h"
#include "tlm/bytes.h"
#include "tlm/digest.h"

namespace gputlm {
namespace {

constexpr std::string_view kSetsKind = "task sets";
constexpr unsigned kLaunchesOfASet = 200;  // about

/// What a set is simulated as.
struct SetWorkloads {
  std::vector<DrawnTask> tasks;
  OneAtATime alone;
  std::vector<Workload> together;  ///< from a release of all at once, and from a random one
};

SetWorkloads workloads_of(const SetRun& run, std::uint64_t number) {
  const std::vector<DrawnTask> set = draw_task_set(run.range, run.config, run.seed, number);
  std::vector<Femtoseconds> none(set.size()), offsets;
  for (std::size_t t = 0; t < set.size(); ++t)
    offsets.push_back(uniform_below(derive(derive(mix(~run.seed), number), t), set[t].period));
  const Femtoseconds until = set.back().period * run.longest_periods;
  return {set,
          one_at_a_time(workload_of(set, run.sharing, 0, none)),
          {workload_of(set, run.sharing, until, none), workload_of(set, run.sharing, until, offsets)}};
}

/// What has become of a part of a sequence, as if it had been alone.
RunResult part_of(const RunResult& all, const Sequence::Part& part) {
  RunResult result;
  for (KernelRecord kernel : all.kernels) {
    if (kernel.command - part.first_launch >= part.launches) continue;
    kernel.command -= part.first_launch;
    result.kernels.push_back(std::move(kernel));
  }
  for (JobEnded job : all.jobs) {
    if (job.job - part.first_job >= part.jobs) continue;
    job.job -= part.first_job;
    result.jobs.push_back(job);
  }
  return result;
}

/// What all jobs of the tasks take alone, of the first of each.
AloneTimes of_all_jobs(const AloneTimes& first, const Workload& workload) {
  AloneTimes all;
  for (const LaunchCommand& launch : workload.launches) {
    const std::uint32_t task = workload.jobs[*launch.job].task;
    all.launches.push_back(first.launches[task]);
    all.responses.push_back(first.responses[task]);
  }
  for (const JobSpec& job : workload.jobs) all.job_responses.push_back(first.job_responses[job.task]);
  return all;
}

SetOutcome outcome(const SetRun& run, const SetWorkloads& set, const RunResult& alone,
                   const std::vector<RunResult>& together) {
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  AloneTimes first = alone_times(run.config, set.alone, alone);
  for (std::size_t t = 0; t < set.tasks.size(); ++t) {
    // A block spins until its time is over; it is sent and heard of a hop apart, and may wait for its launch's code.
    const Cycle block = clock.at_or_after(set.tasks[t].block) + 2 * run.config.work_distributor.launch_latency +
                        run.config.sm.launch_fetch_latency + run.config.sm.warps;
    first.launches[t].block = std::min(first.launches[t].time, block);
  }
  std::vector<const Workload*> workloads;
  for (const Workload& workload : set.together) workloads.push_back(&workload);
  const std::vector<TaskBound> bounds = bounds_of(run.config, workloads, of_all_jobs(first, set.together.front()),
                                                  longest_switches(set.together.front(), {}));
  const std::vector<TaskSpec>& tasks = set.together.front().tasks;
  SetOutcome result{true, true};
  std::vector<Cycle> longest(tasks.size());
  for (std::size_t i = 0; i < together.size(); ++i) {
    for (const JobEnded& job : together[i].jobs) {
      const std::uint32_t task = set.together[i].jobs[job.job].task;
      const Response response(job.released, job.notified, tasks[task].deadline, clock);
      longest[task] = std::max(longest[task], response.cycles);
      if (!*response.met()) result.by_simulation = false;
      if (!bounds[task].bound.cycles) continue;
      ++result.bounded;
      result.above += response.cycles > *bounds[task].bound.cycles;
    }
  }
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto& bound = bounds[t].bound.cycles;
    if (!bound || *bound > clock.at_or_before(*tasks[t].deadline)) result.by_analysis = false;
    if (!bound) continue;
    ++result.bounds;
    result.of_bounds += static_cast<double>(longest[t]) / static_cast<double>(*bound);
  }
  return result;
}

std::string outcomes(const SetRun& run, const Execution& execution) {
  Sequence sequence;
  std::vector<SetWorkloads> sets;
  for (unsigned i = 0; i < run.sets; ++i) {
    const SetWorkloads& set = sets.emplace_back(workloads_of(run, run.first + i));
    sequence.add(set.alone.workload);
    for (const Workload& workload : set.together) sequence.add(workload);
  }
  RunOptions options;
  options.window = execution.window;
  options.threads = execution.threads;
  options.durations = run.durations.get();
  const RunResult all = simulate(run.config, sequence.workload(), options);
  if (all.state != RunState::kComplete) throw std::runtime_error(fmt::format("the run ended {}", to_string(all.state)));
  std::vector<SetOutcome> results;
  std::size_t next = 0;
  for (const SetWorkloads& set : sets) {
    const RunResult alone = part_of(all, sequence.parts()[next++]);
    std::vector<RunResult> together;
    for (std::size_t i = 0; i < set.together.size(); ++i) together.push_back(part_of(all, sequence.parts()[next++]));
    results.push_back(outcome(run, set, alone, together));
  }
  return bytes_of(kSetsKind, results);
}

}  // namespace

GpuRun SetRun::gpu_run() {
  return {config, durations, [this] { return workloads_of(*this, first).together.front(); }};
}

Job SetRun::job() const {
  return {
      digest(fmt::format("task sets {} {} {} {} {} {} {} {} {} {} {} {} {}\n{}\n{}", program_digest(), range.tasks,
                         range.utilisation_percent, range.period_us.first, range.period_us.second, range.block_us.first,
                         range.block_us.second, sharing.levels, sharing.sm_percent.value_or(0), seed, first, sets,
                         longest_periods, json_text(to_json(config)), durations ? to_text(*durations) : "")),
      [this](const Execution& execution) { return outcomes(*this, execution); },
      estimated_memory(config, Workload{}) + sets * kLaunchesOfASet * kBytesOfLaunch};
}

SetRun::Result SetRun::result(std::string_view bytes) { return from_bytes<Result>(kSetsKind, bytes); }

}  // namespace gputlm
