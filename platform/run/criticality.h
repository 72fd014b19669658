/// What became of the levels of criticality in a run: by task and mode responses and deadlines, jobs dropped, and how long the
/// mode was hi (models/host/core_modes.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "platform/run/result.h"

namespace gputlm {

/// Jobs of a task that were under way in one mode only, or at some time in mode hi.
struct ModeResponses {
  std::uint32_t task = 0;
  bool hi_mode = false;
  std::uint64_t overran = 0;
  std::uint64_t dropped = 0;    ///< did not begin; only in mode hi
  std::uint64_t deadlines = 0;  ///< of those that ended
  std::uint64_t missed = 0;
  std::vector<Cycle> times = {};  ///< responses in ascending order
};

struct CriticalityOutcome {
  std::vector<ModeResponses> responses;  ///< by task, and there mode lo before mode hi
  std::uint64_t changes = 0;             ///< to mode hi
  Cycle hi_mode = 0;                     ///< cycles in it, up to the end of the run

  std::uint64_t missed(const Workload& workload, Criticality level) const;
  std::uint64_t dropped() const;
};

/// Of a workload with modes (Workload::has_modes()).
CriticalityOutcome criticality_outcome(const RunResult& result, const Workload& workload, const Clock& clock);

}  // namespace gputlm
