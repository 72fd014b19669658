/// The carve-out: since Volta, shared memory and L1 of an SM are one array, and a part of it is shared memory (CUDA C++
/// Programming Guide, sections on each compute capability: a list of sizes). The rest is L1.
///
/// Whose blocks are on an SM decides how it is divided: the first block that comes to an empty SM divides it as its launch
/// wants it, and the division stays until the SM is empty again. A block that needs more shared memory than is left of the
/// carve-out waits for that. That is the rule of cuda-hierarchy, section III-C, for kernels of different configurations, by
/// SM; that a division cannot change under blocks that use it is assumed. A new division empties the L1, and takes no time
/// beside that: its data, which are written through, need not be saved.
#pragma once

#include <vector>

#include "models/kernel/launch.h"
#include "models/policy/policy.h"
#include "models/work_distributor/resources.h"

namespace gputlm {

/// How the array may be divided.
struct CarveoutSizes {
  Bytes array = 0;                 ///< 0: L1 and shared memory are arrays of their own
  std::vector<Bytes> shared = {};  ///< ascending
};

/// By name, SmLimits::carveout.
Decision<CarveoutSizes>& carveouts();

/// The limits of SMs with an L1 of `l1` bytes: where that or the shared memory is not of the size that the carve-out means,
/// somebody has chosen sizes, and the two are arrays of their own.
SmLimits with_arrays(SmLimits sm, Bytes l1);

/// What a launch wants to be shared memory of an SM that is empty. By default the smallest size that lets the SM hold as many
/// blocks as everything else allows: the driver chooses so that shared memory does not limit occupancy (CUDA C++ Programming
/// Guide, compute capability 7.x and on); that it takes the smallest such size is assumed. cudaFuncSetCacheConfig and a
/// preferred carve-out are hints: at least one block has room.
Bytes wanted_carveout(const CarveoutSizes& sizes, const KernelLaunch& launch, const BlockDemand& demand, Resources sm);

}  // namespace gputlm
