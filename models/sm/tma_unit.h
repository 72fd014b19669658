/// TMA, the unit of an SM that moves tiles between memory and shared memory: it executes copies in the order of their
/// instructions, one line per cycle, bypassing the L1. With a TLB, a line whose page misses waits there, and the load/store
/// unit requests it when its translation has arrived. Its use of shared-memory banks is not modelled.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sm/l1/l1_cache.h"
#include "models/sm/load_store_unit.h"
#include "tlm/access.h"
#include "tlm/base/ring.h"

namespace gputlm {

class TmaUnit {
 public:
  /// `l1`: its queue carries the requests. `tlb`: null without address translation. All outlive the unit.
  TmaUnit(const SmConfig& config, L1Cache& l1, SmTlb* tlb) : config_(config), l1_(l1), tlb_(tlb) {}

  struct Copy {
    MemoryInstruction of;
    BulkCopy what;
    std::uint32_t row = 0;          ///< next row to request
    Bytes done = 0;                 ///< bytes of that row that have been requested
    std::uint32_t under_way = 0;    ///< requests without a reply
    bool asked = false;             ///< all requests have been sent
    std::uint64_t repetitions = 0;  ///< further repetitions of all rows
  };

  /// Begins a copy, which moves all rows 1 + `repetitions` times.
  void issue(Cycle now, const MemoryInstruction& instruction, const BulkCopy& what, std::uint64_t repetitions);
  /// Cycle at which step() has work; kNever if it has none, or if that depends on a credit.
  Cycle next() const { return next_; }
  /// Requests a line.
  void step(Cycle now);
  /// Called at the beginning of a window: a credit may have arrived.
  void refresh();
  /// The TLB has freed room or replayed a line.
  void translated(Cycle now);

  /// The copy of a reply; call ended() with the reply afterwards.
  Copy& copy_of(const Access& reply) { return copies_[reply.tag]; }
  /// Counts an answered request; true if it was the copy's last.
  bool ended(const Access& reply);
  bool idle() const { return in_use_ == 0; }

 private:
  struct Due {
    Cycle at = 0;
    std::uint32_t copy = 0;
  };
  void look_ahead(Cycle now);
  L1Stall ask(Cycle now, const L1Requester& requester, const LineAccess& line, bool write);

  const SmConfig& config_;
  L1Cache& l1_;
  SmTlb* tlb_;
  std::vector<Copy> copies_;
  std::vector<std::uint32_t> free_;
  Ring<Due> queue_{std::size_t{1} << 20};  ///< bounded by the copies that warps issue before they wait
  unsigned in_use_ = 0;
  Cycle next_ = kNever;
  L1Stall blocked_ = L1Stall::kNone;
};

}  // namespace gputlm
