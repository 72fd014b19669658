/// TMA, the unit of an SM that moves tiles between memory and shared memory: copies that instructions ask for, in their order, a
/// line a cycle, past the L1. That what it brings takes banks of shared memory is left out.
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
  static constexpr std::uint16_t kSlot = 0xfffe;  ///< of its accesses: that of no warp

  /// `l1`: by whose way out requests go. Both outlive the unit.
  TmaUnit(const SmConfig& config, L1Cache& l1) : config_(config), l1_(l1) {}

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

  const SmConfig& config_;
  L1Cache& l1_;
  std::vector<Copy> copies_;
  std::vector<std::uint32_t> free_;
  Ring<Due> queue_{std::size_t{1} << 20};  ///< bounded by what warps issue before they wait
  unsigned in_use_ = 0;
  Cycle next_ = kNever;
  bool blocked_ = false;  ///< no room on the way out
};

}  // namespace gputlm
