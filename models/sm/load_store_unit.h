/// The load/store unit of an SM: takes memory instructions in order, coalesces the lanes of one into accesses to 128-byte
/// lines, asks the L1 for one after the other, and waits where that cannot take it. Shared memory and constants are
/// served here. It keeps what each slot of the SM has under way; the SM gives it instructions, steps it and takes its
/// results.
///
/// An instruction holds the unit for as long as the slowest of three stages, which work side by side:
///   tags    look up L1Config::tag_lines lines a cycle (Coalescer::lookup_cycles)
///   banks   give or take the different words that its lanes ask of each (banks.h), if it is one of shared memory or the
///           L1 is an array with that (L1Config::banked)
///   misses  one line a cycle: what misses takes an MSHR and a place in the queue towards the GPC port, which takes no
///           more either, and so does what stores and atomics send there. No measurement says more of it.
/// What misses holds the banks too, but when it is asked for and not when it has come: the data passes them then.
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

/// That no warp has, of accesses by TMA (tma_unit.h).
inline constexpr std::uint16_t kTmaSlot = 0xfffe;

/// A memory instruction that a warp has issued.
struct MemoryInstruction {
  unsigned slot = 0;  ///< of the SM: that of the warp, or of a block whose warps are not told apart
  const Instruction* instruction = nullptr;
  BlockLaunch* block = nullptr;
  WarpPosition position;
};

/// What has ended since the SM last took results.
struct MemoryResults {
  struct Load {
    unsigned slot;
    const Instruction* instruction;  ///< a load or atomic
    Cycle at;                        ///< its results can be used from then on
  };
  std::vector<Load> loads;
  std::vector<unsigned> settled;  ///< slots that have nothing under way any more
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

/// What a reply met on its way counts for the block that has asked.
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
  /// Of `slots` slots. What is given by reference must outlive the unit; so must `tlb`, null: addresses need no translation.
  LoadStoreUnit(const SmConfig& config, L1Cache& l1, SmTlb* tlb, unsigned slots);

  /// Shared memory of other blocks of a cluster is reached by this port, which must outlive the unit; until then, and of blocks
  /// without a cluster, it is the block's own.
  void reach_clusters(ClusterPort& port) { cluster_port_ = &port; }
  bool full() const { return queue_.size() >= queue_limit_; }
  void issue(Cycle now, const MemoryInstruction& instruction);
  /// Cycle at which step() has work; kNever if only a reply or a credit makes some.
  Cycle next() const { return next_; }
  /// Serves what it does in cycle `now` >= next(), or waits. Then also what it does of the same instruction in the cycles
  /// before `horizon`, up to which no reply arrives, nobody empties the L1 and nobody looks: all lines but the last, with
  /// which the instruction may end. With a TLB no more than the first cycle.
  void step(Cycle now, Cycle horizon);
  /// A reply of the L2 has arrived.
  void reply(Cycle now, const Access& access);
  /// What the port was asked for has been answered.
  void answered(Cycle now, const ClusterPacket& packet);
  /// Something else of the slot is under way, until end_outside().
  void begin_outside(unsigned slot, BlockLaunch& block);
  void end_outside(unsigned slot, Cycle at) { ended(slot, at); }
  /// The TLB has lines to be replayed, or room for misses.
  void translated(Cycle now);
  /// At the beginning of a window: a credit may have come.
  void refresh();
  /// The same, of the way to other blocks of a cluster.
  void refresh_cluster() {
    if (reaches_cluster_ && next_ == kNever) next_ = cluster_port_->next_free();
  }

  /// Of step() and reply(), until they are cleared.
  const MemoryResults& results() const { return results_; }
  void clear_results();
  /// When the last of what the slot has issued ends or has ended; kNever while that is not known.
  Cycle settled(unsigned slot) const { return slots_[slot].under_way > 0 ? kNever : slots_[slot].settled; }
  /// Loads and atomics of the slot, not all of whose data have been found yet; looked up one by one.
  unsigned outstanding_loads(unsigned slot);
  /// No slot has anything under way.
  bool idle() const;

  /// As of cycle `now`, which has not been computed yet.
  LoadStoreStatistics statistics(Cycle now) const;

 private:
  /// A load or atomic whose lines are not all there.
  struct Load {
    unsigned slot;
    const Instruction* instruction;
    unsigned parts;  ///< lines that are still missing, and 1 while the unit works on it
    Cycle ready;     ///< latest of the parts that have arrived
  };
  struct Slot {
    unsigned under_way = 0;             ///< instructions, and accesses of stores that have not been acknowledged
    Cycle settled = 0;                  ///< the latest end of one
    BlockCounters* counters = nullptr;  ///< of the block that issued last
  };
  /// What became of a line.
  struct Answer {
    L1Stall stall = L1Stall::kNone;
    Cycle cycles = 0;  ///< that it takes the misses' stage; 0: it was a hit
  };
  void start(Cycle now);
  void start_cluster(Cycle now);
  void step_cluster(Cycle now);
  void reach(Cycle now, const LineAccess& line);
  unsigned coalesce();
  void start_shared(Cycle now);
  unsigned cycles_of_banks();  ///< for which the head holds the banks
  /// When the tags have looked up what is before the next line of the head, whose lines have come to it by `until`.
  Cycle looked_up(Cycle until);
  /// When the unit is through with the head, whose lines it is through with at `until`.
  Cycle end_of_head(Cycle until);
  /// Serves a line that the TLB has kept.
  void replay(Cycle now);
  /// A line of the instruction being served, which the TLB keeps if its page misses.
  Answer translate(Cycle now, const LineAccess& line);
  Answer serve(Cycle now, Op op, const L1Requester& requester, const LineAccess& line);
  /// Whether a line has been served; if not, the unit waits.
  bool served(Cycle now, L1Stall stall);
  Cycle cycles_of_store(const LineAccess& line) const;
  void finish_instruction(Cycle now);
  void part_done(std::uint32_t load, Cycle ready);
  /// A load or atomic of the slot has its results at `at`.
  void loaded(unsigned slot, const Instruction& instruction, Cycle at);
  /// An instruction or an access of the slot ends at `at`.
  void ended(unsigned slot, Cycle at);
  std::uint32_t new_load();
  /// Adds the time since `blocked_since_` to what it was spent on; the TLB counts its own.
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
  Cycle busy_until_ = 0;  ///< the last instruction holds tags, banks or what misses pass

  // The instruction being served.
  MemoryInstruction head_;
  L1Requester requester_;
  unsigned lines_ = 0, line_ = 0;
  unsigned lookups_ = 0;  ///< cycles of the tags for all its lines; 0: not counted yet
  Cycle started_ = 0;     ///< at its first line, and later by as long as it has waited since
  bool hits_ = false;     ///< a line of it had all
  bool active_ = false;
  bool reaches_cluster_ = false;  ///< the same, of the shared memory of other blocks
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
