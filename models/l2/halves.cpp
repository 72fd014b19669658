#include "models/l2/halves.h"

namespace gputlm {

L2Halves::L2Halves(SectoredTags& tags, bool copies)
    : tags_(tags), ways_of_half_((tags.ways() + 1) / 2), slots_of_set_(tags.slots() / tags.sets()), copies_(copies),
      places_(tags.slots()), taken_(tags.sets()) {}

void L2Halves::put(unsigned set, Slot slot, unsigned half) {
  Taken& taken = taken_[set];
  Place& place = places_[slot];
  if (is_line(slot)) {
    if (place.copied) drop(set, slot, place.copied);
    --taken.lines[place.half];
  }
  const unsigned there = taken.lines[half] < ways_of_half_ ? half : 1 - half;
  if (taken.copies[there] > 0 && taken.ways(there) >= ways_of_half_) drop_a_copy(set, there);
  place.half = there & 1u;
  place.used = true;
  ++taken.lines[there];
}

void L2Halves::copy(unsigned set, Slot slot, SectorMask sectors) {
  Place& place = places_[slot];
  if (place.copied == 0) {
    const unsigned there = 1u - place.half;
    if (taken_[set].ways(there) >= ways_of_half_ && !clear_a_way(set, there)) return;
    ++taken_[set].copies[there];
  }
  place.copied = (place.copied | sectors) & 0xFu;
}

/// Looks at what is in one way of the half; false if it stays.
bool L2Halves::clear_a_way(unsigned set, unsigned half) {
  for (;;) {
    const Slot slot = next_slot(set);
    if (!is_line(slot)) continue;
    Place& place = places_[slot];
    const bool copy = place.half != half;
    if (copy && place.copied == 0) continue;
    if (place.used || (!copy && (tags_[slot].dirty || tags_[slot].pending))) {
      place.used = false;
      return false;
    }
    if (place.copied) drop(set, slot, place.copied);
    if (!copy) {
      --taken_[set].lines[half];
      tags_.invalidate(slot);
    }
    return true;
  }
}

void L2Halves::drop(unsigned set, Slot slot, SectorMask sectors) {
  Place& place = places_[slot];
  place.copied = place.copied & ~unsigned{sectors} & 0xFu;
  if (place.copied == 0) --taken_[set].copies[1u - place.half];
}

void L2Halves::drop_a_copy(unsigned set, unsigned half) {
  for (;;) {
    const Slot slot = next_slot(set);
    if (places_[slot].copied && places_[slot].half != half) return drop(set, slot, places_[slot].copied);
  }
}

L2Halves::Slot L2Halves::next_slot(unsigned set) {
  if (++turn_ == tags_.ways()) turn_ = 0;
  return set * slots_of_set_ + turn_;
}

}  // namespace gputlm
