/// The kernel of section V of cuda-hierarchy.
#pragma once

#include <memory>

#include "models/kernel/kernel.h"

namespace gputlm {

/// c[i] = a[i] + b[i], the vectors each a third of the working set, taken by the grid in strides.
struct VectorAdd {
  std::uint32_t blocks, threads;
  std::uint8_t width;      ///< bytes of a load
  std::uint32_t unrolled;  ///< loads of a vector before the first addition
  Bytes working_set;
};

/// As CUDA's vectorAdd sample has it: an element a thread, 256 threads a block.
VectorAdd vector_add_sample(Bytes working_set);

/// `at`: of the vectors, of which each has 256 MiB of addresses.
std::shared_ptr<Kernel> vector_add(const VectorAdd& shape, Address at);

}  // namespace gputlm
