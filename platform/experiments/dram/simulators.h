/// One channel of GDDR5, on which ours is compared with three known DRAM simulators.
#pragma once

#include "platform/lab/experiment.h"
#include "platform/run/memory_run.h"

namespace gputlm {

MemorySystem dram_simulators_system();
ExperimentReport dram_simulators(const ExperimentOptions& options, const MemorySystem& system);

}  // namespace gputlm
