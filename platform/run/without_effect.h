/// What a workload says in vain: priorities, budgets and shares of the engine that the GPU's policies do not look at.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"

namespace gputlm {

/// A line for each thing of the workload that differs between streams or launches, or is said of applications, and has no effect, with the policies
/// that would heed it.
std::vector<std::string> without_effect(const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
