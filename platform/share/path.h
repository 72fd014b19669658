/// What a program's time went to, on the way through its commands that decided how long it took: from the end of the last one
/// back to what let it begin, and so on. A command is let go by the end of another one, in its stream or by an event, or
/// by its thread, which has waited for a command or computes since.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/lab/run_set.h"
#include "platform/share/intervals.h"
#include "platform/share/outcome.h"

namespace gputlm {

/// What a program does in a cycle of that way.
enum class PathState : std::uint8_t {
  kRuns,            ///< a kernel has a block on the SMs
  kWaits,           ///< a kernel waits for its first one
  kCopies,          ///< a copy is moved
  kWaitsForEngine,  ///< a copy waits for an engine
  kBehind,          ///< a kernel or a copy that the program called for before the job is served
  kHost,            ///< host threads, launches on their way, what nobody knows
};
inline constexpr std::size_t kPathStates = 6;

/// A job, or a time that the program ran through.
struct JobPath {
  Cycle from = 0, until = 0;
  std::array<CycleSet, kPathStates> states;  ///< each cycle is in one of them
  std::vector<std::size_t> kernels;          ///< places in RunResult::kernels of those on the way, of the job itself
};

/// Of all jobs of the program, or of all times that it ran through, if it has no tasks.
std::vector<JobPath> job_paths(const RunResult& result, const Run& run, ApplicationId application);

}  // namespace gputlm
