#include "platform/cli/bound_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/bounds/study.h"
#include "platform/cli/many_runs.h"
#include "platform/files/terminal.h"

namespace gputlm {

BoundCheck::BoundCheck(const GpuConfig& config, const Workload& workload,
                       const std::shared_ptr<const DurationTable>& durations)
    : config_(config), workload_(workload) {
  ManyRuns runs;
  runs.begin();
  runs.name("jobs alone");
  JobOptions options;
  runs.set(options);
  alone_ = measure_alone(config, {workload}, durations, options);
  runs.end();
}

bool BoundCheck::hold_for(const RunResult& result) const {
  const std::vector<TaskBound> bounds =
      bounds_of(config_, {&workload_}, alone_, longest_switches(workload_, {&result.engine_slices}));
  for (std::size_t t = 0; t < bounds.size(); ++t) {
    if (!bounds[t].bound.cycles)
      print_warning(fmt::format("--check-bounds: task '{}': {}", workload_.tasks[t].name, bounds[t].bound.why));
  }
  const std::vector<JobAboveBound> above = jobs_above(bounds, workload_, result.jobs);
  for (const JobAboveBound& one : above) {
    print_failure(fmt::format("task '{}': bound broken: {} took {} cycles, the bound is {}",
                              workload_.tasks[workload_.jobs[one.job.job].task].name,
                              job_label(workload_, one.job.job, one.job.iteration), one.response, one.bound));
  }
  if (above.empty()) {
    const auto checked = std::count_if(result.jobs.begin(), result.jobs.end(), [&](const JobEnded& job) {
      return bounds[workload_.jobs[job.job].task].bound.cycles.has_value();
    });
    print_error(fmt::format("bounds: no response above its bound, of {} jobs", checked));
  }
  return above.empty();
}

}  // namespace gputlm
