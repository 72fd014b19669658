#include "platform/experiments/fr_rr_fcfs/pairs.h"

#include <algorithm>

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

const ApplicationPairs& memory_workloads(bool quick) {
  // Those that the text and the figures name; table 3 prints two rows of them twice.
  static const ApplicationPairs all{{"hist", "gauss"},  {"hist", "gups"},  {"hist", "bfs"},  {"hist", "3ds"},
                                    {"hist", "dgemm"},  {"gauss", "gups"}, {"gauss", "bfs"}, {"gauss", "3ds"},
                                    {"gauss", "dgemm"}, {"gups", "bfs"},   {"gups", "3ds"},  {"gups", "dgemm"},
                                    {"bfs", "3ds"},     {"3ds", "dgemm"}};
  static const ApplicationPairs some{{"hist", "gups"}, {"hist", "bfs"}, {"gups", "3ds"}};
  return quick ? some : all;
}

std::vector<WorkloadResults> run_workloads(const ApplicationPairs& pairs, const std::vector<unsigned>& queues,
                                           AloneOn alone_on, const std::string& second_scheduler,
                                           const ExperimentOptions& options) {
  const std::vector<std::string> names = applications_of(pairs);
  std::vector<MemoryRun> runs;
  for (const unsigned queue : queues) {
    for (const auto& [first, second] : pairs) {
      runs.push_back({{first, second}, "fr_fcfs", 0, 60, queue});
      runs.push_back({{first, second}, second_scheduler, 0, 60, queue});
    }
    for (const std::string& name : names) {
      runs.push_back({{name}, "fr_fcfs", 0, 60, queue});
      if (alone_on == AloneOn::k60And30) runs.push_back({{name}, "fr_fcfs", 0, 30, queue});
    }
  }
  const auto outcomes = run_memory(runs, options.seed, options.parallel);

  std::vector<WorkloadResults> all;
  auto next = outcomes.begin();
  for (std::size_t q = 0; q < queues.size(); ++q) {
    WorkloadResults results;
    for (const auto& [first, second] : pairs) {
      WorkloadOutcome w{first, second, next[0], next[1], {}, {}};
      next += 2;
      results.workloads.push_back(std::move(w));
    }
    for (const std::string& name : names) {
      results.alone[name].on_60 = *next++;
      if (alone_on == AloneOn::k60And30) results.alone[name].on_30 = *next++;
    }
    for (WorkloadOutcome& w : results.workloads) {
      const MemoryOutcome &first = results.alone[w.first].on_60, &second = results.alone[w.second].on_60;
      w.fr_fcfs_metrics = metrics(w.fr_fcfs, first, second);
      w.fr_rr_fcfs_metrics = metrics(w.fr_rr_fcfs, first, second);
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

double mean(const WorkloadOutcomes& workloads, const Measure& measure) {
  double sum = 0;
  for (const WorkloadOutcome& w : workloads) sum += measure(w);
  return sum / static_cast<double>(workloads.size());
}

}  // namespace gputlm
