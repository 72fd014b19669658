/// Streams of a workload as servers of jobs, and what of a workload no analysis is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

/// What a stream does, as the analysis sees it.
struct Server {
  StreamId stream = 0;
  std::optional<std::uint32_t> task;                  ///< whose jobs it serves; none: launches that are no job's
  std::vector<std::vector<std::uint32_t>> jobs = {};  ///< launches of each; of launches that are no job's, one each
  std::string refused = {};                           ///< why its task has no bound: others decide when its jobs go on
};

/// One for each task of each stream, and one for the launches of a stream that are no job's.
std::vector<Server> servers_of(const Workload& workload);

}  // namespace gputlm
