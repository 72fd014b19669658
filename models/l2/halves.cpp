#include "models/l2/halves.h"

#include <map>

#include "models/l2/set_aside.h"

namespace gputlm {

L2Halves::L2Halves(SectoredTags& tags, bool copies, const std::vector<WaySet>& ways)
    : tags_(tags), ways_of_half_((tags.ways() + 1) / 2), slots_of_set_(tags.slots() / tags.sets()), copies_(copies),
      places_(tags.slots()), taken_(tags.sets()) {
  if (copies && !ways.empty()) groups_.emplace(ways, tags);
}

L2Halves::Groups::Groups(const std::vector<WaySet>& of, const SectoredTags& tags)
    : of_way(tags.ways()), owner(tags.slots()) {
  std::map<WaySet, std::uint8_t> numbers;
  for (const WaySet set : of) {
    const auto [found, is_new] = numbers.emplace(set, static_cast<std::uint8_t>(numbers.size()));
    of_application.push_back(found->second);
    if (!is_new) continue;
    ways.push_back(0);
    for (unsigned way = 0; way < tags.ways(); ++way) {
      if ((set >> way & 1) == 0) continue;
      of_way[way] = found->second;
      ++ways.back();
    }
  }
  taken.resize(ways.size() * tags.sets());
}

void L2Halves::put(unsigned set, Slot slot, unsigned half) {
  Taken& taken = taken_[set];
  Place& place = places_[slot];
  if (is_line(slot)) {
    if (place.copied) drop(set, slot, place.copied);
    --taken.lines[place.half];
  }
  unsigned there = taken.lines[half] < ways_of_half_ ? half : 1 - half;
  if (groups_) {
    there = room_in_group(set, slot, there);
  } else if (taken.copies[there] > 0 && taken.ways(there) >= ways_of_half_) {
    drop_a_copy(set, there, 0);
  }
  place.half = there & 1u;
  place.used = true;
  ++taken.lines[there];
}

/// The half with room for a line that replaces the slot's current one: `half` if possible.
[[gnu::noinline]] unsigned L2Halves::room_in_group(unsigned set, Slot slot, unsigned half) {
  const unsigned group = group_of_slot(slot);
  if (is_line(slot)) count(set, group, -1);
  if (!has_room(set, group) && !drop_a_copy(set, half, group)) drop_a_copy(set, 1 - half, group);
  count(set, group, 1);
  return taken_[set].ways(half) < ways_of_half_ || drop_a_copy(set, half, group) ? half : 1 - half;
}

void L2Halves::copy(unsigned set, Slot slot, SectorMask sectors, ApplicationId application) {
  Place& place = places_[slot];
  if (place.copied == 0) {
    const unsigned there = 1u - place.half, group = group_of(application);
    const bool room = taken_[set].ways(there) < ways_of_half_ && has_room(set, group);
    if (!room && !clear_a_way(set, there, group)) return;
    ++taken_[set].copies[there];
    count(set, group, 1);
    if (groups_) groups_->owner[slot] = static_cast<std::uint8_t>(group);
  }
  place.copied = (place.copied | sectors) & 0xFu;
}

/// Examines one way of the half with content of the group; false if the content stays, or if there is no such way.
bool L2Halves::clear_a_way(unsigned set, unsigned half, unsigned group) {
  for (unsigned i = 0; i < tags_.ways(); ++i) {
    const Slot slot = next_slot(set);
    if (!is_line(slot)) continue;
    Place& place = places_[slot];
    const bool copy = place.half != half;
    if (copy && place.copied == 0) continue;
    if ((copy ? owner_of(slot) : group_of_slot(slot)) != group) continue;
    const CacheLine& line = tags_[slot];
    if (place.used || (!copy && (line.dirty || line.pending || SetAside::is_persisting(line)))) {
      place.used = false;
      return false;
    }
    if (place.copied) drop(set, slot, place.copied);
    if (!copy) {
      --taken_[set].lines[half];
      count(set, group, -1);
      tags_.invalidate(slot);
    }
    return true;
  }
  return false;
}

void L2Halves::drop(unsigned set, Slot slot, SectorMask sectors) {
  Place& place = places_[slot];
  place.copied = place.copied & ~unsigned{sectors} & 0xFu;
  if (place.copied) return;
  --taken_[set].copies[1u - place.half];
  count(set, owner_of(slot), -1);
}

/// Drops one copy of the group from the half; false if the group has no copy there.
bool L2Halves::drop_a_copy(unsigned set, unsigned half, unsigned group) {
  if (taken_[set].copies[half] == 0) return false;
  for (unsigned i = 0; i < tags_.ways(); ++i) {
    const Slot slot = next_slot(set);
    const Place& place = places_[slot];
    if (place.copied == 0 || place.half == half || owner_of(slot) != group) continue;
    drop(set, slot, place.copied);
    return true;
  }
  return false;
}

L2Halves::Slot L2Halves::next_slot(unsigned set) {
  if (++turn_ == tags_.ways()) turn_ = 0;
  return set * slots_of_set_ + turn_;
}

}  // namespace gputlm
