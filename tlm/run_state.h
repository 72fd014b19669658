#pragma once

namespace gputlm {

/// How a run has ended.
enum class RunState {
  kComplete,
  kInterrupted,
  kDeadlocked,
  kCycleLimit,  ///< the requested one
  kTimeLimit,   ///< kEndOfTime (tlm/base/time.h)
};
const char* to_string(RunState state);

}  // namespace gputlm
