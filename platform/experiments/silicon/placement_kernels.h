/// The GEMV and the GEMM of measured/placement.yaml as programs.
#pragma once

#include <memory>

#include "models/kernel/kernel.h"

namespace gputlm {

inline constexpr unsigned kStepsOfPlacement = 64;  ///< of the GEMM's k, 16 each

/// `steps` steps starting with the `from`-th, or the same fraction of the GEMV's rows. The number of registers is assumed,
/// since the source does not give it.
std::shared_ptr<Kernel> placement_gemv(unsigned from, unsigned steps);
std::shared_ptr<Kernel> placement_gemm(unsigned from, unsigned steps);

}  // namespace gputlm
