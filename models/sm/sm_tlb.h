/// The TLB of an SM, in front of its L1. A hit takes no time. A line whose page misses waits here while the load/store unit
/// continues with others, and is replayed when the MMU has answered. Plain C++.
#pragma once

#include <cstdint>

#include "models/cache/mshr.h"
#include "models/kernel/instruction.h"
#include "models/mmu/tlb.h"
#include "models/sm/coalescer.h"
#include "models/sm/l1/l1_cache.h"
#include "models/sm/tlb_config.h"
#include "tlm/base/counters.h"
#include "tlm/base/ring.h"
#include "tlm/item_source.h"
#include "tlm/link.h"
#include "tlm/translation.h"

namespace gputlm {

struct SmTlbStatistics {
  std::uint64_t hits = 0, misses = 0, merged = 0, replayed = 0, waited = 0, full = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SmTlbStatistics;
    v.counter(&S::hits, "hits", "lines", "Lines whose page was in the SM's TLB when they were served");
    v.counter(&S::misses, "misses", "pages", "Pages requested from the MMU");
    v.counter(&S::merged, "merged", "lines", "Lines whose page had already been requested");
    v.counter(&S::replayed, "replayed", "lines", "Lines served after the translation of their page had arrived");
    v.counter(&S::waited, "wait_cycles", "core cycles",
              "Time from a miss until the line is replayed, summed over lines");
    v.counter(&S::full, "full_cycles", "core cycles",
              "Time in which the load/store unit or TMA waited for room for a miss");
  }
};

/// A line requested by a warp's memory instruction.
struct LineRequest {
  Op op = Op::kLoad;
  L1Requester requester;
  LineAccess line;
};

class SmTlb {
 public:
  /// `translations` must outlive the TLB.
  SmTlb(const SmTlbConfig& config, Bytes page_bytes, ItemSource<Translation>& translations);

  Outbox<Translation>& requests() { return requests_; }
  Inbox<Translation>& answers() { return answers_; }
  Inbox<Shootdown>& shootdowns() { return shootdowns_; }
  Outbox<Shootdown>& shootdown_ends() { return shootdown_ends_; }

  enum class Result : std::uint8_t {
    kHit,
    kMiss,  ///< the line waits here
    kFull,  ///< no room for it to wait: retry after step()
  };
  Result translate(Cycle now, const LineRequest& line);
  /// Counts a served hit.
  void count_hit() { ++statistics_.hits; }

  /// Whether there are lines to replay.
  bool replays() const { return !replays_.empty(); }
  const LineRequest& replay() const { return replays_.front().request; }
  void replayed(Cycle now);

  /// Cycle at which step() has work: something has arrived from the MMU.
  Cycle next() const { return answers_.next() < shootdowns_.next() ? answers_.next() : shootdowns_.next(); }
  void step(Cycle now);

  const SmTlbStatistics& statistics() const { return statistics_; }
  /// Outstanding pages, for the report of a deadlock.
  unsigned misses() const { return misses_.in_use(); }

 private:
  struct Waiting {
    LineRequest request;
    Cycle since = 0;
  };
  using Misses = MshrFile<Waiting>;
  static constexpr SectorMask kPage = 1;  ///< the one sector that is used of the several that an MSHR file has

  Result wait_for_room(Cycle now);

  std::uint64_t lines_of_page_;
  ItemSource<Translation>& source_;
  Tlb tlb_;
  Misses misses_;
  Ring<Waiting> replays_;  ///< no line is added to the misses until this is empty
  Outbox<Translation> requests_;
  Inbox<Translation> answers_;
  Inbox<Shootdown> shootdowns_;
  Outbox<Shootdown> shootdown_ends_;
  bool full_ = false;
  Cycle full_since_ = 0;
  SmTlbStatistics statistics_;
};

}  // namespace gputlm
