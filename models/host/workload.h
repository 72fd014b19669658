/// What the host does: the launches of every stream, in order. Filled from a workload file (platform/input/workload_file.h)
/// or a `kernelslist.g` (platform/input/kernels_list.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "tlm/access.h"
#include "tlm/launch.h"

namespace gputlm {

struct ApplicationSpec {
  std::string name;
  std::optional<SmSet> sms = std::nullopt;  ///< its blocks go to these SMs only; none: to all
  /// Launched again, all of it, whenever all its launches have ended, until every application has ended once: then the
  /// run ends, and what is running is cut (fr-rr-fcfs, section 2.2). Release times count from the new launch.
  bool relaunch = false;
  std::string file = {};  ///< where it comes from, for messages; empty: from C++
  std::size_t line = 0;
};

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
  std::uint8_t budget = 1;   ///< of its warps in the warp scheduler (qaws, section IV); larger goes before smaller
  std::optional<Femtoseconds> deadline = std::nullopt;  ///< for its response time; changes nothing of the run
  std::optional<Cycle> alone_cycles = std::nullopt;     ///< as in KernelLaunch
  unsigned phase = 0;  ///< a phase starts when everything of the phase before has ended (a device synchronize)
  std::string file;    ///< where it comes from, for messages; empty: from C++
  std::size_t line = 0;
};

struct Workload {
  std::vector<ApplicationSpec> applications;
  std::vector<StreamSpec> streams;
  std::vector<LaunchCommand> launches;  ///< ordered by phase, then by position in their streams
  std::vector<std::string> warnings;    ///< what of its source has no effect

  /// An application is launched again and again.
  bool relaunches() const {
    return std::any_of(applications.begin(), applications.end(), [](const ApplicationSpec& a) { return a.relaunch; });
  }
};

/// Name of a launch in the results: its label; launched again the n-th time, "LABEL@n+1".
inline std::string launch_label(const Workload& workload, std::uint32_t command, std::uint32_t iteration) {
  const std::string& label = workload.launches[command].label;
  return iteration == 0 ? label : label + "@" + std::to_string(iteration + 1);
}

}  // namespace gputlm
