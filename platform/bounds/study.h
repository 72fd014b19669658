/// Compares bounds with simulations: the workload alone, as input of the analysis, and as it is, over seeds and phases.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/sm/blocks/table.h"
#include "platform/bounds/model.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// The workload with other phases of its tasks. Phase 0: unchanged; phase 1: the first jobs of all tasks are released
/// together; other phases: each task is delayed by up to its mean time between releases, drawn from `seed`.
Workload in_phase(const Workload& workload, std::uint64_t phase, std::uint64_t seed);

/// Runs each workload one job at a time and returns the maxima. The workloads are one workload with several seeds. Throws
/// InputError with the reason given by no_analysis().
AloneTimes measure_alone(const GpuConfig& config, const std::vector<Workload>& seeds,
                         const std::shared_ptr<const DurationTable>& durations, const JobOptions& options);

/// A job that exceeded its task's bound.
struct JobAboveBound {
  JobEnded job;
  Cycle response = 0, bound = 0;
};
/// The first such job of each task.
std::vector<JobAboveBound> jobs_above(const std::vector<TaskBound>& bounds, const Workload& workload,
                                      const std::vector<JobEnded>& jobs);

/// Responses of a task's jobs over all runs.
struct SimulatedTask {
  std::uint64_t jobs = 0;
  std::uint64_t missed = 0;  ///< missed deadlines
  Cycle worst = 0;           ///< longest response that the bound covers
  Cycle worst_lo = 0;        ///< longest response of jobs that ran in mode lo only
  std::uint64_t dropped = 0;
  std::size_t seed = 0, phase = 0;     ///< first run in which `worst` occurred
  std::optional<JobAboveBound> above;  ///< the longest response above the bound
  std::string not_kept = {};  ///< assumption of the analysis that did not hold in the run of `above`, if there is one
};

struct BoundStudy {
  std::vector<TaskBound> bounds;         ///< bounds, indexed by task
  std::vector<SimulatedTask> simulated;  ///< simulated responses, indexed by task
  std::size_t runs = 0;
};

/// Computes bounds, and simulates one run for each seed and each phase from 0 on.
BoundStudy study_bounds(const GpuConfig& config, const std::vector<Workload>& seeds, std::uint64_t phases,
                        const JobOptions& options);

}  // namespace gputlm
