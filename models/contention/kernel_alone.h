/// A kernel that runs alone: the parts of its time, and its load on the memory, derived from what is known of its blocks.
#pragma once

#include <array>
#include <limits>

#include "models/contention/block_needs.h"
#include "models/contention/capacities.h"

namespace gputlm {

/// The memory that the SMs share.
struct SharedMemorySystem {
  MemoryCapacities has;
  double l2_sectors = 0;
  /// Sectors that wait for DRAM in its controllers. More of them wait in front of the L2, where hits queue behind them.
  double dram_sectors = std::numeric_limits<double>::infinity();
};

using PerPipe = std::array<double, kPipes + 1>;  ///< values by Pipe; the last one is for issue slots

/// A kernel, and its behaviour when it runs alone.
struct KernelAlone {
  BlockNeeds needs;
  double requests = 0;  ///< sectors that a block reads and writes
  /// Parts of its time, which add up to 1: one that grows with the latency of requests, one that nothing changes, and one that
  /// its warps spend at pipelines.
  double exposed = 0, fixed = 0, queued = 0;
  double customers = 1;  ///< number of customers of the pipelines of a sub-core
  PerPipe busy{};        ///< share of its time for which one customer occupies each pipeline
  PerPipe at{};          ///< share of its time that one customer spends at each pipeline, including waiting
  double visits = 1;     ///< visits of a warp to the pipelines: one per load, and one more
  double port = 0, l2 = 0, front = 0, dram = 0, misses = 0, latency = 1;
  /// Weight of its requests to L2 and DRAM relative to those with which the curves were measured: above 1 if they come in
  /// bursts, or to rows that are not open.
  double weight_l2 = 1, weight_dram = 1;
  bool fills = false;  ///< whether it saturates the L2 or DRAM
  double own = 0;      ///< additional latency of its requests compared with others at this load: they come in bursts
  double of_line = 4;  ///< sectors that a load reads of a line, 1 to 4
  double life = 0;     ///< lifetime of a line in the L2, in core cycles; infinite if nothing replaces it
};

/// `gpu`: the GPU on which the kernel was measured. Leaves `life` unset.
KernelAlone alone_of(const BlockNeeds& measured, const SharedMemorySystem& gpu, const SmCapacities& sm);

/// The warps of a kernel on a sub-core, as customers of a pipeline. They arrive there neither all at once, which would be one
/// customer, nor each independently.
double customers(double warps_of_sub_core);

double loads_of(const BlockNeeds& needs);  ///< warp instructions of a block that load or store

}  // namespace gputlm
