/// The load/store unit of an SM with its L1 data cache: takes memory instructions in order, one 128-byte line a cycle.
///
/// The L1 is write-through without write allocation, sectored, and allocates a line when its data arrives, so that
/// outstanding misses hold no place in it. A miss fetches the missing sectors, or with L1Config::fill_bytes the aligned
/// groups of sectors around them up to the whole line; the load waits for its own sectors only. Loads that miss wait in MSHRs, one a line, several loads merging into one.
/// When MSHRs or the queue towards the GPC port are full, the unit waits: nothing is dropped.
#pragma once

#include <array>
#include <vector>

#include "models/cache/sectored_tags.h"
#include "models/kernel/kernel.h"
#include "models/noc/network_interface.h"
#include "models/sm/coalescer.h"
#include "models/sm/config.h"
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
  /// A place in the instruction queue has become free.
  virtual void queue_freed() = 0;
  virtual BlockLaunch& block_of(unsigned warp) = 0;
};

struct LoadStoreStatistics {
  std::uint64_t busy_cycles = 0, mshr_full_cycles = 0, queue_full_cycles = 0;
  std::uint64_t l1_sector_hits = 0, l1_sector_misses = 0, mshr_merges = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = LoadStoreStatistics;
    v.counter(&S::busy_cycles, "busy_cycles", "core cycles", "in which a line or a bank conflict was served");
    v.counter(&S::mshr_full_cycles, "mshr_full_cycles", "core cycles", "spent waiting for an MSHR or a place in one");
    v.counter(&S::queue_full_cycles, "queue_full_cycles", "core cycles", "spent waiting for the GPC port");
    v.counter(&S::l1_sector_hits, "l1_sector_hits", "sectors", "of loads that were in the L1");
    v.counter(&S::l1_sector_misses, "l1_sector_misses", "sectors", "of loads that were not");
    v.counter(&S::mshr_merges, "mshr_merges", "loads", "that found an MSHR for their line");
  }
};

class LoadStoreUnit {
 public:
  /// What is given by reference must outlive the unit.
  LoadStoreUnit(const SmConfig& config, const NetworkInterface& network, AccessSource& accesses, MemoryClient& client);

  bool full() const { return queue_.size() >= queue_limit_; }
  void issue(Cycle now, const MemoryInstruction& instruction);
  /// Cycle at which step() has work; kNever if only a reply or a credit makes some.
  Cycle next() const { return next_; }
  /// Serves one line or waits; `now` >= next().
  void step(Cycle now);
  /// A reply of the L2 has arrived.
  void reply(Cycle now, Access& access);
  /// Passes queued accesses on to the port as far as it takes them before `until`. To be called at the end of each
  /// window.
  void drain(Cycle until);
  /// Earliest cycle at which drain() can pass something on; kNever if nothing is queued or no credit known.
  Cycle drain_next() const;
  /// Empties the L1, which holds no dirty data. Misses under way still fill it.
  void invalidate_l1() { tags_.invalidate_all(); }
  /// At the beginning of a window: a credit may have come.
  void refresh();

  Outbox<Access>& port() { return port_; }
  /// As of cycle `now`, which has not been computed yet.
  LoadStoreStatistics statistics(Cycle now) const;
  /// For the report of a deadlock.
  unsigned mshrs_in_use() const { return static_cast<unsigned>(mshrs_.size() - free_mshrs_.size()); }
  std::size_t queued_accesses() const { return to_port_.size(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A load or atomic whose lines are not all there.
  struct Load {
    unsigned warp;
    const Instruction* instruction;
    unsigned parts;  ///< lines that are still missing, and 1 while the unit works on it
    Cycle ready;     ///< latest of the parts that have arrived
  };
  struct Waiter {
    std::uint32_t load;
    SectorMask sectors;  ///< still awaited
    std::uint32_t next;
  };
  struct Mshr {
    std::uint64_t line;
    SectorMask pending;
    unsigned waiting;       ///< length of the list
    std::uint32_t waiters;  ///< list
    std::uint32_t next;     ///< in its hash bucket
  };
  struct Queued {
    Cycle at;
    Access* access;
  };
  enum class Blocked { kNo, kMshr, kQueue };

  void start(Cycle now);
  void start_shared(Cycle now);
  unsigned bank_cycles();  ///< for which the head's access to shared memory holds the banks
  Blocked serve_load(Cycle now, const LineAccess& line);
  Blocked serve_store(Cycle now, const LineAccess& line);
  Blocked serve_atomic(Cycle now, const LineAccess& line);
  void finish_instruction(Cycle now);
  void part_done(std::uint32_t load, Cycle ready);
  std::uint32_t new_load();
  bool room_for(Cycle now, unsigned accesses);
  /// A request for a run of sectors, of which the kind is still to be told; send() follows.
  Access& request(std::uint64_t line, SectorMask run);
  void send(Cycle now, Access& access);
  /// The time since `blocked_since_` belongs to this.
  static std::uint64_t& waiting_cycles(LoadStoreStatistics& statistics, Blocked reason) {
    return reason == Blocked::kMshr ? statistics.mshr_full_cycles : statistics.queue_full_cycles;
  }
  std::uint32_t find_mshr(std::uint64_t line) const;
  void remove_mshr(std::uint32_t index);
  unsigned bucket_of(std::uint64_t line) const {
    return static_cast<unsigned>(line * 0x9E3779B97F4A7C15u >> bucket_shift_);
  }
  BlockCounters& counters() { return client_.block_of(head_.warp).counters; }

  const SmConfig& config_;
  NetworkInterface network_;
  AccessSource& accesses_;
  MemoryClient& client_;

  std::size_t queue_limit_;
  Ring<MemoryInstruction> queue_;
  unsigned fill_sectors_;  ///< L1Config::fill_bytes
  Blocked blocked_ = Blocked::kNo;
  Cycle blocked_since_ = 0;
  Cycle next_ = kNever;
  Cycle busy_until_ = 0;  ///< the banks of shared memory are taken

  // The instruction being served.
  MemoryInstruction head_;
  std::uint32_t head_load_ = kNone;
  unsigned lines_ = 0, line_ = 0;
  bool active_ = false;
  Coalescer coalescer_;
  LaneAddresses addresses_{};

  SectoredTags tags_;
  std::vector<Load> loads_;
  std::vector<std::uint32_t> free_loads_;
  std::vector<Waiter> waiters_;
  std::uint32_t free_waiter_ = kNone;
  std::vector<Mshr> mshrs_;
  std::vector<std::uint32_t> free_mshrs_;
  std::vector<std::uint32_t> buckets_;
  unsigned bucket_shift_ = 0;

  Ring<Queued> to_port_;
  std::size_t to_port_limit_;
  Outbox<Access> port_;
  LoadStoreStatistics statistics_;
};

}  // namespace gputlm
