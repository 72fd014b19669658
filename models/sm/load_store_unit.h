/// The load/store unit of an SM takes memory instructions in order, coalesces the lanes of each into accesses to 128-byte
/// lines, sends these one by one to the L1, and waits while it cannot take one. It serves shared memory and constants
/// itself. It tracks what each slot of the SM has in flight; the SM gives it instructions, steps it and takes its results.
///
/// An instruction holds the unit as long as the slowest of three parallel stages. Tags look up L1Config::tag_lines lines per
/// cycle (Coalescer::lookup_cycles). Banks read or write the different words that its lanes access in each (banks.h), for
/// an access to shared memory, or to an L1 in the same array (L1Config::banked). The miss stage takes one line per cycle:
/// a line that misses takes an MSHR and a place in the queue towards the GPC port, which takes no more either; lines of
/// stores and atomics go there, too. No measurement says more about it. A miss also holds the banks, but when it is
/// requested, not when its data arrives.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/launch.h"
#include "models/sm/banks.h"
#include "models/sm/cluster_port.h"
#include "models/sm/coalescer.h"
#include "models/sm/config.h"
#include "models/sm/l1/l1_cache.h"
#include "models/sm/sm_tlb.h"
#include "tlm/access.h"
#include "tlm/link.h"

namespace gputlm {

/// The slot of TMA accesses (tma_unit.h), which no warp has.
inline constexpr std::uint16_t kTmaSlot = 0xfffe;

/// A memory instruction that a warp has issued.
struct MemoryInstruction {
  unsigned slot = 0;  ///< slot of the warp, or of a block whose warps are not distinguished
  const Instruction* instruction = nullptr;
  BlockLaunch* block = nullptr;
  WarpPosition position;
};

/// What has completed since the SM last took results.
struct MemoryResults {
  struct Load {
    unsigned slot;
    const Instruction* instruction;  ///< a load or atomic
    Cycle at;                        ///< cycle from which its results can be used
  };
  std::vector<Load> loads;
  std::vector<unsigned> settled;  ///< slots that have nothing in flight any more
};

struct LoadStoreStatistics {
  std::uint64_t busy_cycles = 0, mshr_full_cycles = 0, queue_full_cycles = 0;
  L1Statistics l1;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = LoadStoreStatistics;
    v.counter(&S::busy_cycles, "busy_cycles", "core cycles", "Time in which a line or a bank conflict was served");
    v.counter(&S::mshr_full_cycles, "mshr_full_cycles", "core cycles",
              "Time spent waiting for an MSHR or a place in one");
    v.counter(&S::queue_full_cycles, "queue_full_cycles", "core cycles", "Time spent waiting for the GPC port");
    v.part(&S::l1, "");
  }
};

/// Counts a reply's hits and misses for the requesting block.
inline void count_reply(Cycle now, const Access& access, BlockCounters& count) {
  count.memory_latency += now - access.issued;
  count.reply_flits += access.flits;
  count.row_hits += access.row == RowOutcome::kHit;
  count.row_misses += access.row == RowOutcome::kMiss;
  count.row_conflicts += access.row == RowOutcome::kConflict;
  if (access.write) {
    ++(access.l2_hit ? count.l2_write_hits : count.l2_write_misses);
  } else {
    ++(access.l2_hit ? count.l2_read_hits : count.l2_read_misses);
  }
}

class LoadStoreUnit {
 public:
  /// With `slots` slots. Arguments given by reference must outlive the unit, as must `tlb`; null: no address translation.
  LoadStoreUnit(const SmConfig& config, L1Cache& l1, SmTlb* tlb, unsigned slots);

  /// Sets the port to the shared memory of other blocks of a cluster, which must outlive the unit. Without it, and for
  /// blocks without a cluster, such accesses go to the block's own.
  void reach_clusters(ClusterPort& port) { cluster_port_ = &port; }
  bool full() const { return queue_.size() >= queue_limit_; }
  void issue(Cycle now, const MemoryInstruction& instruction);
  /// Cycle at which step() has work; kNever if that depends on a reply or credit.
  Cycle next() const { return next_; }
  /// Computes cycle `now` >= next(). It also computes the cycles of the same instruction before `horizon`, up to which no
  /// reply arrives, the L1 is not emptied and the state is not read: all lines except the last, with which the instruction
  /// may end. With a TLB, only the first cycle.
  void step(Cycle now, Cycle horizon);
  /// Handles a reply of the L2.
  void reply(Cycle now, const Access& access);
  /// Handles an answer from the cluster port.
  void answered(Cycle now, const ClusterPacket& packet);
  /// Something outside this unit is in flight for the slot, until end_outside().
  void begin_outside(unsigned slot, BlockLaunch& block);
  void end_outside(unsigned slot, Cycle at) { ended(slot, at); }
  /// The TLB has lines to replay, or room for misses.
  void translated(Cycle now);
  /// Called at the beginning of a window: a credit may have arrived.
  void refresh();
  /// The same for the cluster port.
  void refresh_cluster() {
    if (reaches_cluster_ && next_ == kNever) next_ = cluster_port_->next_free();
  }

  /// Results of step() and reply(), until cleared.
  const MemoryResults& results() const { return results_; }
  void clear_results();
  /// Cycle in which the last access that the slot has issued ends; kNever while unknown.
  Cycle settled(unsigned slot) const { return slots_[slot].under_way > 0 ? kNever : slots_[slot].settled; }
  /// Number of the slot's loads and atomics whose data is incomplete; takes a linear search.
  unsigned outstanding_loads(unsigned slot);
  /// Whether no slot has anything in flight.
  bool idle() const;

  /// Statistics at cycle `now`, which has not been computed yet.
  LoadStoreStatistics statistics(Cycle now) const;

 private:
  /// A load or atomic with missing lines.
  struct Load {
    unsigned slot;
    const Instruction* instruction;
    unsigned parts;  ///< missing lines, plus 1 while the unit works on it
    Cycle ready;     ///< latest of the parts that have arrived
  };
  struct Slot {
    unsigned under_way = 0;             ///< instructions, and accesses of stores, that have not ended
    Cycle settled = 0;                  ///< latest end of one of these
    BlockCounters* counters = nullptr;  ///< counters of the block that issued last
  };
  /// The outcome of a line.
  struct Answer {
    L1Stall stall = L1Stall::kNone;
    Cycle cycles = 0;  ///< cycles for which it occupies the miss stage; 0: a hit
  };
  void start(Cycle now);
  void start_cluster(Cycle now);
  void step_cluster(Cycle now);
  void reach(Cycle now, const LineAccess& line);
  unsigned coalesce();
  void start_shared(Cycle now);
  unsigned cycles_of_banks();  ///< number of cycles for which the head holds the banks
  /// Cycle in which the tags have looked up the lines before the head's next one, if the lines have reached it by `until`.
  Cycle looked_up(Cycle until);
  /// Cycle in which the unit finishes the head, given that its lines finish at `until`.
  Cycle end_of_head(Cycle until);
  /// Serves a line that waited in the TLB.
  void replay(Cycle now);
  /// Translates a line of the current instruction; it waits in the TLB if its page misses.
  Answer translate(Cycle now, const LineAccess& line);
  Answer serve(Cycle now, Op op, const L1Requester& requester, const LineAccess& line);
  /// Whether a line has been served; if not, the unit waits.
  bool served(Cycle now, L1Stall stall);
  Cycle cycles_of_store(const LineAccess& line) const;
  void finish_instruction(Cycle now);
  void part_done(std::uint32_t load, Cycle ready);
  /// Completes a load or atomic of the slot, with results at `at`.
  void loaded(unsigned slot, const Instruction& instruction, Cycle at);
  /// Ends an instruction or an access of the slot at `at`.
  void ended(unsigned slot, Cycle at);
  std::uint32_t new_load();
  /// Adds the time since `blocked_since_` to its cause; the TLB counts its own.
  void add_wait(Cycle now, LoadStoreStatistics& statistics) const;

  const SmConfig& config_;
  L1Cache& l1_;
  SmTlb* tlb_;
  bool special_;  ///< there is a TLB, or an access reaches the shared memory of another block

  std::size_t queue_limit_;
  Ring<MemoryInstruction> queue_;
  L1Stall blocked_ = L1Stall::kNone;
  Cycle blocked_since_ = 0;
  Cycle next_ = kNever;
  Cycle busy_until_ = 0;  ///< cycle until which the last instruction holds tags, banks or miss stage

  // The instruction being served.
  MemoryInstruction head_;
  L1Requester requester_;
  unsigned lines_ = 0, line_ = 0;
  unsigned lookups_ = 0;  ///< tag cycles for all its lines; 0: not computed yet
  Cycle started_ = 0;     ///< cycle of its first line, plus its waits since
  bool hits_ = false;     ///< one of its lines hit
  bool active_ = false;
  bool reaches_cluster_ = false;  ///< it accesses the shared memory of other blocks
  ClusterPort* cluster_port_ = nullptr;
  Coalescer coalescer_;
  BankConflicts conflicts_;
  LaneAddresses addresses_{};

  std::vector<Slot> slots_;
  MemoryResults results_;
  std::vector<Load> loads_;
  std::vector<std::uint32_t> free_loads_;
  LoadStoreStatistics statistics_;
};

inline void LoadStoreUnit::ended(unsigned index, Cycle at) {
  Slot& slot = slots_[index];
  slot.settled = std::max(slot.settled, at);
  if (--slot.under_way == 0) results_.settled.push_back(index);
}

inline void LoadStoreUnit::loaded(unsigned slot, const Instruction& instruction, Cycle at) {
  results_.loads.push_back({slot, &instruction, at});
  ended(slot, at);
}

inline void LoadStoreUnit::part_done(std::uint32_t index, Cycle ready) {
  Load& load = loads_[index];
  load.ready = std::max(load.ready, ready);
  if (--load.parts > 0) return;
  free_loads_.push_back(index);
  loaded(load.slot, *load.instruction, load.ready);
}

}  // namespace gputlm
