/// What the memory of a GPU has to share, and how it answers under load (models/contention/capacities.h), measured with
/// SMs that run warps: kernels that do nothing but to read what lies in the L2, to read from DRAM, or to write to it, with
/// ever more of their warps.
#pragma once

#include "models/config.h"
#include "models/contention/capacities.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// Of the GPU, or of an instance of it. Carried out as other runs are.
MemoryCapacities measure_memory(const GpuConfig& config, const JobOptions& options);

}  // namespace gputlm
