/// Keys of a workload without effect, or with another than their value says: priorities, budgets and shares of the engine that
/// no policy of the GPU looks at, and shares that CUDA's driver rounds or that overlap.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"

namespace gputlm {

/// A line for each thing that the workload says of streams, launches or applications and that has no effect: no policy
/// looks at it (with those that would), or it is compared, and the same everywhere. And one for each share that is rounded, and
/// one for each GPU whose SMs shares have in common.
std::vector<std::string> without_effect(const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
