/// A set-associative translation lookaside buffer with LRU replacement. Addresses are not changed: a translation only costs
/// time.
#pragma once

#include <cstdint>

#include "models/cache/sectored_tags.h"

namespace gputlm {

class Tlb {
 public:
  /// `entries` is a multiple of `ways`.
  Tlb(unsigned entries, unsigned ways) : tags_(entries / ways, ways, SetIndex::kFold) {}

  /// Whether the page's translation is present; if so, it becomes the most recently used.
  bool lookup(std::uint64_t page) {
    const SectoredTags::Slot slot = tags_.find(page);
    if (slot == SectoredTags::kNoSlot) return false;
    tags_.touch(slot);
    return true;
  }
  /// Inserts a translation as the most recently used.
  void insert(std::uint64_t page) {
    if (!lookup(page)) tags_.replace(tags_.victim(page), page);
  }
  /// Removes a translation; returns whether it was present.
  bool erase(std::uint64_t page) {
    const SectoredTags::Slot slot = tags_.find(page);
    if (slot == SectoredTags::kNoSlot) return false;
    tags_.invalidate(slot);
    return true;
  }

 private:
  SectoredTags tags_;
};

}  // namespace gputlm
