/// The processes of cuda-hierarchy, section V-A, that keep the copy engine busy while a kernel runs.
#pragma once

#include <memory>
#include <string>

#include "models/kernel/kernel.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {

struct Interferer {
  std::string what;        ///< memcpy or memset, of pinned memory
  Bytes bytes;             ///< of each
  unsigned at_once = 1;    ///< issued one behind the other, before it waits for them
  Femtoseconds pause = 0;  ///< then, before it begins again
};

/// Adds a process of its own, with a stream of its own, that goes on as long as the other applications run. Its memory
/// is nobody else's.
void add_interferer(Workload& workload, const Interferer& interferer);

// The kernel of section V of cuda-hierarchy.

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
