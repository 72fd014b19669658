/// Kernels whose loops go round less often, for measurements that would take too long: what a block takes beyond that is
/// in proportion to its instructions.
#pragma once

#include <cstdint>
#include <memory>

#include "models/kernel/kernel.h"

namespace gputlm {

/// Of a block; all 0 if its blocks do not say, as those of traces.
struct BlockSize {
  std::uint64_t instructions = 0;  ///< of its warps, loops included
  std::uint64_t cost = 0;          ///< of their simulation, as many instructions: memory costs more
};
BlockSize block_size(Kernel& kernel);

/// The same kernel, but with loops that are cut down from the outside in until a block has about `instructions`, or nothing
/// is left to cut; null if that is nearly what it has, and for kernels without loops to cut.
std::shared_ptr<Kernel> shortened(Kernel& kernel, std::uint64_t instructions);

}  // namespace gputlm
