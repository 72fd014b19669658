/// Kernel orders that know how long each kernel takes alone: an upper bound for scheduling by prediction.
#pragma once

#include "models/work_distributor/kernel_order.h"

namespace gputlm {

/// Runtime of the launch when it is alone. Throws InputError, naming the launch, if it is not given: for callers that
/// have not checked Property::kNeedsAloneCycles.
Cycle alone_cycles(const KernelState& kernel);

}  // namespace gputlm
