/// The load/store unit of an SM: takes memory instructions in order, coalesces the lanes of one into accesses to 128-byte
/// lines, asks the L1 for one line a cycle, and waits where that cannot take it. Shared memory and constants are served
/// here.
#pragma once

#include <array>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/sm/coalescer.h"
#include "models/sm/config.h"
#include "models/sm/l1/l1_cache.h"
#include "models/sm/sm_tlb.h"
#include "tlm/access.h"
#include "tlm/launch.h"
#include "tlm/link.h"

namespace gputlm {

/// A memory instruction that a warp has issued.
struct MemoryInstruction {
  unsigned warp = 0;  ///< warp slot of the SM
  const Instruction* instruction = nullptr;
  const BlockCode* code = nullptr;
  WarpPosition position;
};

/// What the unit tells the SM.
class MemoryClient {
 public:
  virtual ~MemoryClient() = default;
  /// The results of a load or atomic can be used from cycle `at` on.
  virtual void loaded(unsigned warp, const Instruction& instruction, Cycle at) = 0;
  /// A store has sent one more access, whose acknowledgement will be reported by stored().
  virtual void store_sent(unsigned warp) = 0;
  /// A store instruction has been served, or one of its accesses has been acknowledged.
  virtual void stored(unsigned warp, Cycle at) = 0;
  /// A place in the instruction queue, which was full, has become free.
  virtual void queue_freed() = 0;
  virtual BlockLaunch& block_of(unsigned warp) = 0;
};

struct LoadStoreStatistics {
  std::uint64_t busy_cycles = 0, mshr_full_cycles = 0, queue_full_cycles = 0;
  L1Statistics l1;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = LoadStoreStatistics;
    v.counter(&S::busy_cycles, "busy_cycles", "core cycles", "in which a line or a bank conflict was served");
    v.counter(&S::mshr_full_cycles, "mshr_full_cycles", "core cycles", "spent waiting for an MSHR or a place in one");
    v.counter(&S::queue_full_cycles, "queue_full_cycles", "core cycles", "spent waiting for the GPC port");
    v.part(&S::l1, "");
  }
};

class LoadStoreUnit {
 public:
  /// What is given by reference must outlive the unit; so must `tlb`, null: addresses need no translation.
  LoadStoreUnit(const SmConfig& config, L1Cache& l1, SmTlb* tlb, MemoryClient& client);

  bool full() const { return queue_.size() >= queue_limit_; }
  void issue(Cycle now, const MemoryInstruction& instruction);
  /// Cycle at which step() has work; kNever if only a reply or a credit makes some.
  Cycle next() const { return next_; }
  /// Serves a line or waits; `now` >= next(). Then also what it does of the same instruction in the cycles before
  /// `horizon`, up to which no reply arrives, nobody empties the L1 and nobody looks: all lines but the last, with which the
  /// instruction may end. With a TLB no more than the first.
  void step(Cycle now, Cycle horizon);
  /// A reply of the L2 has arrived.
  void reply(Cycle now, const Access& access);
  /// The TLB has lines to be replayed, or room for misses.
  void translated(Cycle now);
  /// At the beginning of a window: a credit may have come.
  void refresh();

  /// As of cycle `now`, which has not been computed yet.
  LoadStoreStatistics statistics(Cycle now) const;

 private:
  /// A load or atomic whose lines are not all there.
  struct Load {
    unsigned warp;
    const Instruction* instruction;
    unsigned parts;  ///< lines that are still missing, and 1 while the unit works on it
    Cycle ready;     ///< latest of the parts that have arrived
  };
  void start(Cycle now);
  unsigned coalesce();
  void start_shared(Cycle now);
  unsigned bank_cycles();  ///< for which the head's access to shared memory holds the banks
  /// Serves a line that the TLB has kept.
  void replay(Cycle now);
  /// A line of the instruction being served, which the TLB keeps if its page misses.
  L1Stall translate(Cycle now, const LineAccess& line);
  L1Stall serve(Cycle now, Op op, const L1Requester& requester, const LineAccess& line);
  /// Whether a line has been served; if not, the unit waits.
  bool served(Cycle now, L1Stall stall);
  void finish_instruction(Cycle now);
  void part_done(std::uint32_t load, Cycle ready);
  std::uint32_t new_load();
  /// Adds the time since `blocked_since_` to what it was spent on; the TLB counts its own.
  void add_wait(Cycle now, LoadStoreStatistics& statistics) const;

  const SmConfig& config_;
  L1Cache& l1_;
  SmTlb* tlb_;
  MemoryClient& client_;

  std::size_t queue_limit_;
  Ring<MemoryInstruction> queue_;
  L1Stall blocked_ = L1Stall::kNone;
  Cycle blocked_since_ = 0;
  Cycle next_ = kNever;
  Cycle busy_until_ = 0;  ///< the banks of shared memory are taken

  // The instruction being served.
  MemoryInstruction head_;
  L1Requester requester_;
  unsigned lines_ = 0, line_ = 0;
  bool active_ = false;
  Coalescer coalescer_;
  BankConflicts conflicts_;
  LaneAddresses addresses_{};

  std::vector<Load> loads_;
  std::vector<std::uint32_t> free_loads_;
  LoadStoreStatistics statistics_;
};

}  // namespace gputlm
