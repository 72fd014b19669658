/// The input of the analysis (analysis.h) for a workload on a GPU, and what the analysis cannot cover.
#pragma once

#include <string>
#include <vector>

#include "platform/bounds/alone.h"

namespace gputlm {

struct TaskBound {
  std::string scheme;  ///< how its kernels are arbitrated, in words
  Cycle alone = 0;     ///< longest response of its jobs alone; with overruns, if jobs may overrun
  ResponseBound bound;
  // If jobs may overrun:
  Cycle alone_lo = 0;                    ///< the same for jobs without overrun
  std::optional<ResponseBound> lo = {};  ///< bound on the response of jobs that run in mode lo only
  bool only_in_lo_mode = false;          ///< other jobs have no bound, since they are dropped if they have not begun

  /// The bound on the response of a job; none: there is no bound.
  std::optional<Cycle> of(const JobEnded& job) const {
    if (!job.in_hi_mode) return lo ? lo->cycles : bound.cycles;
    return only_in_lo_mode ? std::nullopt : bound.cycles;
  }
};

/// Why no task of the workload can be analysed or run one at a time; empty if some tasks can.
std::string no_analysis(const GpuConfig& config, const Workload& workload);

/// Requires at least one workload, accepted by no_analysis(); they may differ only in releases. `alone`: times of the first
/// workload. `switches`: indexed by application; used only if slices end at an instruction boundary.
std::vector<TaskBound> bounds_of(const GpuConfig& config, const std::vector<const Workload*>& workloads,
                                 const AloneTimes& alone, const std::vector<SwitchTimes>& switches);

}  // namespace gputlm
