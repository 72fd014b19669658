/// Converts a kernel that ran on SMs that run warps into one for SMs that run blocks (docs/demands.md).
#pragma once

#include <memory>

#include "models/config.h"
#include "models/kernel/demand.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// A kernel of the same shape and resources with `demand`. Its blocks spin, so that a launch alone on `gpu` takes `execution`
/// core cycles from its first block's start to its last block's end.
std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, Cycle execution, const KernelDemand& demand,
                                      const GpuConfig& gpu);
/// The same with the execution time of the launch whose demand was counted.
std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, const KernelDemand& demand, const GpuConfig& gpu);

}  // namespace gputlm
