/// Tags of a set-associative cache with sectored lines: 128-byte lines of four 32-byte sectors with individual valid and
/// dirty bits. A policy (replacement.h) decides which line of a set is replaced; without one, the least recently used.
/// Shared by L1 and L2. There is no data: the model needs none.
///
/// Lines are named by number (address / 128), places in the cache by slot. The set follows from the line's number in one of
/// three ways (SetIndex), for any number of sets.
///
/// A lookup compares one-byte fingerprints of all ways, eight at a time, before it touches a tag. Use and replacement cost
/// the same for any associativity (recency_order.h). With up to 20 ways, a lookup and a use touch two cache lines of the
/// host: the tag, and one with the rest.
///
/// Throws InputError for a cache with no sets, no ways, or more than 65535 ways.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "models/cache/line.h"
#include "models/cache/recency_order.h"
#include "models/cache/replacement.h"
#include "tlm/access.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr unsigned kSectorsOfLine = kLineBytes / kSectorBytes;

/// Sectors touched by `bytes` bytes from `address` on, within one line.
inline SectorMask touched_sectors(Address address, Bytes bytes) {
  const unsigned offset = static_cast<unsigned>(address % kLineBytes);
  assert(bytes > 0 && offset + bytes <= kLineBytes);
  const unsigned first = offset / kSectorBytes;
  const unsigned last = (offset + static_cast<unsigned>(bytes) - 1) / kSectorBytes;
  return static_cast<SectorMask>((2u << last) - (1u << first));
}

/// The same, but only completely covered sectors.
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

/// Number of runs of neighbouring sectors in a mask, each of which one access to the next level can cover.
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

/// XOR of all groups of `bits` (1 or more) bits of a number, in the result's lowest `bits` bits. For any k, the numbers i *
/// 2^k take all values in each aligned run of 2^bits values of i.
inline std::uint64_t exclusive_or_fold(std::uint64_t number, unsigned bits) {
  for (unsigned shift = bits; shift < 64; shift *= 2) number ^= number >> shift;
  return number;
}

/// A bijection of 64 bits, in which each output bit depends on all input bits (finaliser of SplitMix64; Steele, Lea and
/// Flood, OOPSLA 2014).
inline std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
  number = (number ^ number >> 27) * 0x94d049bb133111ebu;
  return number ^ number >> 31;
}

/// The mapping from a line's number to its set.
enum class SetIndex : std::uint8_t {
  kModulo,  ///< lowest bits: neighbours are in neighbouring sets, strides of a way's size in one set
  kFold,    ///< XOR of groups of bits: neighbours are in neighbouring sets, strides are spread over the sets
  kMix,  ///< a hash of all bits: any footprint is spread as if its lines were drawn at random, so that some sets have more
};
/// The mappings by name.
Decision<SetIndex>& l1_set_indices();
Decision<SetIndex>& l2_set_indices();

class SectoredTags {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = ~Slot{0};
  static constexpr std::uint64_t kNoLine = CacheLine::kNone;
  using Line = CacheLine;

  SectoredTags(unsigned sets, unsigned ways, SetIndex index, std::unique_ptr<Replacement> replacement = nullptr);

  /// Empties all slots and changes the number of sets, to at least one and at most the original number.
  void resize(unsigned sets);

  /// Slot of a line; kNoSlot if absent. Leaves the recency order unchanged.
  Slot find(std::uint64_t number) const { return find(number, set_of(number)); }
  /// The same, given set_of() of the line.
  Slot find(std::uint64_t number, unsigned set) const {
    const unsigned char* words = block(set);
    const std::uint64_t pattern = kOnes * fingerprint(number);
    for (unsigned way = 0; way < ways_; way += 8) {
      const std::uint64_t difference = word(words + way) ^ pattern;
      // Marks every zero byte; it may also mark a byte above a zero byte, which the tag comparison rejects.
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

  /// Makes a line the most recently used of its set.
  void touch(Slot slot) {
    if (replacement_) return replacement_->used(set_of_slot(slot), way_of_slot(slot));
    order_of(set_of_slot(slot), [way = way_of_slot(slot)](auto order) { order.make_newest(way); });
  }

  /// Slot that the line would take: an empty one of its set, otherwise the one that the policy names among those not
  /// pending; kNoSlot if all are pending. Changes nothing.
  Slot victim(std::uint64_t number) const { return victim_in(set_of(number)); }
  Slot victim_in(unsigned set) const {
    if (replacement_) return policy_victim(set);
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
  /// The same, restricted to the allowed ways.
  Slot victim_in(unsigned set, WaySet allowed) const;
  /// Puts a line without valid sectors into a slot of its set (as victim() named it), as the most recently used.
  void replace(Slot slot, std::uint64_t number) {
    assert(set_of_slot(slot) == set_of(number));
    const unsigned set = set_of_slot(slot), way = way_of_slot(slot);
    if (replacement_) return policy_replace(slot, number);
    order_of(set, [this, number, set, way](auto order) { put(number, set, way, order); });
  }
  /// Slot of a line. An absent line is placed in the slot of victim(), which must exist.
  Slot find_or_replace(std::uint64_t number) {
    const unsigned set = set_of(number);
    const Slot slot = find(number, set);
    if (slot != kNoSlot) return slot;
    if (replacement_) {
      const Slot place = policy_victim(set);
      policy_replace(place, number);
      return place;
    }
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
    if (index_ == SetIndex::kMix) return static_cast<unsigned>(((mixed(number) >> 32) * sets_) >> 32);
    if (index_ == SetIndex::kFold) number = exclusive_or_fold(number, index_bits_);
    if (power_of_two_) return static_cast<unsigned>(number & (sets_ - 1));
    const auto quotient = static_cast<std::uint64_t>((static_cast<unsigned __int128>(number) * reciprocal_) >> 64);
    std::uint64_t rest = number - quotient * sets_;
    while (rest >= sets_) rest -= sets_;
    return static_cast<unsigned>(rest);
  }
  unsigned sets() const { return sets_; }
  unsigned ways() const { return ways_; }
  /// Upper bound of slot numbers; with fewer than eight ways, or not a power of two, some are never used.
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
  /// The data of a set used by a lookup and a use: the fingerprints of its ways, rounded up to words, and their recency
  /// order.
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
    order.make_newest(way);
    return put(number, set, way);
  }
  Slot put(std::uint64_t number, unsigned set, unsigned way) {
    const Slot slot = slot_of(set, way);
    lines_[slot] = {number};
    block(set)[way] = static_cast<unsigned char>(fingerprint(number));
    empty_ = false;
    return slot;
  }
  // With a policy:
  Slot policy_victim(unsigned set, WaySet allowed = kAllWays) const;
  void policy_replace(Slot slot, std::uint64_t number);
  /// A slot number is the set, with the way in the lowest bits.
  Slot slot_of(unsigned set, unsigned way) const { return set << way_bits_ | way; }
  unsigned set_of_slot(Slot slot) const { return slot >> way_bits_; }
  unsigned way_of_slot(Slot slot) const { return slot & ((1u << way_bits_) - 1); }
  void reset_order();
  void index_sets(unsigned sets);

  unsigned sets_, most_sets_;
  unsigned ways_;
  unsigned way_bits_ = 3;  ///< bits of a way in a slot number; at least 3, for the fingerprints in a word
  SetIndex index_;
  bool power_of_two_;
  bool empty_ = true;  ///< no line has been inserted since all slots were empty
  unsigned index_bits_ = 0;
  std::uint64_t reciprocal_ = 0;
  std::size_t order_offset_, block_bytes_;
  std::unique_ptr<HostLine[]> blocks_;
  std::unique_ptr<Line[]> lines_;
  std::unique_ptr<Replacement> replacement_;  ///< null: the least recently used line is replaced
  std::vector<std::uint16_t> filled_;         ///< number of filled ways of each set, if there is a policy
};

}  // namespace gputlm
