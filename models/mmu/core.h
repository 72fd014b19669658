/// The memory management unit (MMU) of the GPU: answers the SMs' TLB misses from an L2 TLB, or by a walk of the page table.
/// Requests for a page with a walk in progress wait for it. If the GPU has a host link, a walk may find its page in the
/// host's memory: a far fault (fault_handler.h), after which the request waits for a replay. Plain C++; the module around
/// it is mmu.h.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "models/cache/mshr.h"
#include "models/mmu/config.h"
#include "models/mmu/fault_handler.h"
#include "models/mmu/page_walker.h"
#include "models/mmu/tlb.h"
#include "tlm/base/counters.h"
#include "tlm/translation.h"

namespace gputlm {

struct MmuStatistics {
  std::uint64_t tlb_hits = 0, tlb_misses = 0, merged = 0, walks = 0, walk_reads = 0, replayed = 0;
  FaultStatistics faults;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = MmuStatistics;
    v.counter(&S::tlb_hits, "l2_tlb_hits", "requests", "Requests of SMs that hit in the L2 TLB");
    v.counter(&S::tlb_misses, "l2_tlb_misses", "requests", "Requests of SMs that missed in the L2 TLB");
    v.counter(&S::merged, "merged", "requests", "Misses for a page that another request already waited for");
    v.counter(&S::walks, "walks", "walks", "Walks through the page table, replays included");
    v.counter(&S::walk_reads, "walk_reads", "requests", "Reads of these walks from the L2");
    v.counter(&S::replayed, "replayed", "walks", "Walks that were repeated after a batch of far faults");
    v.part(&S::faults, "far_faults");
  }
};

class MmuCore {
 public:
  /// A GPU, or one of the instances that share an MMU.
  struct Part {
    unsigned sms;
    NetworkInterface network;  ///< the connection to the crossbar
  };
  struct Surroundings {
    unsigned pages;              ///< maximum outstanding pages of an SM
    std::vector<Part> parts;     ///< their SMs are numbered consecutively
    std::vector<SmId> ids = {};  ///< Identity::sm of the SMs; none: consecutive
  };
  /// With several parts there are no faults. `faults`: null if all pages are in the GPU's memory. Arguments given by
  /// reference must outlive the core.
  MmuCore(const MmuConfig& config, const Surroundings& around, std::unique_ptr<FaultHandler> faults,
          AccessSource& accesses, ItemSource<Shootdown>& shootdowns);
  ~MmuCore();
  MmuCore(const MmuCore&) = delete;
  MmuCore& operator=(const MmuCore&) = delete;

  unsigned sms() const { return static_cast<unsigned>(sms_.size()); }
  Receiver<Translation>& requests(unsigned sm);
  Outbox<Translation>& answers(unsigned sm);
  Outbox<Shootdown>& shootdowns(unsigned sm);
  Receiver<Shootdown>& shootdown_ends(unsigned sm);
  PageWalker& walker() { return walker_; }
  FaultHandler* faults() { return faults_.get(); }

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if it depends on
  /// an arrival.
  Cycle advance(Cycle until);

  /// Statistics at cycle `now`, which has not been computed yet.
  MmuStatistics statistics(Cycle now) const;
  /// What requests wait for, for the report of a deadlock; empty if there are none.
  std::vector<std::string> waiting() const;

 private:
  class Sm;
  using Misses = MshrFile<Translation*>;  ///< one page each; only one of the file's sectors is used
  static constexpr SectorMask kPage = 1;

  struct Request {
    Cycle at;
    Translation* item;
    /// Order of requests: by time, then by SM.
    bool operator>(const Request& other) const {
      return at != other.at ? at > other.at : item->identity.sm > other.item->identity.sm;
    }
  };
  struct Lookup {
    Cycle at;  ///< end of the lookup
    Translation* item;
  };

  Sm& sm_of(const Translation& item) const { return *sms_[places_[item.identity.sm]]; }
  /// Page number including the part (page_walker.h).
  std::uint64_t page_of(const Translation& item) const {
    return item.page | std::uint64_t{part_of_[places_[item.identity.sm]]} << kPageBits;
  }
  Cycle next() const;
  void step(Cycle now);
  void look_up(Cycle now);
  void miss(Translation& item);
  void walked(Cycle now, Misses::Index miss);
  void answer(Cycle now, Translation& item);
  void send_answers(Cycle now);
  void handle_faults(Cycle now);
  void send_shootdown(const PageRun& pages, Cycle now);
  void end_shootdown(Cycle now);

  MmuConfig config_;
  ItemSource<Shootdown>& shootdown_source_;
  std::unique_ptr<FaultHandler> faults_;
  std::vector<std::uint8_t> part_of_;  ///< part of each SM
  std::vector<std::uint16_t> places_;  ///< index in sms_ of each Identity::sm
  std::vector<std::unique_ptr<Sm>> sms_;
  std::priority_queue<Request, std::vector<Request>, std::greater<>> arrivals_;
  Cycle lookup_free_ = 0;  ///< the L2 TLB takes one request per cycle
  Ring<Lookup> lookups_;
  Tlb tlb_;
  Misses misses_;
  std::vector<Identity> first_;         ///< identity of the first request of each miss
  Ring<Misses::Index> to_walk_;         ///< misses that wait for a walker
  std::vector<Misses::Index> faulted_;  ///< misses that wait for a replay
  std::vector<bool> replayed_;          ///< for each miss: its walk is a replay,
  unsigned replays_ = 0;                ///< number of these replays that have not ended
  PageWalker walker_;
  std::vector<Translation*> answers_;  ///< answers that wait for their link
  std::vector<Shootdown*> acknowledged_;
  Cycle last_acknowledged_ = 0;
  bool shooting_ = false;
  MmuStatistics statistics_;
};

}  // namespace gputlm
