/// A translation lookaside buffer: which pages' translations are at hand, set-associative, replaced least recently used
/// first. Addresses stay what they are: a translation costs time, and changes nothing.
#pragma once

#include <cstdint>

#include "models/cache/sectored_tags.h"

namespace gputlm {

class Tlb {
 public:
  /// `entries` is a multiple of `ways`.
  Tlb(unsigned entries, unsigned ways) : tags_(entries / ways, ways, SetIndex::kFold) {}

  /// Whether the page's translation is there; if so, it becomes the most recently used one.
  bool lookup(std::uint64_t page) {
    const SectoredTags::Slot slot = tags_.find(page);
    if (slot == SectoredTags::kNoSlot) return false;
    tags_.touch(slot);
    return true;
  }
  /// Puts a translation in, as the most recently used one.
  void insert(std::uint64_t page) {
    if (!lookup(page)) tags_.replace(tags_.victim(page), page);
  }
  /// Forgets one. Whether it was there.
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
