/// The kernels of measured/corun.yaml as programs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/kernel/kernel.h"
#include "platform/experiments/silicon/corun_rows.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {

/// A part of what a kernel does: of a sweep steps of all its threads from the `from`-th on, where it goes on after a sweep
/// from the start again, or whole sweeps; of chains iterations.
struct CorunPart {
  std::uint64_t sweeps = 1;           ///< over memory
  std::uint64_t from = 0, steps = 0;  ///< over memory; no steps: all of a sweep
  std::uint64_t iterations = 0;       ///< of chains
  Femtoseconds sleep = 0;             ///< of blocks that sleep
  /// Steps that a warp is ahead of the one before it in its block, and a block of the one before.
  unsigned warps_apart = 0, blocks_apart = 0;
};

/// As warps are after a long time over memory that the L2 does not hold. Begun in step, the first row of `copy` falls from
/// 650 GB/s (of 32 MiB) over 504 (320 MiB) to 480 (960 MiB), and with 7 and 3 in the place of these it rises from 449
/// (32 MiB) to 465 (320 MiB): two seconds of these tell what minutes of the others do.
inline void out_of_step(CorunPart& part) { part.warps_apart = 2, part.blocks_apart = 1; }

/// Bytes that it reads and writes in a sweep.
Bytes bytes_of_sweep(const CorunKernel& kernel);
/// Bytes that it reads and writes in a step of all its threads.
Bytes bytes_of_step(const CorunKernel& kernel);

/// `base`: of what it copies; what it writes lies behind that.
std::shared_ptr<Kernel> corun_kernel(const CorunKernel& kernel, const CorunPart& part, Address base);
/// Of memory that it takes from `base` on.
Bytes corun_memory(const CorunKernel& kernel);

/// Every other SM from the `which`-th on, 0 or 1.
SmSet half_of_sms(unsigned sms, unsigned which);
/// Of each phase, from the first block's start to the last one's end.
std::vector<Cycle> times_of_phases(const Workload& workload, const RunResult& result);

}  // namespace gputlm
