#include "platform/cli/bound_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/bounds/study.h"
#include "platform/cli/many_runs.h"
#include "platform/files/terminal.h"

namespace gputlm {

BoundCheck::BoundCheck(const GpuConfig& config, const Workload& workload,
                       const std::shared_ptr<const DurationTable>& durations)
    : workload_(workload) {
  ManyRuns runs;
  runs.begin();
  runs.name("jobs alone");
  JobOptions options;
  runs.set(options);
  bounds_ = measure_bounds(config, {workload}, durations, options);
  runs.end();
  for (std::size_t t = 0; t < bounds_.size(); ++t) {
    if (!bounds_[t].bound.cycles)
      print_warning(fmt::format("--check-bounds: task '{}': {}", workload.tasks[t].name, bounds_[t].bound.why));
  }
}

bool BoundCheck::hold_for(const std::vector<JobEnded>& jobs) const {
  const std::vector<JobAboveBound> above = jobs_above(bounds_, workload_, jobs);
  for (const JobAboveBound& one : above) {
    print_failure(fmt::format("task '{}': {} took {} cycles, the bound is {}",
                              workload_.tasks[workload_.jobs[one.job.job].task].name,
                              job_label(workload_, one.job.job, one.job.iteration), one.response, one.bound));
  }
  if (above.empty()) {
    const auto checked = std::count_if(jobs.begin(), jobs.end(), [&](const JobEnded& job) {
      return bounds_[workload_.jobs[job.job].task].bound.cycles.has_value();
    });
    print_error(fmt::format("bounds: no response above its bound, of {} jobs", checked));
  }
  return above.empty();
}

}  // namespace gputlm
