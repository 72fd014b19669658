#pragma once

#include <string>

#include "tlm/base/time.h"

namespace gputlm {

struct L1Config {
  Bytes bytes = 32768;
  unsigned ways = 4;
  std::string set_index = "modulo";        ///< mapping of lines to sets (models/cache/sectored_tags.h)
  std::string replacement = "lru";         ///< replacement policy (models/cache/replacement.h)
  std::string stores = "through";          ///< effect of stores (models/sm/l1/stores.h)
  unsigned store_bytes = 128;              ///< bytes of a store that the L1 accepts per cycle
  unsigned tag_lines = 1;                  ///< lines looked up per cycle: Coalescer::lookup_cycles
  bool banked = false;                     ///< its array is that of shared memory, whose banks its data also occupies
  unsigned fill_bytes = 32;                ///< aligned bytes that a miss fetches together: a sector, two, or the line
  unsigned hit_latency = 32;               ///< cycles from issue until a dependent instruction can issue
  unsigned fill_latency = 12;              ///< cycles from a reply's arrival until a dependent instruction can issue
  bool invalidate_at_kernel_start = true;  ///< a kernel's first block on the SM empties the L1
  unsigned mshrs = 256;                    ///< lines with an outstanding miss
  unsigned mshr_merges = 8;                ///< accesses merged into an outstanding line
  unsigned queue = 64;                     ///< misses and stores waiting for the GPC port
};

}  // namespace gputlm
