/// Uses configurations and workloads that have been read, as far as that needs no simulation.
#pragma once

#include <string>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/kernel.h"

namespace gputlm::fuzz {

/// Memory limit of a tested run. libFuzzer ends a target that takes more; a third of its limit is for the sanitizers.
inline constexpr Bytes kMaxMemory = Bytes{1} << 30;

/// Builds each kind of unit's core for the configuration, which has been validated.
void build_cores(const GpuConfig& config);

/// Walks through the first `blocks` blocks and some warps of each as an SM would, but only a limited number of steps per warp:
/// every operand is looked up, every address computed.
void walk(Kernel& kernel, std::uint64_t blocks);

/// Walks through all kernels, and lets a host make all calls of the workload, to a GPU that does everything immediately.
void use(const Workload& workload);

}  // namespace gputlm::fuzz
