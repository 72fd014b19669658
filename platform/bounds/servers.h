/// Streams of a workload as servers of jobs, and what of a workload no analysis is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"

namespace gputlm {

/// What a stream does, as the analysis sees it.
struct Server {
  /// By place in the workload.
  struct Job {
    std::vector<std::uint32_t> launches = {}, copies = {};
  };
  StreamId stream = 0;
  std::optional<std::uint32_t>
      task;  ///< whose jobs it serves; none: launches and copies that are no job's, each for itself
  std::vector<Job> jobs = {};
  std::string refused = {};  ///< why its task has no bound: others decide when its jobs go on
};

/// One for each task of each stream, and one for what of a stream is no job's.
std::vector<Server> servers_of(const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
