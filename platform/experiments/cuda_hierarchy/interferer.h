/// The processes of cuda-hierarchy, section V-A, that keep the copy engine busy while a kernel runs.
#pragma once

#include <string>

#include "platform/lab/runs.h"

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

}  // namespace gputlm
