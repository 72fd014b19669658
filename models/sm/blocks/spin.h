/// When a spin ends on an SM that runs blocks.
#pragma once

#include <algorithm>

#include "models/sm/blocks/work.h"
#include "models/sm/config.h"

namespace gputlm {

/// The first cycle in which a block that has started at `now`, and waits for its launch's code until `fetched`, gets on.
/// Its warps wake in the same cycle.
inline Cycle end_of_spin(const BlockWork& work, Cycle now, Cycle fetched, const Clock& clock) {
  const bool spins = work.spin > 0;  // else its warps do nothing but to exit
  const Cycle ends = spins ? clock.at_or_after(later(clock.edge(now), work.spin)) : now;
  return std::max({fetched, ends, now + (spins ? 2 : 1)});
}

/// How long it takes the warps of a block to go where there is nothing to do but to exit: those of a sub-core do so one
/// after the other, and the last one is gone a cycle later.
inline Cycle cycles_of_exit(std::uint32_t warps, const SmConfig& config) {
  return (warps + config.sub_cores - 1) / config.sub_cores;
}

}  // namespace gputlm
