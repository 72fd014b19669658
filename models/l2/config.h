#pragma once

#include <string>

#include "models/policy/options.h"
#include "tlm/time.h"

namespace gputlm {

inline constexpr unsigned kMaxL2Partitions = 2;
// Of a slice, at most.
inline constexpr unsigned kMaxL2Banks = 16, kMaxL2Mshrs = 4096, kMaxL2MshrMerges = 256;

struct L2Config {
  bool enabled = true;    ///< off: a memory partition without a cache; of the rest only latency, mshrs and queue count
  Bytes bytes = 3145728;  ///< of the whole GPU, divided evenly over the slices
  unsigned ways = 16;
  std::string set_index = "fold";   ///< models/cache/sectored_tags.h
  std::string replacement = "lru";  ///< models/cache/replacement.h
  PolicyOptions options;            ///< of replacement policies
  bool write_through = false;       ///< writes go to DRAM as they come; off: with the line, when it is replaced
  unsigned fill_bytes = 32;         ///< fetched and written back together, aligned: a sector, two, or the line
  unsigned slices_per_channel = 2;
  /// 2: a line lies in the half of the GPU that reads or writes it first, and is far from the other half, whose hits cross
  /// the connection of the two (NocConfig::partition_latency).
  unsigned partitions = 1;
  bool copies = false;  ///< with two partitions: what a half reads from the other it keeps too (models/l2/halves.h)
  unsigned banks = 2;   ///< of a slice; each serves one request a cycle
  /// Sectors that the data array of a slice moves in a cycle, of reads and writes together; 0: any number, so that only
  /// flits limit it.
  unsigned data_sectors = 0;
  unsigned latency = 60;        ///< in the slice for a hit, cycles of NocConfig::mhz
  unsigned mshrs = 192;         ///< lines of a slice with an outstanding fill
  unsigned mshr_merges = 32;    ///< requests merged into one outstanding line
  unsigned queue = 64;          ///< packets waiting at the slice's input
  double persisting_share = 0;  ///< at most so much of it can be set aside for persisting accesses (set_aside.h)
  /// With an equal share each of `queue` and `mshrs`, and a virtual channel to the slice; by number modulo this.
  unsigned applications = 1;
};

/// Packets that wait in one virtual channel.
inline unsigned queue_of_channel(const L2Config& config) { return config.queue / config.applications; }

}  // namespace gputlm
