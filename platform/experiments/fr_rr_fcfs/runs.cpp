#include "platform/experiments/fr_rr_fcfs/runs.h"

#include <algorithm>

#include "models/dram/statistics.h"
#include "platform/input/workload_file.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// Adds all of `more`, an application or several, to a workload.
void add(Workload& workload, Workload more) {
  const auto applications = static_cast<ApplicationId>(workload.applications.size());
  const auto streams = static_cast<StreamId>(workload.streams.size());
  for (ApplicationSpec& application : more.applications) workload.applications.push_back(std::move(application));
  for (StreamSpec& stream : more.streams) {
    stream.application = static_cast<ApplicationId>(stream.application + applications);
    workload.streams.push_back(std::move(stream));
  }
  for (LaunchCommand& launch : more.launches) {
    launch.stream += streams;
    workload.launches.push_back(std::move(launch));
  }
}

SmSet sms_from(unsigned first, unsigned end) {
  SmSet sms;
  for (unsigned sm = first; sm < end; ++sm) sms.set(sm);
  return sms;
}

Workload workload_of(const MemoryRun& run, unsigned sms, std::uint64_t seed) {
  Workload workload;
  const std::size_t count = run.applications.size();
  for (std::size_t i = 0; i < count; ++i) {
    Workload one = memory_application(run.applications[i], seed);
    const auto half = static_cast<unsigned>(sms / 2 * i);
    one.applications.front().sms = count == 1 ? sms_from(0, run.sms) : sms_from(half, half + sms / 2);
    one.applications.front().relaunch = count > 1;
    add(workload, std::move(one));
  }
  return workload;
}

Run make_run(const MemoryRun& run, std::uint64_t seed) {
  std::vector<std::pair<std::string, std::string>> settings{{"dram.scheduler", run.scheduler},
                                                            {"dram.row_hit_cap", std::to_string(run.row_hit_cap)}};
  if (run.queue > 0) settings.emplace_back("dram.queue", std::to_string(run.queue));
  settings.insert(settings.end(), run.settings.begin(), run.settings.end());
  Run made;
  made.config = plan("fr-rr-fcfs/workloads").config_with(settings);
  made.workload = workload_of(run, made.config.sms, seed);
  made.keep_blocks = false;
  return made;
}

MemoryOutcome outcome_of(const RunResult& result) {
  const auto dram = result.units.total<DramStatistics>();
  const auto share = [&](Cycle cycles) { return static_cast<double>(cycles) / static_cast<double>(dram.cycles); };
  MemoryOutcome outcome;
  outcome.cycles = result.cycles;
  outcome.wasted = share(dram.wasted);
  outcome.idle = share(dram.idle);
  const std::uint64_t accesses = dram.row_hits + dram.row_misses + dram.row_conflicts;
  outcome.row_hit_rate = static_cast<double>(dram.row_hits) / static_cast<double>(std::max<std::uint64_t>(accesses, 1));
  for (std::size_t i = 0; i < result.applications.size(); ++i) {
    const ApplicationRecord& application = result.applications[i];
    outcome.applications.push_back(
        {static_cast<double>(application.counters.thread_instructions) / static_cast<double>(result.cycles),
         share(i < dram.applications.size() ? dram.applications[i].useful : 0), application.iterations});
  }
  return outcome;
}

/// Each application once, in the order of first use.
std::vector<std::string> applications_of(const ApplicationPairs& pairs) {
  std::vector<std::string> names;
  for (const auto& [first, second] : pairs) {
    for (const std::string& name : {first, second}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

Workload memory_application(const std::string& name, std::uint64_t seed) {
  return load_workload_text(source_named(memory_application_sources(), "application", name).yaml,
                            "workloads/memory/" + name + ".yaml", seed);
}

double MemoryOutcome::useful() const {
  double sum = 0;
  for (const ApplicationShare& application : applications) sum += application.useful;
  return sum;
}

MemoryOutcomes run_memory(const std::vector<MemoryRun>& runs, const ExperimentOptions& options) {
  RunSet<MemoryRun> set;
  for (const MemoryRun& run : runs) {
    if (!set.has(run)) set.add(run, make_run(run, options.seed));
  }
  set.run(options.jobs());
  MemoryOutcomes outcomes;
  for (const MemoryRun& run : set.keys()) outcomes.emplace(run, outcome_of(set.result(run)));
  return outcomes;
}

Metrics metrics(const MemoryOutcome& shared, const MemoryOutcome& first_alone, const MemoryOutcome& second_alone) {
  const double first = shared.applications.at(0).ipc, second = shared.applications.at(1).ipc;
  const std::vector<double> speeds{relative_speed(first, first_alone.applications.at(0).ipc),
                                   relative_speed(second, second_alone.applications.at(0).ipc)};
  return {{speeds[0], speeds[1]},
          weighted_speedup(speeds),
          instruction_throughput({first, second}),
          fairness_index(speeds)};
}

Table memory_table(std::vector<TableColumn> keys) {
  const std::vector<TableColumn> measured{
      {"cycles", "core cycles", "Time of the run", "cycles"},
      {"useful_1", "", "Share of DRAM cycles in which data of the first application moves", "1st", 3},
      {"useful_2", "", "The same of the second", "2nd", 3},
      {"useful", "", "The same of both", "", 3},
      {"wasted", "", "Share in which none moves, but requests are pending", "", 3},
      {"idle", "", "Share in which nothing is pending", "", 3},
      {"row_hit_rate", "", "Accesses whose row was open", "row hits", 3},
      {"ipc_1", "", "Instructions of threads a core cycle, first application", "IPC 1st", 2},
      {"ipc_2", "", "The same of the second", "IPC 2nd", 2},
      {"relative_speed_1", "", "IPC shared over IPC alone, first application", "speed 1st", 3},
      {"relative_speed_2", "", "The same of the second", "speed 2nd", 3},
      {"weighted_speedup", "", "weighted speedup", "WS", 3},
      {"fairness_index", "", "fairness index (1 is fair)", "FI", 3}};
  keys.insert(keys.end(), measured.begin(), measured.end());
  return Table(std::move(keys));
}

void add_run(Table& table, std::vector<Cell> keys, const MemoryOutcome& o, const std::optional<Metrics>& m) {
  const auto second = [&](double ApplicationShare::*of) {
    return o.applications.size() > 1 ? std::optional(o.applications[1].*of) : std::nullopt;
  };
  const ApplicationShare& first = o.applications.at(0);
  for (const Cell& cell :
       std::vector<Cell>{o.cycles, first.useful, second(&ApplicationShare::useful), o.useful(), o.wasted, o.idle,
                         o.row_hit_rate, first.ipc, second(&ApplicationShare::ipc)})
    keys.push_back(cell);
  if (m) keys.insert(keys.end(), {m->slowdown[0], m->slowdown[1], m->weighted_speedup, m->fairness_index});
  table.add(std::move(keys));
}

ApplicationPairs memory_workloads(const ExperimentOptions& options) {
  ApplicationPairs pairs;
  const Study workloads = plan("fr-rr-fcfs/workloads", options);
  for (const auto& programs : workloads.programs()) {
    pairs.emplace_back(programs.at(0), programs.at(1));
  }
  return pairs;
}

std::vector<WorkloadResults> run_workloads(const ApplicationPairs& pairs, const std::vector<unsigned>& queues,
                                           AloneOn alone_on, const ExperimentOptions& options) {
  const std::string second_scheduler = options.policy("fr_rr_fcfs");
  const std::vector<std::string> names = applications_of(pairs);
  const auto shared = [](const auto& pair, const std::string& scheduler, unsigned queue) {
    return MemoryRun{{pair.first, pair.second}, scheduler, 0, 60, queue};
  };
  const auto alone = [](const std::string& name, unsigned sms, unsigned queue) {
    return MemoryRun{{name}, "fr_fcfs", 0, sms, queue};
  };
  std::vector<MemoryRun> runs;
  for (const unsigned queue : queues) {
    for (const auto& pair : pairs) {
      runs.push_back(shared(pair, "fr_fcfs", queue));
      runs.push_back(shared(pair, second_scheduler, queue));
    }
    for (const std::string& name : names) {
      runs.push_back(alone(name, 60, queue));
      if (alone_on == AloneOn::k60And30) runs.push_back(alone(name, 30, queue));
    }
  }
  const auto outcomes = run_memory(runs, options);

  std::vector<WorkloadResults> all;
  for (const unsigned queue : queues) {
    WorkloadResults results;
    for (const std::string& name : names) {
      results.alone[name].on_60 = outcomes.at(alone(name, 60, queue));
      if (alone_on == AloneOn::k60And30) results.alone[name].on_30 = outcomes.at(alone(name, 30, queue));
    }
    for (const auto& pair : pairs) {
      const MemoryOutcome &fr_fcfs = outcomes.at(shared(pair, "fr_fcfs", queue)),
                          &fr_rr_fcfs = outcomes.at(shared(pair, second_scheduler, queue)),
                          &first = results.alone[pair.first].on_60, &second = results.alone[pair.second].on_60;
      results.workloads.push_back({pair.first, pair.second, fr_fcfs, fr_rr_fcfs, metrics(fr_fcfs, first, second),
                                   metrics(fr_rr_fcfs, first, second)});
    }
    all.push_back(std::move(results));
  }
  return all;
}

double fairness_gain(const WorkloadOutcome& w) {
  return 1 - w.fr_rr_fcfs_metrics.fairness_index / w.fr_fcfs_metrics.fairness_index;
}

double throughput(const WorkloadOutcome& w) {
  return w.fr_rr_fcfs_metrics.instructions / w.fr_fcfs_metrics.instructions;
}

double speedup(const WorkloadOutcome& w) {
  return w.fr_rr_fcfs_metrics.weighted_speedup / w.fr_fcfs_metrics.weighted_speedup;
}

Table gains_table(std::vector<TableColumn> keys) {
  const std::vector<TableColumn> gains{{"fairness_index", "", "Fairness index over FR-FCFS's", "FI", 3},
                                       {"instruction_throughput", "", "Instruction throughput over FR-FCFS's", "IT", 3},
                                       {"weighted_speedup", "", "Weighted speedup over FR-FCFS's", "WS", 3}};
  keys.insert(keys.end(), gains.begin(), gains.end());
  return Table(std::move(keys));
}

void add_gains(Table& table, std::vector<Cell> keys, const WorkloadOutcome& w) {
  keys.insert(keys.end(), {1 - fairness_gain(w), throughput(w), speedup(w)});
  table.add(std::move(keys));
}

double mean(const WorkloadOutcomes& workloads, const Measure& measure) {
  double sum = 0;
  for (const WorkloadOutcome& w : workloads) sum += measure(w);
  return sum / static_cast<double>(workloads.size());
}

}  // namespace gputlm
