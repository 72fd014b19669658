/// When a spin ends on an SM that runs blocks.
#pragma once

#include <algorithm>

#include "models/sm/blocks/work.h"
#include "models/sm/config.h"

namespace gputlm {

/// The first cycle in which a block that started at `now`, and waits for its launch's code until `fetched`, progresses. Its
/// warps would wake in the same cycle.
inline Cycle end_of_spin(const BlockWork& work, Cycle now, Cycle fetched, const Clock& clock) {
  const bool spins = work.spin > 0;  // otherwise its warps only exit
  const Cycle ends = spins ? clock.at_or_after(later(clock.edge(now), work.spin)) : now;
  return std::max({fetched, ends, now + (spins ? 2 : 1)});
}

/// Time that the warps of a block take to exit if they do nothing else: those of a sub-core exit one after the other, and
/// the last one leaves a cycle later.
inline Cycle cycles_of_exit(std::uint32_t warps, const SmConfig& config) {
  return (warps + config.sub_cores - 1) / config.sub_cores;
}

}  // namespace gputlm
