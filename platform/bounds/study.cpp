#include "platform/bounds/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/kernel/random.h"
#include "platform/lab/run_set.h"

namespace gputlm {
namespace {

/// Releases of a task's jobs.
struct Releases {
  Femtoseconds first = kNever, last = 0;
  std::uint64_t jobs = 0;
  Femtoseconds mean_distance() const { return jobs > 1 ? (last - first) / (jobs - 1) : 0; }
};

std::vector<Releases> releases_of(const Workload& workload) {
  std::vector<Releases> all(workload.tasks.size());
  for (const JobSpec& job : workload.jobs) {
    Releases& task = all[job.task];
    task.first = std::min(task.first, job.release);
    task.last = std::max(task.last, job.release);
    ++task.jobs;
  }
  return all;
}

}  // namespace

Workload in_phase(const Workload& workload, std::uint64_t phase, std::uint64_t seed) {
  Workload moved = workload;
  if (phase == 0) return moved;
  const std::vector<Releases> releases = releases_of(workload);
  Femtoseconds latest = 0;
  for (const Releases& task : releases) {
    if (task.jobs > 0) latest = std::max(latest, task.first);
  }
  std::vector<Femtoseconds> later(releases.size());
  for (std::size_t t = 0; t < releases.size(); ++t) {
    if (releases[t].jobs == 0) continue;
    later[t] = phase == 1 ? latest - releases[t].first
                          : uniform_below(derive(derive(mix(seed), phase), t), releases[t].mean_distance() + 1);
  }
  for (LaunchCommand& launch : moved.launches) {
    if (launch.job) launch.release += later[workload.jobs[*launch.job].task];
  }
  for (JobSpec& job : moved.jobs) job.release += later[job.task];
  return moved;
}

AloneTimes measure_alone(const GpuConfig& config, const std::vector<Workload>& seeds,
                         const std::shared_ptr<const DurationTable>& durations, const JobOptions& options) {
  std::vector<OneAtATime> made;
  RunSet<std::size_t> runs;
  const auto add = [&](const Workload& workload, bool overruns) {
    made.push_back(one_at_a_time(workload, overruns));
    runs.add(made.size() - 1, {config, made.back().workload, true, false, durations});
  };
  for (const Workload& workload : seeds) {
    const std::string why = no_analysis(config, workload);
    if (!why.empty()) throw InputError("bounds: no analysis: " + why);
    add(workload, false);
    if (workload.has_modes()) add(workload, true);
  }
  runs.run(options);
  AloneTimes alone = alone_times(config, made.front(), runs.result(0));
  for (std::size_t i = 1; i < made.size(); ++i) alone.add(alone_times(config, made[i], runs.result(i)));
  return alone;
}

std::vector<JobAboveBound> jobs_above(const std::vector<TaskBound>& bounds, const Workload& workload,
                                      const std::vector<JobEnded>& jobs) {
  std::map<std::uint32_t, JobAboveBound> first;
  for (const JobEnded& job : jobs) {
    const std::uint32_t task = workload.jobs[job.job].task;
    const Cycle response = job.notified - job.released;
    const std::optional<Cycle> bound = bounds[task].of(job);
    if (bound && response > *bound) first.emplace(task, JobAboveBound{job, response, *bound});
  }
  std::vector<JobAboveBound> all;
  for (const auto& [task, job] : first) all.push_back(job);
  return all;
}

namespace {

/// A launch that had a block longer than alone, with its longest block.
struct Lengthened {
  std::uint32_t launch = 0;
  Cycle alone = 0, took = 0;  ///< times of the longest block
  double factor() const { return static_cast<double>(took) / static_cast<double>(alone); }
};

/// The launch that was lengthened most, of those for which `is_looked_at` is true; none if none was lengthened.
template <class Wanted>
std::optional<Lengthened> lengthened_most(const GpuConfig& config, const Workload& workload, const AloneTimes& alone,
                                          const RunResult& result, Wanted is_looked_at) {
  std::vector<Cycle> longest(workload.launches.size());
  std::vector<std::uint32_t> command_of(result.kernels.size());
  for (const KernelRecord& kernel : result.kernels) {
    if (kernel.id >= command_of.size()) command_of.resize(kernel.id + 1u);
    command_of[kernel.id] = kernel.command;
  }
  for (const BlockRecord& block : result.blocks) {
    if (block.kernel >= command_of.size()) continue;
    Cycle& most = longest[command_of[block.kernel]];
    most = std::max(most, occupancy(config, block));
  }
  std::optional<Lengthened> most;
  for (std::uint32_t launch = 0; launch < longest.size(); ++launch) {
    const Lengthened one{launch, alone.launches[launch].block, longest[launch]};
    if (one.took <= one.alone || !is_looked_at(workload.launches[launch])) continue;
    if (!most || one.factor() > most->factor()) most = one;
  }
  return most;
}

std::string text_of(const Workload& workload, const Lengthened& lengthened, const Clock& clock) {
  const LaunchCommand& launch = workload.launches[lengthened.launch];
  return fmt::format("a block of '{}' (application {}) took {:.2f} us, {:.2f} times as long as alone", launch.label,
                     workload.applications[workload.streams[launch.stream].application].name,
                     static_cast<double>(clock.edge(lengthened.took)) * 1e-9, lengthened.factor());
}

/// The assumption of the analysis (docs/bounds.md) that did not hold in a run with a job above its bound.
std::string not_kept(const GpuConfig& config, const Workload& workload, const AloneTimes& alone,
                     const RunResult& result, const JobAboveBound& above) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  const std::uint32_t task = workload.jobs[above.job.job].task;
  const auto is_own = [&](const LaunchCommand& launch) {
    return launch.job && workload.jobs[*launch.job].task == task;
  };
  const auto own = lengthened_most(config, workload, alone, result, is_own);
  const auto other =
      lengthened_most(config, workload, alone, result, [&](const auto& launch) { return !is_own(launch); });
  std::string text = "assumed that a kernel takes no longer beside others than alone; ";
  if (own) text += text_of(workload, *own, clock);
  if (own && other) text += "; ";
  if (other) text += text_of(workload, *other, clock);
  if (!own && !other) return "no block took longer than alone: the analysis is wrong, which is a defect to be reported";
  return text;
}

}  // namespace

BoundStudy study_bounds(const GpuConfig& config, const std::vector<Workload>& seeds, std::uint64_t phases,
                        const JobOptions& options) {
  BoundStudy study;
  const AloneTimes alone = measure_alone(config, seeds, nullptr, options);
  study.simulated.resize(seeds.front().tasks.size());
  using Place = std::pair<std::size_t, std::size_t>;  // seed, phase
  RunSet<Place> runs;
  for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
    for (std::size_t phase = 0; phase < phases; ++phase)
      runs.add({seed, phase}, {config, in_phase(seeds[seed], phase, seed), false});
  }
  runs.run(options);
  std::vector<const Workload*> workloads;
  for (const Workload& workload : seeds) workloads.push_back(&workload);
  std::vector<const std::vector<SliceEnded>*> slices;
  for (const Place& place : runs.keys()) slices.push_back(&runs.result(place).engine_slices);
  study.bounds = bounds_of(config, workloads, alone, longest_switches(seeds.front(), slices));
  const Clock clock = Clock::from_mhz(config.core_mhz);
  std::map<std::uint32_t, Place> with_it;  // run with the longest job above its bound, by task
  for (const Place& place : runs.keys()) {
    const Workload& workload = seeds[place.first];
    const RunResult& result = runs.result(place);
    for (const JobEnded& job : result.jobs) {
      const std::uint32_t task = workload.jobs[job.job].task;
      SimulatedTask& simulated = study.simulated[task];
      const Response response(job.released, job.notified, workload.tasks[task].deadline, clock);
      ++simulated.jobs;
      simulated.missed += !response.met().value_or(true);
      if (!job.in_hi_mode) simulated.worst_lo = std::max(simulated.worst_lo, response.cycles);
      if (job.in_hi_mode && study.bounds[task].only_in_lo_mode) continue;
      if (response.cycles <= simulated.worst) continue;
      simulated.worst = response.cycles;
      simulated.seed = place.first;
      simulated.phase = place.second;
    }
    for (const JobDropped& job : result.dropped) ++study.simulated[workload.jobs[job.job].task].dropped;
    for (const JobAboveBound& above : jobs_above(study.bounds, workload, result.jobs)) {
      SimulatedTask& simulated = study.simulated[workload.jobs[above.job.job].task];
      if (simulated.above && above.response <= simulated.above->response) continue;
      simulated.above = above;
      with_it[workload.jobs[above.job.job].task] = place;
    }
  }
  RunSet<Place> with_blocks;
  for (const auto& [task, place] : with_it) {
    if (!with_blocks.has(place))
      with_blocks.add(place, {config, in_phase(seeds[place.first], place.second, place.first), true});
  }
  with_blocks.run(options);
  for (const auto& [task, place] : with_it) {
    study.simulated[task].not_kept =
        not_kept(config, seeds[place.first], alone, with_blocks.result(place), *study.simulated[task].above);
  }
  study.runs = runs.size();
  return study;
}

}  // namespace gputlm
