/// What a run in lockstep says to whom has started it.
#pragma once

#include <string>

#include "testbench/lockstep/lockstep.h"

namespace gputlm {

/// "NAME   seed 7   100000 decisions   212345 cycles  coverage 53/54", without an end of line.
std::string run_line(const std::string& name, std::uint64_t seed, const LockstepResult& result);
/// Lines about the difference that the run has found. `waveform` is its file; `again`, a command that finds it again.
std::string difference_text(const LockstepResult& result, const std::string& waveform, const std::string& again);
/// A line for each point, with how often it was reached.
std::string list_of_points(const CoveragePoints& coverage);
/// A line for each point that was not reached.
std::string list_of_gaps(const CoveragePoints& coverage);
/// " --hit-ratio 100 --resets 0"
std::string knob_options(const FixedKnobs& knobs);

}  // namespace gputlm
