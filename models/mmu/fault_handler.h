/// Far faults and how the host handles them. The MMU writes faults into a buffer and interrupts the host, whose driver
/// reads them in batches, decides what to move (managed_memory.h), and has the copy engines move it; then the MMU repeats
/// the walks of the waiting translations (replay). Faults in the buffer at that time are dropped: their walks fault again
/// if necessary. This is the default of NVIDIA's driver (nvidia-uvm, uvm_gpu_replayable_faults.c:
/// UVM_PERF_FAULT_REPLAY_POLICY_BATCH_FLUSH). Plain C++.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mmu/config.h"
#include "models/mmu/managed_memory.h"
#include "tlm/base/counters.h"
#include "tlm/base/ring.h"
#include "tlm/copy.h"
#include "tlm/identity.h"
#include "tlm/item_source.h"
#include "tlm/link.h"
#include "tlm/tap.h"

namespace gputlm {

struct FaultStatistics {
  std::uint64_t handled = 0, dropped = 0, lost = 0, batches = 0, prefetched = 0, evicted = 0;
  std::uint64_t migrated_in = 0, migrated_out = 0, busy = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = FaultStatistics;
    v.counter(&S::handled, "handled", "far faults",
              "Far faults that the host has read from the fault buffer, one per page");
    v.counter(&S::dropped, "dropped", "far faults",
              "Far faults that were still in the buffer at a replay, and so came again");
    v.counter(&S::lost, "lost", "far faults", "Far faults that found the buffer full, and so came again");
    v.counter(&S::batches, "batches", "batches", "Batches of faults");
    v.counter(&S::prefetched, "prefetched_pages", "pages", "Migrated pages that no fault of the batch asked for");
    v.counter(&S::evicted, "evicted_blocks", "blocks", "Blocks evicted from the GPU's memory");
    v.counter(&S::migrated_in, "migrated_in_bytes", "bytes", "Bytes of pages migrated to the GPU's memory");
    v.counter(&S::migrated_out, "migrated_out_bytes", "bytes", "Bytes of pages migrated back to the host's memory");
    v.counter(&S::busy, "busy_cycles", "core cycles", "Time with a batch under way");
  }
};

/// A far fault that the host has read.
struct FarFault {
  Cycle at = 0;
  std::uint64_t batch = 0;  ///< number of the batch, from 0 on
  Address page = 0;
  Identity identity;  ///< identity of the access that missed first
};

/// A handled batch of far faults, after which waiting translations are replayed.
struct FaultBatch {
  std::uint64_t number = 0;      ///< number of the batch, from 0 on
  Cycle interrupted = 0;         ///< cycle in which the MMU interrupted the host,
  Cycle read = 0;                ///< the host had read the faults,
  Cycle planned = 0;             ///< knew what to move,
  Cycle end = 0;                 ///< and had moved it
  std::uint64_t faults = 0;      ///< faults read
  std::uint64_t prefetched = 0;  ///< pages fetched without a fault
  std::uint64_t evicted = 0;     ///< blocks evicted
  Bytes moved_in = 0, moved_out = 0;
};

class FaultHandler {
 public:
  /// `copies_in_flight`: capacity of the copy engines. Arguments given by reference must outlive the handler, except the
  /// clock.
  FaultHandler(const MmuConfig& config, const std::vector<AddressRange>& managed, const Clock& clock,
               unsigned copies_in_flight, ItemSource<Copy>& copies);

  Outbox<Copy>& copies() { return copies_; }
  Inbox<Copy>& copy_ends() { return copy_ends_; }
  Tap<FarFault> faults;
  /// The handled batches, in the order of their ends.
  Tap<FaultBatch> batches;

  bool far(std::uint64_t page) const { return memory_.far(page); }
  /// A walk has found the page at the host.
  void fault(std::uint64_t page, const Identity& identity);
  /// Interrupts the host, if it is idle and there are faults.
  void interrupt(Cycle now);

  /// Cycle at which step() has work; kNever if that depends on an arrival, interrupt() or left().
  Cycle next() const;
  void step(Cycle now);
  /// Pages whose translations must be invalidated everywhere before the host continues; null if none. Call left() when that
  /// is done.
  const PageRun* leaving() const { return state_ == State::kEvict ? &plan_.evicted[moved_] : nullptr; }
  void left(Cycle now);
  /// Whether a batch has ended since the last call: all waiting translations are to be replayed.
  bool take_replay();

  FaultStatistics statistics(Cycle now) const;
  /// What it waits for, for the report of a deadlock; empty if nothing is in flight.
  std::string waiting() const;

 private:
  enum class State : std::uint8_t {
    kIdle,
    kInterrupted,  ///< the host has been interrupted, and reads a batch at at_
    kServing,      ///< the host works on it until at_
    kEvict,        ///< waits for left(), block by block
    kWriteBack,    ///< copies in flight to the host
    kFetch,        ///< copies in flight to the GPU
  };
  struct Entry {
    std::uint64_t page;
    Identity identity;
  };

  void read_batch(Cycle now);
  void move(State state, Cycle now);
  void copy(const PageRun& run, Cycle now);
  const std::vector<PageRun>& runs() const { return state_ == State::kWriteBack ? plan_.out : plan_.in; }
  void end_batch(Cycle now);

  MmuConfig config_;
  Cycle batch_cycles_, fault_cycles_;
  ManagedMemory memory_;
  ItemSource<Copy>& source_;
  Outbox<Copy> copies_;
  Inbox<Copy> copy_ends_;
  Ring<Entry> buffer_;
  State state_ = State::kIdle;
  Cycle at_ = 0;
  FaultBatch current_;  ///< the current batch
  std::vector<std::uint64_t> batch_;
  Identity on_behalf_of_;  ///< identity of the batch's first fault, used for its copies
  MigrationPlan plan_;
  std::size_t moved_ = 0;  ///< number of blocks that have left, or of runs whose copies have been sent
  std::size_t ended_ = 0;  ///< number of copies that have ended
  bool replay_ = false;
  FaultStatistics statistics_;
};

}  // namespace gputlm
