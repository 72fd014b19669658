/// The L1 data cache of an SM: tags, MSHRs, and the queue of accesses towards the GPC port. Plain C++, without data.
///
/// It is write-through and sectored, and allocates a line when its data arrives, so that outstanding misses occupy no
/// lines. The effect of stores on it is configurable (stores.h). A miss fetches the missing sectors, or with
/// L1Config::fill_bytes the aligned groups of sectors around them, up to the whole line. The load waits for its own
/// sectors, and for the others only if they are a separate access. Loads that miss wait in MSHRs, one per line, into which
/// several loads may merge. Atomics are performed at the L2: they bypass the cache, whose copy becomes stale. When MSHRs or
/// the queue are full, the requester has to wait: nothing is dropped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "models/cache/mshr.h"
#include "models/cache/sectored_tags.h"
#include "models/kernel/block_counters.h"
#include "models/noc/network_interface.h"
#include "models/sm/coalescer.h"
#include "models/sm/l1/config.h"
#include "models/sm/l1/stores.h"
#include "tlm/access.h"
#include "tlm/link.h"

namespace gputlm {

struct L1Statistics {
  std::uint64_t l1_sector_hits = 0, l1_sector_misses = 0, mshr_merges = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = L1Statistics;
    v.counter(&S::l1_sector_hits, "l1_sector_hits", "sectors", "Sectors of loads that were in the L1");
    v.counter(&S::l1_sector_misses, "l1_sector_misses", "sectors", "Sectors of loads that were not in the L1");
    v.counter(&S::mshr_merges, "mshr_merges", "loads", "Loads that found an MSHR for their line");
  }
};

/// The requester of a line: a warp's memory instruction.
struct L1Requester {
  Identity identity;
  std::uint16_t slot = 0;  ///< slot of the warp in the SM; becomes Access::slot
  std::uint32_t load = 0;  ///< number in the load/store unit of a load or atomic; becomes Access::tag of an atomic
  BlockCounters* counters = nullptr;  ///< counters of the block
};

/// Why a request could not be taken.
enum class L1Stall : std::uint8_t {
  kNone,   ///< it was taken
  kMshr,   ///< no free MSHR, or no room in the line's
  kQueue,  ///< no room for its accesses in the queue towards the GPC port
  kTlb,    ///< no room for another miss in the TLB before the cache (models/sm/sm_tlb.h)
};

class L1Cache {
 public:
  /// `options`: those of replacement policies. Copies `network`, except its map; `accesses` must outlive the cache.
  L1Cache(const L1Config& config, const PolicyOptions& options, const NetworkInterface& network,
          AccessSource& accesses);

  struct LoadResult {
    L1Stall stall = L1Stall::kNone;
    SectorMask hits = 0;
    SectorMask missing = 0;  ///< sectors for which the requester's load waits at least; fill() reports the load once
  };
  LoadResult load(Cycle now, const L1Requester& requester, const LineAccess& line);
  /// Each contiguous run of sectors becomes a separate access.
  L1Stall store(Cycle now, const L1Requester& requester, const LineAccess& line);
  L1Stall atomic(Cycle now, const L1Requester& requester, const LineAccess& line);
  /// Reads or writes a contiguous run of sectors of a line at the L2, without changing the cache's copy.
  L1Stall pass_by(Cycle now, const L1Requester& requester, const LineAccess& line, bool write);

  /// Fills in the data of a read's reply; calls `served(load)` for each load that now has all that it awaited of the line.
  template <class Served>
  void fill(const Access& reply, Served served) {
    mshrs_.arrived(reply.tag, take_in(reply), served);
  }
  /// Sets shared memory's part of the array (BlockLaunch::carveout); a change empties the cache. None: the L1 has the whole
  /// array. Outstanding misses still fill it.
  void divide(const std::optional<Bytes>& shared);
  /// Empties the cache, which holds no dirty data. Outstanding misses still fill it.
  void invalidate() { tags_.invalidate_all(); }

  /// Sends queued accesses that the port takes before `until`. To be called at the end of each window.
  void drain(Cycle until);
  /// Earliest cycle at which drain() can send something; kNever if nothing is queued or no credit is known.
  Cycle drain_next() const { return queue_.empty() ? kNever : std::max(queue_.front().at, port_.ready_at()); }
  Outbox<Access>& port() { return port_; }

  const L1Statistics& statistics() const { return statistics_; }
  /// For the report of a deadlock.
  unsigned mshrs_in_use() const { return mshrs_.in_use(); }
  std::size_t queued_accesses() const { return queue_.size(); }

 private:
  using Mshrs = MshrFile<std::uint32_t>;  ///< MSHRs in which loads wait
  struct Queued {
    Cycle at;
    Access* access;
  };

  /// Handles a load that misses sectors of a line, of which others are `valid`. The given MSHR has room, or, if none is
  /// given, an MSHR is free. False: there is no room in the queue.
  bool miss(Cycle now, const L1Requester& requester, std::uint64_t line, SectorMask missing, SectorMask valid,
            Mshrs::Index mshr);
  void count(const L1Requester& requester, SectorMask hit, SectorMask missed);
  void leave(const LineAccess& line);
  bool room_for(Cycle now, unsigned accesses);
  /// Queues a request for a run of sectors; `kind(access)` sets its kind.
  template <class Kind>
  void send(Cycle now, const L1Requester& requester, std::uint64_t line, SectorMask run, Kind kind);
  /// Makes the sectors of a reply valid and returns them.
  SectorMask take_in(const Access& reply);

  NetworkInterface network_;
  AccessSource& accesses_;
  unsigned fill_sectors_;
  Bytes bytes_;  ///< size of its array
  L1Stores stores_;
  SectoredTags tags_;
  Mshrs mshrs_;
  /// A line that neither tags nor MSHRs have, and for which no MSHR was free: the requester will retry.
  std::uint64_t absent_ = SectoredTags::kNoLine;
  std::size_t queue_limit_;
  Ring<Queued> queue_;
  Outbox<Access> port_;
  L1Statistics statistics_;
};

}  // namespace gputlm
