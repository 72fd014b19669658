/// What the host tells of what has ended.
#pragma once

#include "models/kernel/launch.h"
#include "tlm/copy.h"

namespace gputlm {

/// A kernel has ended, and the host knows.
struct KernelEnded {
  KernelLaunch kernel;  ///< a copy; its transaction is over
  Cycle notified = 0;   ///< core cycle in which the host knew
};

/// The same of a copy or memset.
struct CopyEnded {
  Copy copy;
  Cycle notified = 0;
};

/// The last command of a job has ended, and the host knows.
struct JobEnded {
  std::uint32_t job = 0;        ///< its place in Workload::jobs
  std::uint32_t iteration = 0;  ///< how often its application had been launched before
  Cycle released = 0;           ///< was due, whether or not its thread and its stream were free
  Cycle notified = 0;           ///< core cycle in which the host knew
  bool in_hi_mode = false;      ///< at some time while it was under way the mode was hi
};

/// A job has not begun, as the mode was hi.
struct JobDropped {
  std::uint32_t job = 0, iteration = 0;  ///< as above
  Cycle at = 0;                          ///< its first command could have gone to the GPU
};

/// The mode has changed.
struct ModeChange {
  Cycle at = 0;
  bool hi = false;
  std::uint32_t job = 0;  ///< that has overrun; of no meaning back to lo
};

}  // namespace gputlm
