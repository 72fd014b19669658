/// Events that the host reports.
#pragma once

#include "models/kernel/launch.h"
#include "tlm/copy.h"

namespace gputlm {

/// A kernel has ended, and the host has been notified.
struct KernelEnded {
  KernelLaunch kernel;  ///< a copy; its transaction is over
  Cycle notified = 0;   ///< core cycle of the notification
};

/// The same for a copy or memset.
struct CopyEnded {
  Copy copy;
  Cycle notified = 0;
};

/// The last command of a job has ended, and the host has been notified.
struct JobEnded {
  std::uint32_t job = 0;        ///< index in Workload::jobs
  std::uint32_t iteration = 0;  ///< number of earlier launches of its application
  Cycle released = 0;           ///< cycle in which it was due, whether or not thread and stream were free
  Cycle notified = 0;           ///< core cycle of the notification
  bool in_hi_mode = false;      ///< the mode was hi at some time during the job
};

/// A job was dropped, since the mode was hi.
struct JobDropped {
  std::uint32_t job = 0, iteration = 0;  ///< as in JobEnded
  Cycle at = 0;                          ///< cycle in which its first command could have gone to the GPU
};

/// The mode has changed.
struct ModeChange {
  Cycle at = 0;
  bool hi = false;
  std::uint32_t job = 0;  ///< the job that has overrun; meaningless for a return to lo
};

}  // namespace gputlm
