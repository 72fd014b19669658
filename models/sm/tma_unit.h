/// TMA, the unit of an SM that moves tiles between memory and shared memory: copies that instructions ask for, in their
/// order, a line a cycle, past the L1. With a TLB, a line whose page misses waits there, and the load/store unit asks for
/// it when its translation has come. That what it brings takes banks of shared memory is left out.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sm/l1/l1_cache.h"
#include "models/sm/load_store_unit.h"
#include "tlm/access.h"
#include "tlm/ring.h"

namespace gputlm {

class TmaUnit {
 public:
  /// `l1`: by whose way out requests go. `tlb`: null where addresses need no translation. All outlive the unit.
  TmaUnit(const SmConfig& config, L1Cache& l1, SmTlb* tlb) : config_(config), l1_(l1), tlb_(tlb) {}

  struct Copy {
    MemoryInstruction of;
    BulkCopy what;
    std::uint32_t row = 0;          ///< next to be asked for
    Bytes done = 0;                 ///< bytes of it
    std::uint32_t under_way = 0;    ///< requests
    bool asked = false;             ///< for all
    std::uint64_t repetitions = 0;  ///< of all rows, that come after these
  };

  /// The copy begins. `repetitions`: it moves all rows so many times more.
  void issue(Cycle now, const MemoryInstruction& instruction, const BulkCopy& what, std::uint64_t repetitions);
  /// Cycle at which step() has work; kNever if it has none, or only a credit makes some.
  Cycle next() const { return next_; }
  /// Asks for a line.
  void step(Cycle now);
  /// At the beginning of a window: a credit may have come.
  void refresh();
  /// The TLB has had room made in it, or a line replayed.
  void translated(Cycle now);

  /// What a reply is of; ended() is to be called with it.
  Copy& copy_of(const Access& reply) { return copies_[reply.tag]; }
  /// One of its requests has been answered; true if it was the last.
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
  Ring<Due> queue_{std::size_t{1} << 20};  ///< bounded by what warps issue before they wait
  unsigned in_use_ = 0;
  Cycle next_ = kNever;
  L1Stall blocked_ = L1Stall::kNone;
};

}  // namespace gputlm
