/// Tags of a set-associative cache with sectored lines: 128-byte lines of four 32-byte sectors that are valid and
/// dirty one by one, replaced least recently used first. Shared by L1 and L2. There is no data: the model needs none.
///
/// Lines are named by their number (address / 128), places in the cache by a slot. The set is the line number modulo
/// the number of sets, or the modulus of its exclusive-or fold (any number of sets), which spreads strides that are
/// multiples of the set count.
///
/// A lookup compares one-byte fingerprints of all ways, eight at a time, before it touches a tag. The recency order is
/// a circular list in each set, so that use and replacement cost the same for any associativity.
///
/// Throws InputError when a cache is asked for that has no sets or no ways, or more than 65535 ways.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>

#include "tlm/access.h"
#include "tlm/time.h"

namespace gputlm {

inline constexpr unsigned kSectorsOfLine = kLineBytes / kSectorBytes;

/// One bit a sector of a line, the lowest address first.
using SectorMask = std::uint8_t;

/// Sectors that `bytes` bytes from `address` on touch; they lie inside one line.
inline SectorMask touched_sectors(Address address, Bytes bytes) {
  const unsigned offset = static_cast<unsigned>(address % kLineBytes);
  assert(bytes > 0 && offset + bytes <= kLineBytes);
  const unsigned first = offset / kSectorBytes;
  const unsigned last = (offset + static_cast<unsigned>(bytes) - 1) / kSectorBytes;
  return static_cast<SectorMask>((2u << last) - (1u << first));
}

/// The same, but only those that it covers completely.
inline SectorMask covered_sectors(Address address, Bytes bytes) {
  const unsigned offset = static_cast<unsigned>(address % kLineBytes);
  const unsigned first = (offset + kSectorBytes - 1) / kSectorBytes;
  const unsigned end = (offset + static_cast<unsigned>(bytes)) / kSectorBytes;
  return end > first ? static_cast<SectorMask>((1u << end) - (1u << first)) : SectorMask{0};
}

inline unsigned sector_count(SectorMask mask) {
  static_assert(kSectorsOfLine == 4);
  return static_cast<unsigned>(0x4332322132212110u >> 4 * mask & 0xF);  // a table of sixteen hexadecimal digits
}

/// Runs of neighbouring sectors in a mask: what one access to the next level can cover.
inline unsigned sector_runs(SectorMask mask) { return sector_count(static_cast<SectorMask>(mask & ~(mask << 1))); }

/// Removes the lowest run from `mask` and returns it.
inline SectorMask take_sector_run(SectorMask& mask) {
  const unsigned above = mask + (mask & (~mask + 1u));  // the carry runs through the lowest run
  const auto run = static_cast<SectorMask>(mask & ~above);
  mask = static_cast<SectorMask>(mask & above);
  return run;
}

/// All sectors of the aligned groups of `group` sectors (1, 2 or 4) that have one in `mask`.
inline SectorMask widened(SectorMask mask, unsigned group) {
  static_assert(kSectorsOfLine == 4);
  if (group >= 2) mask = static_cast<SectorMask>(mask | (mask << 1 & 0xA) | (mask >> 1 & 0x5));
  if (group == 4) mask = static_cast<SectorMask>(mask | (mask << 2 & 0xC) | (mask >> 2 & 0x3));
  return mask;
}

inline Bytes sector_run_offset(SectorMask run) { return static_cast<Bytes>(__builtin_ctz(run)) * kSectorBytes; }
inline Bytes sector_bytes(SectorMask mask) { return sector_count(mask) * kSectorBytes; }

/// The exclusive or of all groups of `bits` (1 or more) bits of a number is in the result's lowest `bits` bits. Of the
/// numbers i * 2^k, any k, each run of 2^bits that starts at a multiple of it takes all values.
inline std::uint64_t exclusive_or_fold(std::uint64_t number, unsigned bits) {
  for (unsigned shift = bits; shift < 64; shift *= 2) number ^= number >> shift;
  return number;
}

enum class SetIndex { kModulo, kHashed };

class SectoredTags {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = ~Slot{0};
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

  struct Line {
    std::uint64_t number = kNoLine;
    SectorMask valid = 0;
    SectorMask dirty = 0;
    bool pending = false;  ///< waits for a fill: not to be replaced; the owner sets and clears it
  };

  SectoredTags(unsigned sets, unsigned ways, SetIndex index);

  /// Slot of a line; kNoSlot when it is absent. Leaves the recency order alone.
  Slot find(std::uint64_t number) const {
    const unsigned set = set_of(number);
    const std::uint64_t* words = &fingerprints_[std::size_t{set} * words_];
    const std::uint64_t pattern = kOnes * fingerprint(number);
    for (unsigned w = 0; w < words_; ++w) {
      const std::uint64_t difference = words[w] ^ pattern;
      // Marks every zero byte; a byte above a zero one may be marked too, which the tag then sorts out.
      std::uint64_t equal = (difference - kOnes) & ~difference & (kOnes << 7);
      for (; equal; equal &= equal - 1) {
        const unsigned way = w * 8 + static_cast<unsigned>(__builtin_ctzll(equal)) / 8;
        if (way >= ways_) break;
        const Slot slot = set * ways_ + way;
        if (lines_[slot].number == number) return slot;
      }
    }
    return kNoSlot;
  }

  Line& operator[](Slot slot) { return lines_[slot]; }
  const Line& operator[](Slot slot) const { return lines_[slot]; }

  /// Makes a slot the most recently used of its set.
  void touch(Slot slot) {
    const unsigned set = slot / ways_;
    if (newest_[set] != slot % ways_) move_to_front(set, slot % ways_);
  }

  /// Slot that the line would take: an empty one or else the least recently used of its set that is not pending;
  /// kNoSlot when all are pending. Changes nothing.
  Slot victim(std::uint64_t number) const;
  /// Puts a line without valid sectors into a slot of its set (as victim() named it), as the most recently used.
  void replace(Slot slot, std::uint64_t number);
  /// Empties a slot.
  void invalidate(Slot slot);
  /// Empties all slots.
  void invalidate_all();

  unsigned set_of(std::uint64_t number) const {
    if (hashed_) number = exclusive_or_fold(number, index_bits_);
    if (power_of_two_) return static_cast<unsigned>(number & (sets_ - 1));
    const auto quotient = static_cast<std::uint64_t>((static_cast<unsigned __int128>(number) * reciprocal_) >> 64);
    std::uint64_t rest = number - quotient * sets_;
    while (rest >= sets_) rest -= sets_;
    return static_cast<unsigned>(rest);
  }
  unsigned sets() const { return sets_; }
  unsigned ways() const { return ways_; }
  Slot slots() const { return sets_ * ways_; }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101;

  /// Neighbours of a way in its set's circle: from the newest, `older` leads to the oldest and back to the newest.
  struct Links {
    std::uint16_t older, newer;
  };

  static std::uint64_t fingerprint(std::uint64_t number) {  // Fibonacci hashing: the product's upper byte
    return (number * 0x9E3779B97F4A7C15) >> 56;
  }
  void set_fingerprint(Slot slot, std::uint64_t value);
  void move_to_front(unsigned set, unsigned way);
  void reset_order();

  unsigned sets_;
  unsigned ways_;
  unsigned words_;  ///< fingerprint words of a set
  bool hashed_;
  bool power_of_two_;
  unsigned index_bits_ = 0;
  std::uint64_t reciprocal_ = 0;
  std::unique_ptr<std::uint64_t[]> fingerprints_;
  std::unique_ptr<Line[]> lines_;
  std::unique_ptr<Links[]> links_;
  std::unique_ptr<std::uint16_t[]> newest_;
};

}  // namespace gputlm
