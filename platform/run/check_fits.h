/// What must hold between a GPU and a workload before a run. It also names settings of the workload that have no effect on
/// that GPU, or an effect other than their value says: priorities, budgets and engine shares that no policy of the GPU looks
/// at, shares that CUDA's driver rounds, shares that overlap.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/parameters.h"

namespace gputlm {

/// Throws InputError, with the limit, if the workload cannot run on this GPU: a block that fits on no SM, a grid without
/// blocks, an application on SMs or a stream with a priority that the GPU does not have, phases in an application that is
/// relaunched, a launch without alone_cycles under a kernel order that needs them.
void check_fits(const GpuConfig& config, const Workload& workload);

/// A line for each setting of streams, launches or applications that has no effect: because no policy looks at it (the line
/// names those that would), or because the policy compares it and it is the same everywhere. Also a line for each share that
/// is rounded, and one for each GPU whose SM shares overlap.
std::vector<std::string> without_effect(const GpuConfig& config, const Workload& workload);

// An estimate of a run's memory before anything is built: a mistyped size or count must be an input error and not exhaust the
// machine.

/// Three quarters of the machine's memory, or of the container's limit if that is less.
Bytes default_memory_limit();

/// Memory of one launch or copy and its record. Measured: runs that differ only in their number, 10^5 and 10^6 launches or
/// copies with and without result.json, differ by 700 to 1400 bytes each in resident memory.
constexpr Bytes kBytesOfLaunch = 1400;

/// Estimated memory of a run, the program included. Excludes what grows with the number of blocks that have run.
Bytes estimated_memory(const GpuConfig& config, const Workload& workload);

/// Throws InputError if the run's caches and launches take more than `limit`; the message says where the largest part was
/// set, the estimate and the limit. Excludes what grows with the number of blocks that have run.
void check_memory(const GpuConfig& config, const Origin& origin, const Origins& origins, const Workload& workload,
                  Bytes limit);

}  // namespace gputlm
