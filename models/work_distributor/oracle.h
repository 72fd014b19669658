/// Kernel orders that are told how long each kernel takes when alone: what scheduling could reach if it knew.
#pragma once

#include <string>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {

/// The kernel order called `name` needs KernelLaunch::alone_cycles of every launch.
bool is_oracle(const std::string& name);

/// What the launch takes when alone. Throws InputError, naming the launch, if it has not been told: for callers that
/// have not asked is_oracle().
Cycle alone_cycles(const KernelState& kernel);

}  // namespace gputlm
