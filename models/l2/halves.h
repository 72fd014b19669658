/// Where the lines of an L2 slice lie when the L2 has two partitions, one in each half of the GPU, each of half the ways of
/// a set.
///
/// A line comes to the half that misses it; where all ways of the set there have lines, to the other. There it stays. With
/// copies (L2Config::copies), sectors that a half reads from the other are kept in its own ways too. A copy takes a free
/// way. Where there is none, it looks at one way of its half, all in turn: what is there has to have been used since the
/// last look, or else it goes, if it is a copy or a clean line (a second chance, as clock page replacement gives it). So
/// copies push out what nobody uses, and little of a footprint that is too large. A line that comes takes the way of a copy
/// where its half has no other. A line that is replaced loses its copy, and sectors that are written lose theirs.
///
/// Where applications have ways of their own, a copy is one of the lines that the application which read it may have in
/// these ways: it looks at nothing but what lies in them, and pushes out nothing else. A line that comes takes the way of no
/// other application's copy: where its half is full of these, it goes to the other half.
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

  /// Of a slice with these tags, all of them empty, which must outlive it. Copies empty slots of `tags`. `ways`: by
  /// application, those in which it has its lines, the same as another's or none of them; none: all have all.
  L2Halves(SectoredTags& tags, bool copies, const std::vector<WaySet>& ways = {});

  /// A line comes into a slot, asked for by `half`. To be called while the one that goes for it is still in the tags.
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
  /// Sectors of the slot's line are written. Returns the half that it lies in.
  unsigned write(unsigned set, Slot slot, SectorMask sectors) {
    Place& place = places_[slot];
    place.used = true;
    if (place.copied & sectors) drop(set, slot, sectors);
    return place.half;
  }

 private:
  struct Place {
    std::uint8_t half : 1;    ///< that the line lies in
    std::uint8_t copied : 4;  ///< its sectors that the other half has a copy of
    std::uint8_t used : 1;    ///< the line or its copy, since it was looked at
  };
  /// Ways of a set that are taken, by half.
  struct Taken {
    std::array<std::uint16_t, 2> lines{}, copies{};
    unsigned ways(unsigned half) const { return unsigned{lines[half]} + copies[half]; }
  };

  /// Applications that have the same ways.
  struct Groups {
    Groups(const std::vector<WaySet>& ways, const SectoredTags& tags);
    std::vector<std::uint8_t> of_application, of_way;
    std::vector<unsigned> ways;        ///< of a set, by group
    std::vector<std::uint16_t> taken;  ///< of these, by set and group: lines in them, and copies
    std::vector<std::uint8_t> owner;   ///< of the copy of a slot's line
  };

  bool is_line(Slot slot) const { return tags_[slot].number != SectoredTags::kNoLine; }
  void copy(unsigned set, Slot slot, SectorMask sectors, ApplicationId application);
  unsigned room_in_group(unsigned set, Slot slot, unsigned half);
  bool clear_a_way(unsigned set, unsigned half, unsigned group);
  void drop(unsigned set, Slot slot, SectorMask sectors);
  bool drop_a_copy(unsigned set, unsigned half, unsigned group);
  Slot next_slot(unsigned set);

  // Without groups, all is in group 0, which has room.
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
  unsigned turn_ = 0;          ///< ways of a set, in turn
  std::vector<Place> places_;  ///< by slot
  std::vector<Taken> taken_;   ///< by set
  std::optional<Groups> groups_;
};

}  // namespace gputlm
