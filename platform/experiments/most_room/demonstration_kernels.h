/// The kernels of section 5 of most-room, as its appendix A describes them: one that lives from its L1 cache, one that
/// lives from the functional units, one that lives from memory bandwidth. Kernels A and B of a kind run the same code.
/// The lengths are ours (the paper gives times, not sizes) and keep a run to a second or so.
#pragma once

#include <cstdint>
#include <memory>

#include "models/config.h"
#include "models/kernel/kernel.h"

namespace gputlm {

enum class DemonstrationKind : std::uint8_t { kL1, kCompute, kMemory };
enum class DemonstrationRole : std::uint8_t { kA, kB };

/// `gpu` gives the size of the L1 cache; `length` scales the number of iterations (1 is the full form).
std::shared_ptr<Kernel> demonstration_kernel(DemonstrationKind kind, DemonstrationRole role, std::uint32_t blocks,
                                             std::uint32_t threads, const GpuConfig& gpu, double length);

}  // namespace gputlm
