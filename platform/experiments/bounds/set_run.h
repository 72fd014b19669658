/// Some task sets on a GPU, each alone task by task and then as it is, with what the analysis says of it: one run of a
/// sweep, so that the times of ten thousand sets stay in the processes that made them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/input/task_set.h"
#include "platform/lab/plan.h"
#include "platform/lab/runs.h"

namespace gputlm {

struct SetOutcome {
  /// Every bound is no later than its deadline; of tasks of criticality lo, where some are of hi, that of mode lo.
  bool by_analysis = false;
  bool whatever_the_mode = false;  ///< likewise, but of all tasks that in mode hi
  bool by_simulation = false;      ///< every job met its deadline, but for those of criticality lo in mode hi
  std::uint64_t bounded = 0;       ///< responses of tasks with a bound
  std::uint64_t above = 0;         ///< those of them that are longer
  std::uint32_t bounds = 0;        ///< tasks with one
  double of_bounds = 0;            ///< sum over them of the longest response as a share of the bound
  std::uint64_t lo_jobs = 0;       ///< of criticality lo, dropped ones included
  std::uint64_t dropped = 0;
};

struct SetRun {
  GpuConfig config;
  TaskSetSpec spec;
  ApplicationSpec like;               ///< what each task's application has
  std::uint64_t seed = 1, first = 0;  ///< number of the first set
  unsigned sets = 1;
  unsigned longest_periods = 1;                              ///< that each is simulated for
  std::shared_ptr<const DurationTable> durations = nullptr;  ///< for an SM model that needs them

  using Result = std::vector<SetOutcome>;
  GpuRun gpu_run();
  Job job() const;
  static Result result(std::string_view bytes);
};

/// Sums over sets.
struct SetShare {
  std::uint64_t sets = 0, by_analysis = 0, whatever_the_mode = 0, by_simulation = 0, accepted_and_missed = 0;
  std::uint64_t bounded = 0, above = 0, bounds = 0, lo_jobs = 0, dropped = 0;
  double of_bounds = 0;

  void add(const SetOutcome& set);
  void add(const SetShare& other);
};

/// By what a column of the plan says and by utilisation in per cent.
using SetShares = std::map<std::pair<std::string, unsigned>, SetShare>;

/// The plan's `sets` for each value of its column `by` and each `utilisation_percent`. `run_of(value, percent)`: of the
/// first of them.
SetShares shares_of_sets(const Plan& plan, const std::string& by,
                         const std::function<SetRun(const std::string&, unsigned)>& run_of, const JobOptions& jobs);

/// With the plan's `tasks`, `period_us` and `block_us`.
TaskSetSpec task_set_spec(const Plan& plan, unsigned utilisation_percent);

}  // namespace gputlm
