/// A kernel as it is alone: of what its time consists, and how it asks the memory, out of what is known of its blocks.
#pragma once

#include <array>
#include <limits>

#include "models/contention/block_needs.h"
#include "models/contention/capacities.h"

namespace gputlm {

/// What the SMs share.
struct SharedMemorySystem {
  MemoryCapacities has;
  double l2_sectors = 0;
  /// Sectors that wait for DRAM in its controllers. More of them wait in front of the L2, where hits queue behind them.
  double dram_sectors = std::numeric_limits<double>::infinity();
};

using PerPipe = std::array<double, kPipes + 1>;  ///< the last one: issue slots

/// A kernel, and how it is alone.
struct KernelAlone {
  BlockNeeds needs;
  double requests = 0;  ///< sectors, reads and writes
  /// Parts of its time, which add up to 1: what grows with the latency of requests, what nothing changes, and what its warps
  /// spend at pipelines.
  double exposed = 0, fixed = 0, queued = 0;
  double customers = 1;  ///< of the pipelines of a sub-core
  PerPipe busy{};        ///< what one of them needs of each
  PerPipe at{};          ///< what one of them spends at each
  double visits = 1;     ///< of a warp to them: as often as it waits for a load, and once more
  double port = 0, l2 = 0, front = 0, dram = 0, misses = 0, latency = 1;
  /// Weight of its requests to L2 and to DRAM relative to those with which the curves were measured: they come in bursts, or
  /// to rows that are not open.
  double weight_l2 = 1, weight_dram = 1;
  bool fills = false;  ///< L2 or DRAM
  double own = 0;      ///< what its requests take longer than others at such a load: they come in bursts
  double of_line = 4;  ///< sectors of a line that a load reads
  double life = 0;     ///< of a line in the L2; infinite where nothing replaces it
};

/// `gpu`: on which it was measured. `life` is not found.
KernelAlone alone_of(const BlockNeeds& measured, const SharedMemorySystem& gpu, const SmCapacities& sm);

/// The warps of a kernel on a sub-core, as customers of a pipeline. They come there neither all at once, which would be one
/// customer, nor each at a time of its own.
double customers(double warps_of_sub_core);

double loads_of(const BlockNeeds& needs);  ///< warp instructions that load or store

}  // namespace gputlm
