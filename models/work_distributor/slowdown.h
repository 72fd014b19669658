/// The slowdown of kernels that run together, according to the available predictions: one after the other, and with
/// the GPU shared (srtf, section 5.1.2 and figure 13). Integers only.
#pragma once

#include <cstdint>
#include <vector>

#include "models/work_distributor/resources.h"
#include "tlm/base/time.h"

namespace gputlm {

/// A kernel that runs beside others on the same SMs.
struct CoRunner {
  BlockDemand demand;
  std::uint64_t blocks = 0;  ///< blocks that have not ended
  Cycle t = 1;               ///< duration of a block, at least 1
  Cycle alone = 1;           ///< T: runtime when alone, at least 1
  Cycle elapsed = 0;         ///< cycles since its arrival
};

/// SMs that kernels share.
struct SharedSms {
  Resources sm;  ///< resources of an empty SM
  unsigned count = 1;
};

/// Turnaround relative to runtime alone, in thousandths; 1000 is no slowdown.
using Slowdowns = std::vector<std::uint64_t>;

/// Runtime of a kernel's blocks when nothing shares the SMs: Equation 1, blocks * t / residency.
Cycle runtime(const CoRunner& kernel, const SharedSms& sms);

/// Kernels run one after the other, in the order given.
Slowdowns slowdowns_in_turn(const std::vector<CoRunner>& kernels, const SharedSms& sms);

/// The first kernel is limited to `fastest_residency` blocks on an SM, and each of the others gets what those before it leave.
/// When one ends, the remaining ones continue in the same way; the last one has the SMs to itself. For two kernels
/// of which the first ends first this is TS1 = N1 * t1 / fastest_residency, NB1 = TS1 * R / t2 blocks of the second in the
/// meantime, and TS2 for the remaining NB2 = N2 - NB1.
Slowdowns slowdowns_shared(const std::vector<CoRunner>& kernels, const SharedSms& sms, unsigned fastest_residency);

/// The largest minus the smallest; 0 if there are none.
std::uint64_t spread(const Slowdowns& slowdowns);

}  // namespace gputlm
