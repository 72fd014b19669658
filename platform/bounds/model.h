/// What the analysis (analysis.h) is told of a workload on a GPU, and what it cannot be told.
#pragma once

#include <string>
#include <vector>

#include "platform/bounds/alone.h"

namespace gputlm {

/// A workload as it is with one seed, and what its jobs take alone.
struct SeededWorkload {
  const Workload* workload;
  const AloneTimes* alone;
};

struct TaskBound {
  std::string scheme;  ///< how its kernels are arbitrated, in words
  Cycle alone = 0;     ///< the longest response of its jobs alone
  ResponseBound bound;
};

/// Why no task of the workload can be analysed, nor run one at a time; empty if some may.
std::string no_analysis(const GpuConfig& config, const Workload& workload);

/// Of a workload that no_analysis() has nothing against. `seeds`: at least one; they differ in nothing but what is drawn.
std::vector<TaskBound> bounds_of(const GpuConfig& config, const std::vector<SeededWorkload>& seeds);

}  // namespace gputlm
