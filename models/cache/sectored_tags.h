/// Tags of a set-associative cache with sectored lines: 128-byte lines of four 32-byte sectors that are valid and
/// dirty one by one, replaced least recently used first. Shared by L1 and L2. There is no data: the model needs none.
///
/// Lines are named by their number (address / 128), places in the cache by a slot. The set is the line number modulo
/// the number of sets, or the modulus of its exclusive-or fold (any number of sets), which spreads strides that are
/// multiples of the set count.
///
/// A lookup compares one-byte fingerprints of all ways, eight at a time, before it touches a tag. Use and replacement cost
/// the same for any associativity (recency_order.h). Of up to 20 ways, a lookup and a use touch two lines of the host's
/// cache: the tag, and one with all the rest.
///
/// Throws InputError when a cache is asked for that has no sets or no ways, or more than 65535 ways.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>

#include "models/cache/recency_order.h"
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
    bool pending = false;    ///< waits for a fill: not to be replaced; the owner sets and clears it
    std::uint16_t mshr = 0;  ///< the owner's, of a pending line
  };

  SectoredTags(unsigned sets, unsigned ways, SetIndex index);

  /// Slot of a line; kNoSlot when it is absent. Leaves the recency order alone.
  Slot find(std::uint64_t number) const { return find(number, set_of(number)); }
  /// The same, where set_of() of the line is at hand.
  Slot find(std::uint64_t number, unsigned set) const {
    const unsigned char* words = block(set);
    const std::uint64_t pattern = kOnes * fingerprint(number);
    for (unsigned way = 0; way < ways_; way += 8) {
      const std::uint64_t difference = word(words + way) ^ pattern;
      // Marks every zero byte; a byte above a zero one may be marked too, which the tag then sorts out.
      std::uint64_t equal = (difference - kOnes) & ~difference & (kOnes << 7);
      for (; equal; equal &= equal - 1) {
        const Slot slot = slot_of(set, way + static_cast<unsigned>(__builtin_ctzll(equal)) / 8);
        if (lines_[slot].number == number) return slot;
      }
    }
    return kNoSlot;
  }

  Line& operator[](Slot slot) { return lines_[slot]; }
  const Line& operator[](Slot slot) const { return lines_[slot]; }

  /// Makes a slot the most recently used of its set.
  void touch(Slot slot) {
    order_of(set_of_slot(slot), [way = way_of_slot(slot)](auto order) { order.make_newest(way); });
  }

  /// Slot that the line would take: an empty one or else the least recently used of its set that is not pending;
  /// kNoSlot when all are pending. Changes nothing.
  Slot victim(std::uint64_t number) const { return victim_in(set_of(number)); }
  Slot victim_in(unsigned set) const {
    return order_of(set, [this, set](auto order) {
      const unsigned oldest = order.oldest();
      unsigned way = oldest;
      do {
        if (!lines_[slot_of(set, way)].pending) return slot_of(set, way);
        way = order.newer(way);
      } while (way != oldest);
      return kNoSlot;
    });
  }
  /// Puts a line without valid sectors into a slot of its set (as victim() named it), as the most recently used.
  void replace(Slot slot, std::uint64_t number) {
    assert(set_of_slot(slot) == set_of(number));
    const unsigned set = set_of_slot(slot), way = way_of_slot(slot);
    order_of(set, [this, number, set, way](auto order) { put(number, set, way, order); });
  }
  /// Slot of a line, which if it is absent takes that of victim(), as by replace(); there must be one then.
  Slot find_or_replace(std::uint64_t number) {
    const unsigned set = set_of(number);
    const Slot slot = find(number, set);
    if (slot != kNoSlot) return slot;
    return order_of(set, [this, number, set](auto order) {
      unsigned way = order.oldest();
      while (lines_[slot_of(set, way)].pending) way = order.newer(way);
      return put(number, set, way, order);
    });
  }
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
  /// All slots are below it; where the ways are fewer than eight, or no power of two, some are never used.
  Slot slots() const { return sets_ << way_bits_; }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101;
  static constexpr std::size_t kHostLine = 64;
  struct alignas(kHostLine) HostLine {
    unsigned char bytes[kHostLine];
  };

  static std::uint64_t fingerprint(std::uint64_t number) {  // Fibonacci hashing: the product's upper byte
    return (number * 0x9E3779B97F4A7C15) >> 56;
  }
  static std::uint64_t word(const unsigned char* place) {
    std::uint64_t value = 0;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  /// What a lookup and a use touch of a set: the fingerprints of its ways, rounded up to words, and their recency order.
  unsigned char* block(unsigned set) const {
    return reinterpret_cast<unsigned char*>(blocks_.get()) + std::size_t{set} * block_bytes_;
  }
  /// Calls `f` with the RecencyOrder of a set.
  template <class F>
  auto order_of(unsigned set, F f) const -> decltype(f(RecencyOrder<std::uint8_t>(nullptr))) {
    unsigned char* place = block(set) + order_offset_;
    return narrow() ? f(RecencyOrder<std::uint8_t>(place)) : f(RecencyOrder<std::uint16_t>(place));
  }
  bool narrow() const { return ways_ <= 256; }
  template <class Order>
  Slot put(std::uint64_t number, unsigned set, unsigned way, Order order) {
    const Slot slot = slot_of(set, way);
    lines_[slot] = {number};
    block(set)[way] = static_cast<unsigned char>(fingerprint(number));
    order.make_newest(way);
    empty_ = false;
    return slot;
  }
  /// A slot is its set, and in the lowest bits the way.
  Slot slot_of(unsigned set, unsigned way) const { return set << way_bits_ | way; }
  unsigned set_of_slot(Slot slot) const { return slot >> way_bits_; }
  unsigned way_of_slot(Slot slot) const { return slot & ((1u << way_bits_) - 1); }
  void reset_order();

  unsigned sets_;
  unsigned ways_;
  unsigned way_bits_ = 3;  ///< at least those of the fingerprints in a word
  bool hashed_;
  bool power_of_two_;
  bool empty_ = true;  ///< no line has been put in since all slots were empty
  unsigned index_bits_ = 0;
  std::uint64_t reciprocal_ = 0;
  std::size_t order_offset_, block_bytes_;
  std::unique_ptr<HostLine[]> blocks_;
  std::unique_ptr<Line[]> lines_;
};

}  // namespace gputlm
