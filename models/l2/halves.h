/// Where the lines of an L2 slice lie when the L2 has two partitions, one in each half of the GPU, each of half the ways of
/// a set.
///
/// A line comes to the half that misses it; where all ways of the set there have lines, to the other. There it stays. With
/// copies (L2Config::copies), sectors that a half reads from the other are kept in its own ways too. A copy takes a free
/// way. Where there is none, it looks at one way of its half, all in turn: what is there has to have been used since the
/// last look, or else it goes, if it is a copy or a clean line (a second chance, as clock page replacement gives it). So
/// copies push out what nobody uses, and little of a footprint that is too large. A line that comes takes the way of a copy
/// where its half has no other. A line that is replaced loses its copy, and sectors that are written lose theirs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/cache/sectored_tags.h"

namespace gputlm {

class L2Halves {
 public:
  using Slot = SectoredTags::Slot;

  /// Of a slice with these tags, all of them empty, which must outlive it. Copies empty slots of `tags`.
  L2Halves(SectoredTags& tags, bool copies);

  /// A line comes into a slot, asked for by `half`. To be called while the one that goes for it is still in the tags.
  void put(unsigned set, Slot slot, unsigned half);

  /// `half` reads valid sectors of the slot's line.
  enum class Read : std::uint8_t { kNear, kCopy, kFar };
  Read read(unsigned set, Slot slot, unsigned half, SectorMask sectors) {
    Place& place = places_[slot];
    place.used = true;
    if (place.half == half) return Read::kNear;
    if ((sectors & ~place.copied) == 0) return Read::kCopy;
    if (copies_) copy(set, slot, sectors);
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

  bool is_line(Slot slot) const { return tags_[slot].number != SectoredTags::kNoLine; }
  void copy(unsigned set, Slot slot, SectorMask sectors);
  bool clear_a_way(unsigned set, unsigned half);
  void drop(unsigned set, Slot slot, SectorMask sectors);
  void drop_a_copy(unsigned set, unsigned half);
  Slot next_slot(unsigned set);

  SectoredTags& tags_;
  unsigned ways_of_half_;
  Slot slots_of_set_;
  bool copies_;
  unsigned turn_ = 0;          ///< ways of a set, in turn
  std::vector<Place> places_;  ///< by slot
  std::vector<Taken> taken_;   ///< by set
};

}  // namespace gputlm
