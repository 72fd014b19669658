/// How much memory a run takes, about, before anything of it is built: a mistyped size or count is to be an error of the
/// input, not the end of the machine.
#pragma once

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/parameters.h"

namespace gputlm {

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
