/// A kernel that was run by SMs that run warps, for SMs that run blocks (docs/demands.md).
#pragma once

#include <memory>

#include "models/config.h"
#include "models/kernel/demand.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// Of the same shape and resources; its blocks spin, so that a launch alone takes `execution` on `gpu` (core cycles, from its
/// first block's start to its last one's end), and ask for `demand`.
std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, Cycle execution, const KernelDemand& demand,
                                      const GpuConfig& gpu);
/// That of the launch whose demand was counted.
std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, const KernelDemand& demand, const GpuConfig& gpu);

}  // namespace gputlm
