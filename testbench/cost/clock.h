/// Whether a block keeps up with a clock.
#pragma once

#include "testbench/cost/study.h"

namespace gputlm::cost {

struct ClockFit {
  double share = 0;     ///< of a cycle, that the longest path takes; wires, skew and jitter have the rest
  unsigned cycles = 0;  ///< 1: it fits; else so many stages, where what the block remembers can wait so long
  /// Of a cycle, that the longest path between registers takes: what the next decision may need, so that registers in
  /// between do not help where it is above 1. 0 if there is none.
  double state_share = 0;
};

ClockFit fit(const Implementation& implementation, unsigned clock_mhz);

}  // namespace gputlm::cost
