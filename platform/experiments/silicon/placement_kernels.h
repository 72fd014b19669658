/// The GEMV and the GEMM of measured/placement.yaml as programs.
#pragma once

#include <memory>

#include "models/kernel/kernel.h"

namespace gputlm {

inline constexpr unsigned kStepsOfPlacement = 64;  ///< of the GEMM's k, 16 each

/// So many steps from the `from`-th on; of the GEMV's rows as large a part. Registers are assumed, as the source has none.
std::shared_ptr<Kernel> placement_gemv(unsigned from, unsigned steps);
std::shared_ptr<Kernel> placement_gemm(unsigned from, unsigned steps);

}  // namespace gputlm
