/// Execution times of jobs and kernels alone, measured in a run in which one follows the other, and the cost of context
/// switches.
#pragma once

#include <cstdint>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/bounds/analysis.h"
#include "platform/run/result.h"

namespace gputlm {

/// A workload in which each job, and each launch outside jobs, is released when the one before it has ended. Each has a phase
/// of its own, which begins with a pause for copies that the previous phase did not wait for. Contexts, shares and instances
/// are unchanged.
struct OneAtATime {
  Workload workload;
  std::vector<std::uint32_t> launches;  ///< index of each launch in the original workload
};
/// Not possible for a workload whose threads wait for each other. `overruns`: every job that can overrun does; otherwise
/// none.
OneAtATime one_at_a_time(const Workload& workload, bool overruns);

/// In core cycles, indexed as in the workload.
struct AloneTimes {
  std::vector<BoundKernel> launches;
  std::vector<Cycle> responses;  ///< response times of launches
  std::vector<Cycle> job_responses;
  std::vector<Cycle> job_responses_lo;  ///< response times of jobs without overrun
  std::vector<Cycle> copies;            ///< times of copies, from arrival at the engines to the end

  /// Takes the maximum with `other`, from the same workload with another seed, or with jobs that overrun.
  void add(const AloneTimes& other);
};
/// From a run one at a time in which no job overran, or every job that can did. If blocks were not recorded, each block is
/// taken to be as long as its kernel. `config`: that of the GPU.
AloneTimes alone_times(const GpuConfig& config, const OneAtATime& made, const RunResult& result);

/// Time for which a block occupies its slot on an SM, in core cycles: from when it is sent until its end is noticed. It may
/// include the fetch of the launch's code.
Cycle occupancy(const GpuConfig& config, const BlockRecord& block);

/// Worst-case cost of a switch between applications with preemption of blocks. It is measured, since saving and restoring
/// depends on memory.
struct SwitchTimes {
  Cycle leaves = 0;  ///< time from the end of a slice until its blocks have left
  Cycle comes = 0;   ///< time from the start of their restoration to the next slice
};
/// The maximum over all runs, indexed by application.
std::vector<SwitchTimes> longest_switches(const Workload& workload,
                                          const std::vector<const std::vector<SliceEnded>*>& runs);

}  // namespace gputlm
