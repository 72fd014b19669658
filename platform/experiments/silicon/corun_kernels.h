/// The kernels of measured/corun.yaml as programs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/kernel/kernel.h"
#include "platform/experiments/silicon/corun_rows.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {

/// A part of a kernel's work. For a sweep: steps of all its threads starting with the `from`-th, continuing at the start
/// after the end of a sweep, or whole sweeps. For chains: iterations.
struct CorunPart {
  std::uint64_t sweeps = 1;           ///< number of sweeps over memory
  std::uint64_t from = 0, steps = 0;  ///< first step over memory and number of steps; 0 steps: a whole sweep
  std::uint64_t iterations = 0;       ///< number of iterations of chains
  Femtoseconds sleep = 0;             ///< time for which blocks sleep
  /// Lead in steps of a warp over the previous one in its block, and of a block over the previous block.
  unsigned warps_apart = 0, blocks_apart = 0;
};

/// The offsets that warps have after a long time over memory that the L2 does not hold. If warps begin in step, the first row
/// of `copy` falls from 650 GB/s (of 32 MiB) over 504 (320 MiB) to 480 (960 MiB); with 7 and 3 instead of these values it
/// rises from 449 (32 MiB) to 465 (320 MiB). With these, two seconds tell what otherwise takes minutes.
inline void out_of_step(CorunPart& part) { part.warps_apart = 2, part.blocks_apart = 1; }

/// Bytes that a sweep reads and writes.
Bytes bytes_of_sweep(const CorunKernel& kernel);
/// Bytes that a step of all threads reads and writes.
Bytes bytes_of_step(const CorunKernel& kernel);

/// `base`: address of the source of its copies; the destination lies behind it.
std::shared_ptr<Kernel> corun_kernel(const CorunKernel& kernel, const CorunPart& part, Address base);
/// Bytes of memory that it uses from `base` on.
Bytes corun_memory(const CorunKernel& kernel);

/// Every other SM, starting with SM `which`, 0 or 1.
SmSet half_of_sms(unsigned sms, unsigned which);
/// For each phase, the time from the first block's start to the last block's end.
std::vector<Cycle> times_of_phases(const Workload& workload, const RunResult& result);

}  // namespace gputlm
