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
  unsigned register_granularity = 256;  ///< unit in which registers of a warp are allocated
  Bytes shared_memory = 65536;
  Bytes driver_shared_memory = 0;  ///< shared memory of the driver in each block, in addition to the block's own
  std::string carveout = "fixed";  ///< division between shared memory and L1 (models/work_distributor/carveout.h)
  unsigned max_threads_per_block = 1024;
};

}  // namespace gputlm
