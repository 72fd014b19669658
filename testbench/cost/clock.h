/// Whether a block meets a clock frequency.
#pragma once

#include "testbench/cost/study.h"

namespace gputlm::cost {

struct ClockFit {
  double share = 0;     ///< longest path relative to a clock cycle; the rest of the cycle is for wires, skew and jitter
  unsigned cycles = 0;  ///< 1: it fits; else the number of stages, provided that the block's state can wait that long
  /// Longest path between registers, relative to the cycle. The next decision may depend on it, so pipelining does not help
  /// if it exceeds 1. 0 if there is no such path.
  double state_share = 0;
};

ClockFit fit(const Implementation& implementation, unsigned clock_mhz);

}  // namespace gputlm::cost
