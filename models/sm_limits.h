#pragma once

#include <string>

#include "tlm/base/time.h"

namespace gputlm {

/// The capacity of an SM: its own limits, and those of the work distributor's occupancy test.
struct SmLimits {
  unsigned threads = 1024;
  unsigned warps = 32;
  unsigned blocks = 16;
  unsigned registers = 65536;
  unsigned register_granularity = 256;  ///< registers of a warp are allocated in multiples of this
  Bytes shared_memory = 65536;
  Bytes driver_shared_memory = 0;  ///< of each block, in addition to its own
  std::string carveout = "fixed";  ///< how shared memory and L1 divide an array (models/work_distributor/carveout.h)
  unsigned max_threads_per_block = 1024;
};

}  // namespace gputlm
