/// The workloads of two applications of fr-rr-fcfs (table 3), run under FR-FCFS and under FR-RR-FCFS, and what the
/// second makes of the first's figures (section 5).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/lab/experiment.h"

namespace gputlm {

/// An application by itself, under FR-FCFS.
struct AloneOutcome {
  MemoryOutcome on_60;
  MemoryOutcome on_30;  ///< without applications where it was not run
};

/// A workload of two applications under both schedulers.
struct WorkloadOutcome {
  std::string first, second;
  MemoryOutcome fr_fcfs, fr_rr_fcfs;
  Metrics fr_fcfs_metrics, fr_rr_fcfs_metrics;
  std::string name() const { return first + "_" + second; }
};

using AloneOutcomes = std::map<std::string, AloneOutcome>;
using WorkloadOutcomes = std::vector<WorkloadOutcome>;
struct WorkloadResults {
  AloneOutcomes alone;
  WorkloadOutcomes workloads;
};

using ApplicationPairs = std::vector<std::pair<std::string, std::string>>;
/// All 14, or the three of the quick forms.
ApplicationPairs memory_workloads(const ExperimentOptions& options);

enum class AloneOn { k60, k60And30 };

/// Runs every pair with queues of every one of `queues` entries a controller (0: the preset's), and each application
/// alone with the same queue, to which the metrics refer. One result a queue.
std::vector<WorkloadResults> run_workloads(const ApplicationPairs& pairs, const std::vector<unsigned>& queues,
                                           AloneOn alone_on, const ExperimentOptions& options);

double fairness_gain(const WorkloadOutcome& w);  ///< by what part of itself the fairness index falls
double throughput(const WorkloadOutcome& w);     ///< instruction throughput over FR-FCFS's
double speedup(const WorkloadOutcome& w);        ///< weighted speedup over FR-FCFS's

/// A table of what FR-RR-FCFS makes of a workload over FR-FCFS: `keys` say of which.
Table gains_table(std::vector<TableColumn> keys);
void add_gains(Table& table, std::vector<Cell> keys, const WorkloadOutcome& w);

using Measure = std::function<double(const WorkloadOutcome&)>;
double mean(const WorkloadOutcomes& workloads, const Measure& measure);

}  // namespace gputlm
