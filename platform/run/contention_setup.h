/// The input of models/contention: kernels with demands on SMs that run blocks, and the GPU's capacities.
#pragma once

#include <optional>

#include "models/config.h"
#include "models/contention/core.h"
#include "models/host/workload.h"
#include "models/sm/blocks/table.h"

namespace gputlm {

/// Whether a kernel only spins and has a demand: its spin is then the time that its blocks take alone.
bool has_demand(const LaunchCommand& launch);
/// Whether a launched kernel has a demand and the GPU's SM model uses it.
bool has_demands(const GpuConfig& config, const Workload& workload);

/// The setup of a GPU, or of an instance `part` of it, on which `workload` runs; none if no kernel has a demand. Times alone
/// refer to the whole `gpu`. Throws InputError if `tables` lacks the memory capacities of either.
std::optional<ContentionSetup> contention_setup(const GpuConfig& gpu, const GpuConfig& part, const Workload& workload,
                                                const DurationTable& tables);

}  // namespace gputlm
