/// What must hold between a GPU and a workload before a run, and what of the workload has no effect there, or another than its
/// value says: priorities, budgets and shares of the engine that no policy of the GPU looks at, shares that CUDA's driver
/// rounds or that overlap.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/parameters.h"

namespace gputlm {

/// Throws InputError if the workload cannot run on this GPU: a block that no SM can hold, a grid without blocks, an
/// application whose SMs the GPU does not have, a stream whose priority it does not have, phases where an application is
/// launched again, a launch without alone_cycles under a kernel order that needs them. The message says which limit.
void check_fits(const GpuConfig& config, const Workload& workload);

/// A line for each thing that the workload says of streams, launches or applications and that has no effect: no policy
/// looks at it (with those that would), or it is compared, and the same everywhere. And one for each share that is rounded, and
/// one for each GPU whose SMs shares have in common.
std::vector<std::string> without_effect(const GpuConfig& config, const Workload& workload);

// How much memory a run takes, about, before anything of it is built: a mistyped size or count is to be an error of the
// input, not the end of the machine.

/// Three quarters of the machine's memory, or of what the container may use if that is less.
Bytes default_memory_limit();

/// Of a launch or copy: what is to be done, and its record. Measured, as the resident memory of runs that differ in nothing
/// else: 700 to 1400, of 10^5 and 10^6 launches or copies, with or without result.json.
constexpr Bytes kBytesOfLaunch = 1400;

/// What a run takes, about, with the program itself. What grows with the blocks that have run is not counted.
Bytes estimated_memory(const GpuConfig& config, const Workload& workload);

/// Throws InputError if the run's caches and launches take more than `limit`: where
/// the largest part was set, the estimate and what is allowed. What grows with the blocks that have run is not counted.
void check_memory(const GpuConfig& config, const Origin& origin, const Origins& origins, const Workload& workload,
                  Bytes limit);

}  // namespace gputlm
