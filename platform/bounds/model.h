/// What the analysis (analysis.h) is told of a workload on a GPU, and what it cannot be told.
#pragma once

#include <string>
#include <vector>

#include "platform/bounds/alone.h"

namespace gputlm {

struct TaskBound {
  std::string scheme;  ///< how its kernels are arbitrated, in words
  Cycle alone = 0;     ///< the longest response of its jobs alone, of those that overrun where some do
  ResponseBound bound;
  // Where jobs may overrun:
  Cycle alone_lo = 0;                    ///< the same of those that do not
  std::optional<ResponseBound> lo = {};  ///< of jobs that are under way in mode lo only
  bool only_in_lo_mode = false;          ///< of others there is no bound, as they are dropped when they have not begun

  /// That the response of a job does not exceed; none: it may be anything.
  std::optional<Cycle> of(const JobEnded& job) const {
    if (!job.in_hi_mode) return lo ? lo->cycles : bound.cycles;
    return only_in_lo_mode ? std::nullopt : bound.cycles;
  }
};

/// Why no task of the workload can be analysed, nor run one at a time; empty if some may.
std::string no_analysis(const GpuConfig& config, const Workload& workload);

/// Of workloads that no_analysis() has nothing against, which differ in nothing but releases: at least one. `alone`: what
/// the first takes. `switches`: of each application; of use only where slices end at an instruction boundary.
std::vector<TaskBound> bounds_of(const GpuConfig& config, const std::vector<const Workload*>& workloads,
                                 const AloneTimes& alone, const std::vector<SwitchTimes>& switches);

}  // namespace gputlm
