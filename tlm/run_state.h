#pragma once

namespace gputlm {

/// How a run has ended.
enum class RunState {
  kComplete,
  kInterrupted,
  kDeadlocked,
  kCycleLimit,  ///< the requested limit of cycles has been reached
  kTimeLimit,   ///< kEndOfTime (tlm/base/time.h) has been reached
};
const char* to_string(RunState state);

}  // namespace gputlm
