/// The page-table walkers read the page table in the GPU's memory, level by level, each read waiting for the one above it.
/// A page-walk cache saves reads of upper levels. Plain C++.
///
/// The page table is a radix tree. The entries of a level are contiguous in the order of their pages, beyond the addresses
/// that programs use, so entries of neighbouring pages share sectors and lines of the L2.
#pragma once

#include <cstdint>
#include <vector>

#include "models/mmu/config.h"
#include "models/mmu/tlb.h"
#include "models/noc/network_interface.h"
#include "tlm/access.h"
#include "tlm/base/ring.h"
#include "tlm/link.h"

namespace gputlm {

/// Instances that share an MMU have separate page tables. A page here is its number, with the instance's number above these
/// bits.
inline constexpr unsigned kPageBits = 52;

class PageWalker {
 public:
  /// `networks`: connection of each instance to its crossbar; one, if there are no instances. Arguments given by reference must
  /// outlive the walkers.
  PageWalker(const MmuConfig& config, const std::vector<NetworkInterface>& networks, AccessSource& accesses);

  Outbox<Access>& requests(std::size_t instance) { return ways_[instance].requests; }
  Inbox<Access>& replies(std::size_t instance) { return ways_[instance].replies; }

  /// Whether a walker is free.
  bool free() const { return !free_.empty(); }
  /// Starts a walk on behalf of `identity`; `tag` is returned at its end.
  void start(std::uint64_t page, std::uint32_t tag, const Identity& identity);
  /// Cycle at which one of the two below has work; kNever if that depends on a reply or a credit.
  Cycle next() const;
  /// Calls `walked(tag)` for each walk that ends at `now`.
  template <class Walked>
  void take_replies(Cycle now, Walked walked) {
    for (Way& way : ways_) {
      while (way.replies.ready(now)) {
        Access& access = way.replies.pop(now);
        const std::uint32_t walker = access.tag;
        accesses_.release(access);
        if (!descend(walker)) continue;
        free_.push_back(walker);
        walked(walks_[walker].tag);
      }
    }
  }
  /// Sends the reads that can be sent at `now`.
  void send(Cycle now);

  std::uint64_t reads() const { return reads_; }
  unsigned under_way() const { return static_cast<unsigned>(walks_.size() - free_.size()); }

 private:
  struct Walk {
    std::uint64_t page = 0;
    std::uint32_t tag = 0;
    unsigned level = 0;  ///< level that is read; 0: the root
    Identity identity;
  };
  /// The path to an instance's memory.
  struct Way {
    NetworkInterface network;
    Outbox<Access> requests;
    Inbox<Access> replies;
  };
  Way& way_of(std::uint32_t walker) { return ways_[walks_[walker].page >> kPageBits]; }
  const Way& way_of(std::uint32_t walker) const { return ways_[walks_[walker].page >> kPageBits]; }
  /// Number of the entry for a page among all entries of a level.
  std::uint64_t entry(std::uint64_t page, unsigned level) const { return page >> bits_ * (levels_ - 1 - level); }
  /// Name in the cache of the page-table page at `level` that holds that entry.
  std::uint64_t table(std::uint64_t page, unsigned level) const { return entry(page, level) >> bits_ << 3 | level; }
  /// Moves to the next level after an entry has been read; true if it was the last level.
  bool descend(std::uint32_t walker);

  std::vector<Way> ways_;
  AccessSource& accesses_;
  unsigned levels_;
  unsigned bits_;  ///< bits of a page number per level
  Tlb tables_;     ///< the page-walk cache
  std::vector<Walk> walks_;
  std::vector<std::uint32_t> free_;
  Ring<std::uint32_t> to_send_;  ///< walkers whose next read waits for the link
  std::uint64_t reads_ = 0;
};

}  // namespace gputlm
