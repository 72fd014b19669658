/// Kernels with demands on SMs that run blocks: what they and the GPU have, for models/contention.
#pragma once

#include <optional>

#include "models/config.h"
#include "models/contention/core.h"
#include "models/host/workload.h"
#include "models/sm/blocks/table.h"

namespace gputlm {

/// A kernel that only spins and has a demand: its spin is the time that its blocks take alone.
bool has_demand(const LaunchCommand& launch);
/// Some kernels of the launches have, and the SM model of the GPU makes use of it.
bool has_demands(const GpuConfig& config, const Workload& workload);

/// Of the GPU, or of an instance of it, `part`, on which `workload` runs; none if no kernel has a demand. Kernels are alone
/// on `gpu`. Throws InputError if `tables` does not have what the memory of both has.
std::optional<ContentionSetup> contention_setup(const GpuConfig& gpu, const GpuConfig& part, const Workload& workload,
                                                const DurationTable& tables);

}  // namespace gputlm
