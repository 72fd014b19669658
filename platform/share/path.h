/// What a program's time was spent on, along the critical path of its commands: from the end of the last command back to what
/// allowed it to begin, and so on. A command is released by the end of another command, in its stream or through an event, or
/// by its thread, which waited for a command or has computed since.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/lab/run_set.h"
#include "platform/share/outcome.h"
#include "tlm/base/time.h"

namespace gputlm {

/// From `from` up to but not including `until`.
struct CycleInterval {
  Cycle from = 0, until = 0;
};

/// A set of cycles, as sorted intervals that do not touch.
class CycleSet {
 public:
  CycleSet() = default;
  /// The union of intervals in any order; empty ones are ignored.
  explicit CycleSet(std::vector<CycleInterval> intervals);

  Cycle size() const;
  CycleSet operator&(const CycleSet& other) const;
  CycleSet operator|(const CycleSet& other) const;
  CycleSet operator-(const CycleSet& other) const;
  /// The part from `from` up to but not including `until`.
  CycleSet within(Cycle from, Cycle until) const;
  const std::vector<CycleInterval>& intervals() const { return intervals_; }

 private:
  std::vector<CycleInterval> intervals_;
};

/// The program's state in a cycle of that path.
enum class PathState : std::uint8_t {
  kRuns,            ///< a kernel has a block on the SMs
  kWaits,           ///< a kernel waits for its first block
  kCopies,          ///< a copy is moved
  kWaitsForEngine,  ///< a copy waits for an engine
  kBehind,          ///< a kernel or copy is served that the program called for before the job
  kHost,            ///< host threads, launches in transit, anything unexplained
};
inline constexpr std::size_t kPathStates = 6;

/// A job, or a pass of the program.
struct JobPath {
  Cycle from = 0, until = 0;
  std::array<CycleSet, kPathStates> states;  ///< each cycle is in exactly one of them
  std::vector<std::size_t> kernels;          ///< indices in RunResult::kernels of the job's own kernels on the path
};

/// One path for each job of the program, or for each pass if it has no tasks.
std::vector<JobPath> job_paths(const RunResult& result, const Run& run, ApplicationId application);

}  // namespace gputlm
