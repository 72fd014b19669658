#pragma once

#include <string>

#include "models/policy/options.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr unsigned kMaxL2Partitions = 2;
// Limits of a slice.
inline constexpr unsigned kMaxL2Banks = 16, kMaxL2Mshrs = 4096, kMaxL2MshrMerges = 256;

struct L2Config {
  bool enabled = true;    ///< off: a memory partition without a cache, for which only latency, mshrs and queue matter
  Bytes bytes = 3145728;  ///< size for the whole GPU, divided evenly among the slices
  unsigned ways = 16;
  std::string set_index = "fold";   ///< mapping of lines to sets (models/cache/sectored_tags.h)
  std::string replacement = "lru";  ///< replacement policy (models/cache/replacement.h)
  PolicyOptions options;            ///< options of replacement policies
  bool write_through = false;       ///< writes go to DRAM immediately; off: when the line is replaced
  unsigned fill_bytes = 32;         ///< aligned bytes fetched and written back together: a sector, two, or the line
  unsigned slices_per_channel = 2;
  /// 2: a line is in the half of the GPU that accesses it first; hits from the other half cross the connection of the two
  /// (NocConfig::partition_latency).
  unsigned partitions = 1;
  bool copies = false;  ///< with two partitions: a half keeps copies of reads from the other (models/l2/halves.h)
  unsigned banks = 2;   ///< banks of a slice; each serves one request per cycle
  /// Sectors, read or written, that the data array of a slice moves per cycle; 0: limited only by flits.
  unsigned data_sectors = 0;
  unsigned latency = 60;        ///< latency of a hit in the slice, in cycles of NocConfig::mhz
  unsigned mshrs = 192;         ///< lines of a slice with an outstanding fill
  unsigned mshr_merges = 32;    ///< requests merged into one outstanding line
  unsigned queue = 64;          ///< packets waiting at the slice's input
  double persisting_share = 0;  ///< maximum share that can be set aside for persisting accesses (set_aside.h)
  /// Applications with an equal share each of `queue` and `mshrs` and a virtual channel to the slice; by number modulo
  /// this.
  unsigned applications = 1;
};

/// Queue entries of one virtual channel.
inline unsigned queue_of_channel(const L2Config& config) { return config.queue / config.applications; }

}  // namespace gputlm
