/// Runs of the six applications of fr-rr-fcfs on baseline60, alone or two at a time (section 2.2), and the metrics of
/// section 2.3 and figure 4.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/host/workload.h"
#include "platform/input/preset.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "tlm/base/time.h"

namespace gputlm {

/// The six applications of table 2, by name. Generated from workloads/memory/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& memory_application_sources();
/// One application with one kernel, at addresses of its own, so that any two can run side by side. Throws InputError if the
/// application does not exist.
Workload memory_application(const std::string& name, std::uint64_t seed);

/// One application on the first `sms` SMs, or two: the first on the lower half of the SMs, the second on the upper. The one
/// that ends first is relaunched until the other has ended once.
struct MemoryRun {
  std::vector<std::string> applications;
  std::string scheduler = "fr_fcfs";
  unsigned row_hit_cap = 0;
  unsigned sms = 60;   ///< number of SMs of an application alone
  unsigned queue = 0;  ///< entries of a controller's queue; 0: as in the preset
  std::vector<std::pair<std::string, std::string>> settings = {};  ///< further parameters of the GPU
};

/// Shares refer to the DRAM cycles of all channels during the run.
struct ApplicationShare {
  double ipc = 0;           ///< thread instructions per core cycle of the run
  double useful = 0;        ///< share of cycles in which the data bus moves its data
  std::uint64_t ended = 0;  ///< number of times that it ended
};

struct MemoryOutcome {
  Cycle cycles = 0;  ///< duration in core cycles
  std::vector<ApplicationShare> applications;
  double wasted = 0;        ///< share of cycles in which requests are pending but no data moves
  double idle = 0;          ///< share of cycles in which nothing is pending
  double row_hit_rate = 0;  ///< share of accesses whose first burst finds its row open
  double useful() const;    ///< sum over all applications
};

using MemoryOutcomes = std::map<MemoryRun, MemoryOutcome, KeyOrder<MemoryRun>>;
/// Carries out every run, once each.
MemoryOutcomes run_memory(const std::vector<MemoryRun>& runs, const ExperimentOptions& options);

/// Section 2.3. For a single application: 1 if it runs as fast as alone.
struct Metrics {
  double slowdown[2];       ///< equation 1: IPC shared over IPC alone
  double weighted_speedup;  ///< equation 2
  double instructions;      ///< equation 3: instruction throughput
  double fairness_index;    ///< equation 4; 1 is fair
};
Metrics metrics(const MemoryOutcome& shared, const MemoryOutcome& first_alone, const MemoryOutcome& second_alone);

/// A table with one line per run: `keys` identify the run, the other columns are results.
Table memory_table(std::vector<TableColumn> keys);
void add_run(Table& table, std::vector<Cell> keys, const MemoryOutcome& outcome,
             const std::optional<Metrics>& metrics = std::nullopt);

// The workloads of two applications of fr-rr-fcfs (table 3) under FR-FCFS and FR-RR-FCFS, and how the latter changes the
// figures of the former (section 5).

/// An application by itself, under FR-FCFS.
struct AloneOutcome {
  MemoryOutcome on_60;
  MemoryOutcome on_30;  ///< outcome on 30 SMs; without applications if it was not run
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
/// All 14 pairs, or the three of the quick form.
ApplicationPairs memory_workloads(const ExperimentOptions& options);

enum class AloneOn { k60, k60And30 };

/// Runs every pair with each queue size of `queues` per controller (0: the preset's), and each application alone with the
/// same queue size as the reference of the metrics. One result per queue size.
std::vector<WorkloadResults> run_workloads(const ApplicationPairs& pairs, const std::vector<unsigned>& queues,
                                           AloneOn alone_on, const ExperimentOptions& options);

double fairness_gain(const WorkloadOutcome& w);  ///< relative reduction of the fairness index by FR-RR-FCFS
double throughput(const WorkloadOutcome& w);     ///< instruction throughput relative to FR-FCFS
double speedup(const WorkloadOutcome& w);        ///< weighted speedup relative to FR-FCFS

/// A table of the gains of FR-RR-FCFS over FR-FCFS: `keys` identify the workload.
Table gains_table(std::vector<TableColumn> keys);
void add_gains(Table& table, std::vector<Cell> keys, const WorkloadOutcome& w);

using Measure = std::function<double(const WorkloadOutcome&)>;
double mean(const WorkloadOutcomes& workloads, const Measure& measure);

}  // namespace gputlm
