/// What the host does: the launches of every stream, in order. Filled from a workload file (platform/workload_file.h)
/// or a `kernelslist.g` (models/kernel/kernels_list.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "tlm/access.h"

namespace gputlm {

struct StreamSpec {
  std::string name;
  ApplicationId application = 0;
  int priority = 0;  ///< CUDA's convention: lower is more urgent
};

/// One kernel launch. Launches of a stream run one after the other, in the order of Workload::launches.
struct LaunchCommand {
  std::string label;  ///< name in the results; unique in the workload
  StreamId stream = 0;
  std::shared_ptr<Kernel> kernel;
  Femtoseconds release = 0;  ///< not before this long after the start of its phase
  unsigned phase = 0;        ///< a phase starts when everything of the phase before has ended (a device synchronize)
  std::string file;          ///< where it comes from, for messages; empty: from C++
  std::size_t line = 0;
};

struct Workload {
  std::vector<std::string> applications;
  std::vector<StreamSpec> streams;
  std::vector<LaunchCommand> launches;  ///< ordered by phase, then by position in their streams
  std::vector<std::string> warnings;    ///< what of its source has no effect
};

}  // namespace gputlm
