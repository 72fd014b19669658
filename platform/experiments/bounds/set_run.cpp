#include "platform/experiments/bounds/set_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "models/host/workload.h"
#include "models/kernel/random.h"
#include "models/kernel/record_text.h"
#include "platform/bounds/study.h"
#include "platform/files/json_text.h"
#include "platform/input/durations_file.h"
#include "platform/input/parameters.h"
#include "platform/lab/experiment_runs.h"
#include "platform/run/check_fits.h"
#include "platform/run/simulation.h"
#include "tlm/base/bytes.h"
#include "tlm/base/digest.h"

namespace gputlm {
namespace {

/// Workloads with the same applications and streams, in sequence: each begins when the previous one has ended.
class Sequence {
 public:
  /// The position of a workload's parts.
  struct Part {
    std::uint32_t first_launch = 0, launches = 0, first_job = 0, jobs = 0;
  };
  /// Its threads must only release jobs and launch kernels.
  void add(const Workload& workload);
  const Workload& workload() const { return all_; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  Workload all_;
  std::vector<Part> parts_;
  unsigned phases_ = 0;
};

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

constexpr std::string_view kSetsKind = "task sets";
constexpr unsigned kLaunchesOfASet = 200;  // approximate number of launches of a set

/// The simulations of a set.
struct SetWorkloads {
  std::vector<DrawnTask> tasks;
  std::vector<OneAtATime> alone;   ///< jobs one at a time: without jobs that overrun, and with them
  std::vector<Workload> together;  ///< complete sets: with simultaneous first releases, and with random ones
};

/// The tasks of a set as a workload.
Workload workload_of(const SetRun& run, const std::vector<DrawnTask>& set, const std::vector<Femtoseconds>& first,
                     Femtoseconds until, std::uint64_t key) {
  TaskSetSpec spec = run.spec;
  spec.duration = until;
  Workload workload;
  LaunchList launches;
  add_task_set(spec, set, first, run.like, key, workload, launches);
  launches.move_to(workload);
  return workload;
}

SetWorkloads workloads_of(const SetRun& run, std::uint64_t number) {
  const auto percent = static_cast<std::uint64_t>(std::llround(100 * run.spec.utilisation));
  const std::uint64_t key = derive(mix(run.seed), derive(percent, number));
  const std::vector<DrawnTask> set = draw_task_set(run.spec, run.config, key);
  std::vector<Femtoseconds> none(set.size()), offsets;
  for (std::size_t t = 0; t < set.size(); ++t)
    offsets.push_back(uniform_below(derive(derive(mix(~run.seed), number), t), set[t].period));
  const Femtoseconds until = longest_period(set) * run.longest_periods;
  const Workload one = workload_of(run, set, none, 1, key);
  std::vector<OneAtATime> alone{one_at_a_time(one, false)};
  if (one.has_modes()) alone.push_back(one_at_a_time(one, true));
  return {
      set, std::move(alone), {workload_of(run, set, none, until, key), workload_of(run, set, offsets, until, ~key)}};
}

/// The result of a part of a sequence, as if it had run alone.
RunResult part_of(const RunResult& all, const Sequence::Part& part) {
  RunResult result;
  for (KernelRecord kernel : all.kernels) {
    if (kernel.command - part.first_launch >= part.launches) continue;
    kernel.command -= part.first_launch;
    result.kernels.push_back(kernel);
  }
  for (JobEnded job : all.jobs) {
    if (job.job - part.first_job >= part.jobs) continue;
    job.job -= part.first_job;
    result.jobs.push_back(job);
  }
  for (JobDropped job : all.dropped) {
    if (job.job - part.first_job >= part.jobs) continue;
    job.job -= part.first_job;
    result.dropped.push_back(job);
  }
  return result;
}

/// Times of all jobs alone, from the first job of each task.
AloneTimes of_all_jobs(const AloneTimes& first, const Workload& one, const Workload& workload) {
  std::map<std::pair<std::uint32_t, bool>, std::size_t> places;  // indices of launches, by task and whether beyond the
                                                                 // budget
  for (std::size_t l = 0; l < one.launches.size(); ++l)
    places[{one.jobs[*one.launches[l].job].task, one.launches[l].beyond_budget}] = l;
  AloneTimes all;
  for (const LaunchCommand& launch : workload.launches) {
    const std::size_t place = places.at({workload.jobs[*launch.job].task, launch.beyond_budget});
    all.launches.push_back(first.launches[place]);
    all.responses.push_back(first.responses[place]);
  }
  for (const JobSpec& job : workload.jobs) {
    all.job_responses.push_back(first.job_responses[job.task]);
    all.job_responses_lo.push_back(first.job_responses_lo[job.task]);
  }
  return all;
}

/// A block spins until its time is over; sending it and noticing its end take a hop each, and it may wait for its launch's
/// code.
void bound_blocks(const SetRun& run, const Workload& one, AloneTimes& alone) {
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  for (std::size_t l = 0; l < one.launches.size(); ++l) {
    const std::unique_ptr<BlockCode> code = one.launches[l].kernel->code(0);
    const Cycle block = clock.at_or_after(code->spin(0, 0)) + 2 * run.config.work_distributor.launch_latency +
                        run.config.sm.launch_fetch_latency + run.config.sm.warps;
    alone.launches[l].block = std::min(alone.launches[l].time, block);
  }
}

SetOutcome outcome(const SetRun& run, const SetWorkloads& set, const std::vector<RunResult>& alone,
                   const std::vector<RunResult>& together) {
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  const Workload one = workload_of(run, set.tasks, std::vector<Femtoseconds>(set.tasks.size()), 1, 0);
  AloneTimes first = alone_times(run.config, set.alone.front(), alone.front());
  if (alone.size() > 1) first.add(alone_times(run.config, set.alone.back(), alone.back()));
  bound_blocks(run, one, first);
  std::vector<const Workload*> workloads;
  for (const Workload& workload : set.together) workloads.push_back(&workload);
  const std::vector<TaskBound> bounds = bounds_of(run.config, workloads, of_all_jobs(first, one, set.together.front()),
                                                  longest_switches(set.together.front(), {}));
  const std::vector<TaskSpec>& tasks = set.together.front().tasks;
  SetOutcome result{true, true, true};
  std::vector<Cycle> longest(tasks.size());
  for (std::size_t i = 0; i < together.size(); ++i) {
    for (const JobEnded& job : together[i].jobs) {
      const std::uint32_t task = set.together[i].jobs[job.job].task;
      const Response response(job.released, job.notified, tasks[task].deadline, clock);
      const bool is_lo = tasks[task].criticality == Criticality::kLo;
      result.lo_jobs += is_lo;
      if (!*response.met() && !(is_lo && job.in_hi_mode)) result.by_simulation = false;
      const std::optional<Cycle> bound = bounds[task].of(job);
      if (!bound) continue;
      longest[task] = std::max(longest[task], response.cycles);
      ++result.bounded;
      result.above += response.cycles > *bound;
    }
    result.lo_jobs += together[i].dropped.size();
    result.dropped += together[i].dropped.size();
  }
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto& bound = bounds[t].bound.cycles;
    const Cycle deadline = clock.at_or_before(*tasks[t].deadline);
    if (!bound || *bound > deadline) result.whatever_the_mode = false;
    const bool in_lo_mode = bounds[t].lo && tasks[t].criticality == Criticality::kLo;
    const auto& needed = in_lo_mode ? bounds[t].lo->cycles : bound;
    if (!needed || *needed > deadline) result.by_analysis = false;
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
    for (const OneAtATime& alone : set.alone) sequence.add(alone.workload);
    for (const Workload& workload : set.together) sequence.add(workload);
  }
  RunOptions options;
  options.window = execution.window;
  options.threads = execution.threads;
  options.durations = run.durations.get();
  check_fits(run.config, sequence.workload());
  const RunResult all = simulate(run.config, sequence.workload(), options);
  if (all.state != RunState::kComplete) throw std::runtime_error(fmt::format("the run ended {}", to_string(all.state)));
  std::vector<SetOutcome> results;
  std::size_t next = 0;
  for (const SetWorkloads& set : sets) {
    std::vector<RunResult> alone, together;
    for (std::size_t i = 0; i < set.alone.size(); ++i) alone.push_back(part_of(all, sequence.parts()[next++]));
    for (std::size_t i = 0; i < set.together.size(); ++i) together.push_back(part_of(all, sequence.parts()[next++]));
    results.push_back(outcome(run, set, alone, together));
  }
  return bytes_of(kSetsKind, results);
}

}  // namespace

void SetShare::add(const SetOutcome& set) {
  SetShare one;
  one.sets = 1;
  one.by_analysis = set.by_analysis;
  one.whatever_the_mode = set.whatever_the_mode;
  one.by_simulation = set.by_simulation;
  one.accepted_and_missed = set.by_analysis && !set.by_simulation;
  one.bounded = set.bounded;
  one.above = set.above;
  one.bounds = set.bounds;
  one.lo_jobs = set.lo_jobs;
  one.dropped = set.dropped;
  one.of_bounds = set.of_bounds;
  add(one);
}

void SetShare::add(const SetShare& other) {
  for (const auto count : {&SetShare::sets, &SetShare::by_analysis, &SetShare::whatever_the_mode,
                           &SetShare::by_simulation, &SetShare::accepted_and_missed, &SetShare::bounded,
                           &SetShare::above, &SetShare::bounds, &SetShare::lo_jobs, &SetShare::dropped})
    this->*count += other.*count;
  of_bounds += other.of_bounds;
}

SetShares shares_of_sets(const Study& plan, const std::string& by,
                         const std::function<SetRun(const std::string&, unsigned)>& run_of, const JobOptions& jobs) {
  constexpr unsigned kOfARun = 25;
  RunSet<std::pair<std::pair<std::string, unsigned>, std::uint64_t>, SetRun> runs;
  const unsigned sets = plan.number("sets");
  for (const std::string& value : plan.values(by)) {
    for (const unsigned utilisation : plan.numbers("utilisation_percent")) {
      for (std::uint64_t first = 0; first < sets; first += kOfARun) {
        SetRun run = run_of(value, utilisation);
        run.first = first;
        run.sets = std::min<unsigned>(kOfARun, sets - static_cast<unsigned>(first));
        runs.add({{value, utilisation}, first}, std::move(run));
      }
    }
  }
  runs.run(jobs);
  SetShares shares;
  for (const auto& key : runs.keys()) {
    for (const SetOutcome& set : runs.result(key)) shares[key.first].add(set);
  }
  return shares;
}

TaskSetSpec task_set_spec(const Study& plan, unsigned utilisation_percent) {
  TaskSetSpec spec;
  spec.tasks = plan.number("tasks");
  spec.utilisation = utilisation_percent / 100.0;
  const std::vector<unsigned> periods = plan.numbers("period_us"), blocks = plan.numbers("block_us");
  spec.shortest_period = periods.at(0) * kMicrosecond;
  spec.longest_period = periods.at(1) * kMicrosecond;
  spec.shortest_block = blocks.at(0) * kMicrosecond;
  spec.longest_block = blocks.at(1) * kMicrosecond;
  return spec;
}

GpuRun SetRun::gpu_run() {
  return {config, durations, [this] { return workloads_of(*this, first).together.front(); }};
}

Job SetRun::job() const {
  return {digest(fmt::format("task sets {} {} {} {} {} {} {}\n{}\n{}", program_digest(), record_text(spec),
                             record_text(like), seed, first, sets, longest_periods, json_text(to_json(config)),
                             durations ? to_text(*durations) : "")),
          [this](const Execution& execution) { return outcomes(*this, execution); },
          estimated_memory(config, Workload{}) + sets * kLaunchesOfASet * kBytesOfLaunch};
}

SetRun::Result SetRun::result(std::string_view bytes) { return from_bytes<Result>(kSetsKind, bytes); }

}  // namespace gputlm
