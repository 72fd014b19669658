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
#include "tlm/time.h"

namespace gputlm {

/// The six applications of table 2, by name. Generated from workloads/memory/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& memory_application_sources();
/// One application with one kernel, and addresses of its own, so that any two can run side by side. Throws InputError if
/// there is no such application.
Workload memory_application(const std::string& name, std::uint64_t seed);

/// One application on the first `sms` SMs, or two: the first on the lower half of the SMs, the second on the upper, the
/// one that ends first launched again until the other has ended once.
struct MemoryRun {
  std::vector<std::string> applications;
  std::string scheduler = "fr_fcfs";
  unsigned row_hit_cap = 0;
  unsigned sms = 60;   ///< of an application alone
  unsigned queue = 0;  ///< entries of a controller's queue; 0: as many as the preset has
  std::vector<std::pair<std::string, std::string>> settings = {};  ///< more of the GPU's parameters
};

/// Shares are of the DRAM cycles of all channels during the run.
struct ApplicationShare {
  double ipc = 0;           ///< instructions of threads a core cycle of the run
  double useful = 0;        ///< cycles in which the data bus moves its data
  std::uint64_t ended = 0;  ///< how often it ended
};

struct MemoryOutcome {
  Cycle cycles = 0;  ///< core cycles
  std::vector<ApplicationShare> applications;
  double wasted = 0;        ///< no data moves, but requests are pending
  double idle = 0;          ///< nothing is pending
  double row_hit_rate = 0;  ///< of accesses: the row of its first burst was open
  double useful() const;    ///< of all applications
};

using MemoryOutcomes = std::map<MemoryRun, MemoryOutcome, KeyOrder<MemoryRun>>;
/// Carries out every run, once each.
MemoryOutcomes run_memory(const std::vector<MemoryRun>& runs, const ExperimentOptions& options);

/// Section 2.3. Of one application: 1 if it runs as fast as alone.
struct Metrics {
  double slowdown[2];       ///< equation 1: IPC shared over IPC alone
  double weighted_speedup;  ///< equation 2
  double instructions;      ///< equation 3: instruction throughput
  double fairness_index;    ///< equation 4; 1 is fair
};
Metrics metrics(const MemoryOutcome& shared, const MemoryOutcome& first_alone, const MemoryOutcome& second_alone);

/// A table with a line a run: `keys` say which, the other columns what came out.
Table memory_table(std::vector<TableColumn> keys);
void add_run(Table& table, std::vector<Cell> keys, const MemoryOutcome& outcome,
             const std::optional<Metrics>& metrics = std::nullopt);

// The workloads of two applications of fr-rr-fcfs (table 3), run under FR-FCFS and under FR-RR-FCFS, and what the
// second makes of the first's figures (section 5).

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
