/// Bounds beside simulations: a workload alone, for what the analysis is told, and as it is, over seeds and phases.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/sm/blocks/table.h"
#include "platform/bounds/model.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// The workload with other phases of its tasks: with phase 0 as it is; with phase 1 the first jobs of all tasks are released
/// at once; with others each task is later by up to its mean time between releases, drawn by `seed`.
Workload in_phase(const Workload& workload, std::uint64_t phase, std::uint64_t seed);

/// Runs each workload one at a time: what its jobs take alone, the longest of all. Workloads are one, as it is with several
/// seeds. Throws InputError where no_analysis() says why.
AloneTimes measure_alone(const GpuConfig& config, const std::vector<Workload>& seeds,
                         const std::shared_ptr<const DurationTable>& durations, const JobOptions& options);

/// A job that took longer than its task's bound.
struct JobAboveBound {
  JobEnded job;
  Cycle response = 0, bound = 0;
};
/// The first of each task.
std::vector<JobAboveBound> jobs_above(const std::vector<TaskBound>& bounds, const Workload& workload,
                                      const std::vector<JobEnded>& jobs);

/// Responses of a task's jobs in all runs.
struct SimulatedTask {
  std::uint64_t jobs = 0;
  std::uint64_t missed = 0;  ///< deadlines
  Cycle worst = 0;           ///< of those that the bound is about
  Cycle worst_lo = 0;        ///< of those that were under way in mode lo only
  std::uint64_t dropped = 0;
  std::size_t seed = 0, phase = 0;     ///< the first run with it
  std::optional<JobAboveBound> above;  ///< the longest: the bound is broken
  std::string not_kept = {};           ///< then, of the run with it: what the analysis assumes of it, and was not so
};

struct BoundStudy {
  std::vector<TaskBound> bounds;         ///< by task
  std::vector<SimulatedTask> simulated;  ///< likewise
  std::size_t runs = 0;
};

/// Bounds, and a run for each seed and each phase from 0 on.
BoundStudy study_bounds(const GpuConfig& config, const std::vector<Workload>& seeds, std::uint64_t phases,
                        const JobOptions& options);

}  // namespace gputlm
