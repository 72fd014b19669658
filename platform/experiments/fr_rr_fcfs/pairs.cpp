#include "platform/experiments/fr_rr_fcfs/pairs.h"

#include <algorithm>

#include "platform/lab/plan.h"

namespace gputlm {
namespace {

/// Each once, in the order of their first workload.
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

ApplicationPairs memory_workloads(const ExperimentOptions& options) {
  ApplicationPairs pairs;
  for (const auto& programs : plan("fr-rr-fcfs/workloads", options).workloads()) {
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
