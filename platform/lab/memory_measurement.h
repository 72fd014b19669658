/// Measures the capacities of a GPU's memory, and its latency under load (models/contention/capacities.h), with SMs that run
/// warps: kernels that only read from the L2, read from DRAM, or write to DRAM, with an increasing number of warps.
#pragma once

#include "models/config.h"
#include "models/contention/capacities.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// For a GPU, or an instance of it. The runs are carried out like others.
MemoryCapacities measure_memory(const GpuConfig& config, const JobOptions& options);

}  // namespace gputlm
