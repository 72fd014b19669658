#pragma once

namespace gputlm {

/// The TLB of an SM. Defaults: MASK (models/mmu/config.h), table 1; the number of misses is assumed, as for the L1.
struct SmTlbConfig {
  unsigned entries = 64;
  unsigned ways = 64;
  unsigned misses = 32;       ///< pages with an outstanding miss
  unsigned miss_merges = 64;  ///< lines that wait for one page
};

}  // namespace gputlm
