/// The carve-out: since Volta, shared memory and L1 of an SM are one array, and a part of it is shared memory (CUDA C++
/// Programming Guide, sections on each compute capability: a list of sizes). The rest is L1.
///
/// The blocks on an SM decide how it is divided: the first block that arrives at an empty SM divides it as its launch
/// requests, and the division stays until the SM is empty again. A block that needs more shared memory than is left of the
/// carve-out waits. This is the rule of cuda-hierarchy, section III-C, for kernels of different configurations, applied to
/// each SM; that a division cannot change under blocks that use it is assumed. A new division empties the L1 and otherwise
/// takes no time: the L1's data, which are written through, need not be saved.
#pragma once

#include <vector>

#include "models/kernel/launch.h"
#include "models/policy/policy.h"
#include "models/work_distributor/resources.h"

namespace gputlm {

/// How the array may be divided.
struct CarveoutSizes {
  Bytes array = 0;                 ///< bytes of the common array; 0: L1 and shared memory are separate arrays
  std::vector<Bytes> shared = {};  ///< possible sizes of shared memory, ascending
};

/// The sizes by name (SmLimits::carveout).
Decision<CarveoutSizes>& carveouts();

/// The limits of SMs with an L1 of `l1` bytes: if that or the shared memory does not have the size that the carve-out implies,
/// the user has chosen sizes, and the two are separate arrays.
SmLimits with_arrays(const SmLimits& sm, Bytes l1);

/// Size of the shared memory that a launch wants on an empty SM. By default it is the smallest that lets the SM hold as many
/// blocks as all other limits allow: the driver chooses so that shared memory does not limit occupancy (CUDA C++ Programming
/// Guide, compute capability 7.x and on); that it takes the smallest such size is assumed. cudaFuncSetCacheConfig and a
/// preferred carve-out are hints: at least one block has room.
Bytes wanted_carveout(const CarveoutSizes& sizes, const KernelLaunch& launch, const BlockDemand& demand, Resources sm);

}  // namespace gputlm
