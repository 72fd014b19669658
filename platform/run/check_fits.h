/// What must hold between a GPU and a workload before a run.
#pragma once

#include "models/config.h"
#include "models/host/workload.h"

namespace gputlm {

/// Throws InputError if the workload cannot run on this GPU: a block that no SM can hold, a grid without blocks, an
/// application whose SMs the GPU does not have, a stream whose priority it does not have, phases where an application is
/// launched again, a launch without alone_cycles under a kernel order that needs them. The message says which limit.
void check_fits(const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
