/// The processes of cuda-hierarchy, section V-A, that keep the copy engine busy while a kernel runs.
#pragma once

#include <memory>
#include <string>

#include "models/kernel/kernel.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {

struct Interferer {
  std::string what;        ///< memcpy or memset, of pinned memory
  Bytes bytes;             ///< bytes of each operation
  unsigned at_once = 1;    ///< number issued one behind the other before it waits for them
  Femtoseconds pause = 0;  ///< pause before it begins again
};

/// Adds a process with its own stream, which continues as long as the other applications run. It shares no memory with
/// others.
void add_interferer(Workload& workload, const Interferer& interferer);

// The kernel of section V of cuda-hierarchy.

/// c[i] = a[i] + b[i]; each vector is a third of the working set and is processed in grid strides.
struct VectorAdd {
  std::uint32_t blocks, threads;
  std::uint8_t width;      ///< bytes per load
  std::uint32_t unrolled;  ///< loads of each vector before the first addition
  Bytes working_set;
};

/// CUDA's vectorAdd sample: one element per thread, 256 threads per block.
VectorAdd vector_add_sample(Bytes working_set);

/// `at`: address of the vectors, 256 MiB apart.
std::shared_ptr<Kernel> vector_add(const VectorAdd& shape, Address at);

}  // namespace gputlm
