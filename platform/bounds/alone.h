/// What jobs and kernels take alone: measured, in a run in which one follows the other. And what switches take.
#pragma once

#include <cstdint>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/bounds/analysis.h"
#include "platform/run/result.h"

namespace gputlm {

/// A workload in which each job, and each launch that is part of none, is released when what was before it has ended: each
/// has a phase of its own, and begins it with a pause for copies that the phase before did not wait for. Contexts, shares
/// and instances are as they were.
struct OneAtATime {
  Workload workload;
  std::vector<std::uint32_t> launches;  ///< place in the workload that it was made of, by place in this one
};
/// Not of a workload whose threads wait for each other. `overruns`: every job does that can; else none.
OneAtATime one_at_a_time(const Workload& workload, bool overruns);

/// Core cycles; by place in the workload.
struct AloneTimes {
  std::vector<BoundKernel> launches;
  std::vector<Cycle> responses;  ///< of the launches
  std::vector<Cycle> job_responses;
  std::vector<Cycle> job_responses_lo;  ///< of jobs that do not overrun
  std::vector<Cycle> copies;            ///< from a copy's arrival at the engines until its end

  /// The longer of both, of the same workload with another seed, or with jobs that overrun.
  void add(const AloneTimes& other);
};
/// Of what ran one at a time, where no job has overrun or every one that can. Where blocks were not kept, each is taken
/// to be as long as its kernel. `config`: of the GPU.
AloneTimes alone_times(const GpuConfig& config, const OneAtATime& made, const RunResult& result);

/// How long a block takes its place on an SM, in core cycles: until its end is heard of, from when it was sent; the launch's
/// code may have to come first.
Cycle occupancy(const GpuConfig& config, const BlockRecord& block);

/// What switches between applications take at worst, where blocks are taken off the SMs: measured, as saving and restoring
/// them depends on memory.
struct SwitchTimes {
  Cycle leaves = 0;  ///< from the end of a slice until its blocks were gone
  Cycle comes = 0;   ///< from when they began to be brought back until the next slice
};
/// Of each application, the longest of all runs.
std::vector<SwitchTimes> longest_switches(const Workload& workload,
                                          const std::vector<const std::vector<SliceEnded>*>& runs);

}  // namespace gputlm
