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
  std::string refused = {};    ///< why its task has no bound: others decide when its jobs go on
  bool comes_together = true;  ///< launches of a job are issued at once, nothing else between them
  /// Jobs of a stream that has been without work follow each other without a pause, that the host or a copy makes: so many
  /// at most, kNever if any number of those that are released meanwhile, none if others decide.
  std::optional<std::uint64_t> in_a_row = kNever;
};

/// One for each task of each stream, and one for what of a stream is no job's.
std::vector<Server> servers_of(const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
