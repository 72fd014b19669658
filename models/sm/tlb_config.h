#pragma once

namespace gputlm {

/// The TLB of an SM. Defaults: MASK (models/mmu/config.h), table 1; how many misses it holds is assumed, as the L1's.
struct SmTlbConfig {
  unsigned entries = 64;
  unsigned ways = 64;
  unsigned misses = 32;       ///< pages with an outstanding miss
  unsigned miss_merges = 64;  ///< lines that wait for one of them
};

}  // namespace gputlm
