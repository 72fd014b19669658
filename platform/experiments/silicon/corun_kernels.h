/// The kernels of measured/corun.yaml as programs.
#pragma once

#include <cstdint>
#include <memory>

#include "models/kernel/kernel.h"
#include "platform/experiments/silicon/corun_rows.h"

namespace gputlm {

/// A part of what a kernel does: of a copy steps of all its threads from the `from`-th on, where it goes on after a sweep
/// from the start again, or whole sweeps; of chains iterations.
struct CorunPart {
  std::uint64_t sweeps = 1;           ///< of a copy
  std::uint64_t from = 0, steps = 0;  ///< of a copy; no steps: all of a sweep
  std::uint64_t iterations = 0;       ///< of chains
};

/// Bytes that it reads and writes in a sweep.
Bytes bytes_of_sweep(const CorunKernel& kernel);
/// Bytes that it reads and writes in a step of all its threads.
Bytes bytes_of_step(const CorunKernel& kernel);

/// `base`: of what it copies; what it writes lies behind that.
std::shared_ptr<Kernel> corun_kernel(const CorunKernel& kernel, const CorunPart& part, Address base);
/// Of memory that it takes from `base` on.
Bytes corun_memory(const CorunKernel& kernel);

}  // namespace gputlm
