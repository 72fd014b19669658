/// Kernel orders that know how long each kernel takes alone: an upper bound for scheduling by prediction.
#pragma once

#include "models/work_distributor/kernel_order.h"

namespace gputlm {

/// What the launch takes when alone. Throws InputError, naming the launch, if it has not been told: for callers that
/// have not looked at Property::kNeedsAloneCycles.
Cycle alone_cycles(const KernelState& kernel);

}  // namespace gputlm
