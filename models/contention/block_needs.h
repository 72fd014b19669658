/// What a block asks of the hardware, derived from what was measured of its kernel (models/kernel/demand.h).
#pragma once

#include <array>

#include "models/contention/capacities.h"
#include "models/kernel/demand.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// Sums over a block, and its behaviour when its kernel runs alone. Unknown parts of a demand are 0: assumed not to exist.
struct BlockNeeds {
  double cycles = 1;        ///< core cycles that a block takes when its kernel runs alone
  double blocks_alone = 1;  ///< blocks on the GPU at once when the kernel runs alone
  double sms_alone = 1;     ///< SMs over which these blocks are spread
  double warps = 1;
  double instructions = 0;
  std::array<double, kPipes> of_pipe{};
  double l1_sectors = 0, shared_wavefronts = 0;
  double reads = 0, writes = 0;            ///< sectors between SM and L2
  double dram_reads = 0, dram_writes = 0;  ///< sectors between L2 and DRAM
  double hits = 0;                         ///< those of `reads` that hit the L2
  double footprint = 0;                    ///< sectors of the L2 that the hits of the whole kernel touch
  double reuse = 0;                        ///< core cycles from an access of such a sector to the next, alone
  double in_flight = 0;                    ///< mean number of sectors that a block has in flight; 0: unknown
};

/// `cycles`, `blocks_alone`, `sms_alone`: see above. `l2_sectors`: size of the L2 in sectors.
BlockNeeds needs_of(const KernelDemand& demand, const Kernel& kernel, double cycles, double blocks_alone,
                    double sms_alone, double l2_sectors);

}  // namespace gputlm
