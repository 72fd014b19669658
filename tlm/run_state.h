#pragma once

namespace gputlm {

/// How a run has ended.
enum class RunState { kComplete, kInterrupted, kDeadlocked, kCycleLimit };
const char* to_string(RunState state);

}  // namespace gputlm
