/// Location of the lines of an L2 slice if the L2 has two partitions, one in each half of the GPU, each with half the ways
/// of a set.
///
/// A line is allocated in the half that misses it or, if all ways of the set there have lines, in the other, and stays
/// there. With copies (L2Config::copies), a half also keeps sectors that it reads from the other in its own ways. A copy
/// takes a free way. If there is none, it examines one way of its half, in rotation: a copy or clean line there that was
/// not used since the last examination is evicted (second chance, as in clock page replacement). So copies evict what is
/// unused, and little of a footprint that is too large. A new line takes the way of a copy if its half has no other. A
/// replaced line loses its copy, and written sectors lose theirs.
///
/// If applications have separate ways, a copy counts as a line of the application that read it: it examines and evicts only
/// what is in that application's ways. A new line never takes the way of another application's copy: if its half is full of
/// these, it goes to the other half.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/cache/sectored_tags.h"

namespace gputlm {

class L2Halves {
 public:
  using Slot = SectoredTags::Slot;

  /// For a slice with these tags, which are empty and must outlive it. Copies empty slots of `tags`. `ways`: for each
  /// application, the ways of its lines, which equal another application's or are disjoint from them; empty: all ways for all.
  L2Halves(SectoredTags& tags, bool copies, const std::vector<WaySet>& ways = {});

  /// Places a line, requested by `half`, in a slot. To be called while the replaced line is still in the tags.
  void put(unsigned set, Slot slot, unsigned half);

  /// `half` reads valid sectors of the slot's line, for an application.
  enum class Read : std::uint8_t { kNear, kCopy, kFar };
  Read read(unsigned set, Slot slot, unsigned half, SectorMask sectors, ApplicationId application = 0) {
    Place& place = places_[slot];
    place.used = true;
    if (place.half == half) return Read::kNear;
    if ((sectors & ~place.copied) == 0) return Read::kCopy;
    if (copies_) copy(set, slot, sectors, application);
    return Read::kFar;
  }
  /// Sectors of the slot's line are written. Returns the half in which the line is.
  unsigned write(unsigned set, Slot slot, SectorMask sectors) {
    Place& place = places_[slot];
    place.used = true;
    if (place.copied & sectors) drop(set, slot, sectors);
    return place.half;
  }

 private:
  struct Place {
    std::uint8_t half : 1;    ///< half in which the line is
    std::uint8_t copied : 4;  ///< sectors of which the other half has a copy
    std::uint8_t used : 1;    ///< the line or its copy was used since the last examination
  };
  /// Occupied ways of a set, by half.
  struct Taken {
    std::array<std::uint16_t, 2> lines{}, copies{};
    unsigned ways(unsigned half) const { return unsigned{lines[half]} + copies[half]; }
  };

  /// Groups of applications with the same ways.
  struct Groups {
    Groups(const std::vector<WaySet>& ways, const SectoredTags& tags);
    std::vector<std::uint8_t> of_application, of_way;
    std::vector<unsigned> ways;        ///< number of ways of a set for each group
    std::vector<std::uint16_t> taken;  ///< for each set and group: how many of these have lines or copies
    std::vector<std::uint8_t> owner;   ///< group of the copy of a slot's line
  };

  bool is_line(Slot slot) const { return tags_[slot].number != SectoredTags::kNoLine; }
  void copy(unsigned set, Slot slot, SectorMask sectors, ApplicationId application);
  unsigned room_in_group(unsigned set, Slot slot, unsigned half);
  bool clear_a_way(unsigned set, unsigned half, unsigned group);
  void drop(unsigned set, Slot slot, SectorMask sectors);
  bool drop_a_copy(unsigned set, unsigned half, unsigned group);
  Slot next_slot(unsigned set);

  // Without groups, everything is in group 0, which has room.
  unsigned group_of(ApplicationId application) const { return groups_ ? groups_->of_application[application] : 0; }
  unsigned group_of_slot(Slot slot) const { return groups_ ? groups_->of_way[slot % slots_of_set_] : 0; }
  unsigned owner_of(Slot slot) const { return groups_ ? groups_->owner[slot] : 0; }
  std::uint16_t& taken_by(unsigned set, unsigned group) { return groups_->taken[set * groups_->ways.size() + group]; }
  bool has_room(unsigned set, unsigned group) { return !groups_ || taken_by(set, group) < groups_->ways[group]; }
  void count(unsigned set, unsigned group, int ways) {
    if (groups_) taken_by(set, group) = static_cast<std::uint16_t>(taken_by(set, group) + ways);
  }

  SectoredTags& tags_;
  unsigned ways_of_half_;
  Slot slots_of_set_;
  bool copies_;
  unsigned turn_ = 0;          ///< way of a set that was examined last, in rotation
  std::vector<Place> places_;  ///< indexed by slot
  std::vector<Taken> taken_;   ///< indexed by set
  std::optional<Groups> groups_;
};

}  // namespace gputlm
