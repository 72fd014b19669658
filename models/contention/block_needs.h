/// What a block asks of the hardware, out of what was measured of its kernel (models/kernel/demand.h).
#pragma once

#include <array>

#include "models/contention/capacities.h"
#include "models/kernel/demand.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// Sums over a block, and how it was alone. What is not known of a demand is 0: the block is taken not to ask for it.
struct BlockNeeds {
  double cycles = 1;        ///< core cycles that a block takes, alone
  double blocks_alone = 1;  ///< on the GPU at once, alone
  double sms_alone = 1;     ///< over which these are spread
  double warps = 1;
  double instructions = 0;
  std::array<double, kPipes> of_pipe{};
  double l1_sectors = 0, shared_wavefronts = 0;
  double reads = 0, writes = 0;            ///< sectors between SM and L2
  double dram_reads = 0, dram_writes = 0;  ///< sectors
  double hits = 0;                         ///< of `reads`, in the L2
  double footprint = 0;                    ///< sectors of the L2 in which they hit, of the whole kernel
  double reuse = 0;                        ///< cycles from an access of such a sector to the next, alone
  double in_flight = 0;                    ///< sectors under way at once, at most; 0: not known
};

/// `cycles`: of a block, alone. `blocks_alone`, `sms_alone`: see above. `l2_sectors`: of the L2.
BlockNeeds needs_of(const KernelDemand& demand, const Kernel& kernel, double cycles, double blocks_alone,
                    double sms_alone, double l2_sectors);

}  // namespace gputlm
