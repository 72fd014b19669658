/// Response times of the jobs of a task: from the release of a job, whether or not its stream was free, until the host
/// knows of its end. Exact: no sample is left out.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/run/result.h"

namespace gputlm {

/// Of one task; core cycles.
struct Responses {
  std::uint64_t jobs = 0;  ///< that have ended
  Cycle least = 0, most = 0;
  Cycle p50 = 0, p95 = 0, p99 = 0;  ///< the least that so many per cent of the jobs do not exceed (nearest rank)
  double mean = 0;
  JobRecord worst;           ///< the first of those that took longest
  std::uint64_t missed = 0;  ///< jobs that took longer than the task's deadline
};

/// Of every task, in the order of Workload::tasks.
std::vector<Responses> responses(const RunResult& result, const Workload& workload, const Clock& clock);

}  // namespace gputlm
