/// Coalescing: the lanes of one memory instruction become accesses to 128-byte lines, of 32-byte sectors each; and
/// the bank conflicts of one shared-memory instruction.
#pragma once

#include <array>
#include <cstdint>

#include "models/cache/sectored_tags.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// What one warp instruction wants of one line.
struct LineAccess {
  std::uint64_t line = 0;  ///< address / 128
  SectorMask sectors = 0;  ///< touched
  SectorMask covered = 0;  ///< touched in every byte
};

class Coalescer {
 public:
  /// Two lines a lane: an access of up to 16 bytes that is not aligned may straddle two.
  static constexpr std::size_t kMaxLines = 2 * kWarpSize;

  /// Lines of the lanes in `mask`, each accessing `width` bytes, in order of the first lane that touches them.
  /// Returns how many; lines()[i] tells them. The result is valid until the next call.
  std::size_t coalesce(const LaneAddresses& addresses, std::uint32_t mask, unsigned width);
  /// The same of lanes that access a run of `bytes` bytes, lane after lane.
  std::size_t coalesce_run(Address first, Bytes bytes);
  const std::array<LineAccess, kMaxLines>& lines() const { return lines_; }

 private:
  struct Bytes128 {
    std::uint64_t low = 0, high = 0;
  };
  bool ascending(const LaneAddresses& addresses, std::uint32_t mask, unsigned width);
  static SectorMask covered(const Bytes128& touched);
  static void touch(Bytes128& bytes, unsigned offset, unsigned width);
  unsigned place_of(std::uint64_t line);

  std::size_t count_ = 0;
  std::array<LineAccess, kMaxLines> lines_;
  std::array<Bytes128, kMaxLines> touched_;  ///< a bit a byte
  std::array<std::uint8_t, 256> bucket_;     ///< place of a line + 1, by hash
};

inline constexpr unsigned kMaxSharedBanks = 128;

/// Cycles that a shared-memory instruction holds the banks: the largest number of different words that its lanes ask
/// of one bank (lanes that read the same word share it); at least 1. Banks are four bytes wide; `banks` is a power of
/// two up to kMaxSharedBanks.
unsigned shared_memory_cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned banks);

/// The same, remembered: few shapes occur, over and over.
class BankConflicts {
 public:
  explicit BankConflicts(unsigned banks) : banks_(banks) {}
  unsigned cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width) const {
    return shared_memory_cycles(addresses, mask, width, banks_);
  }
  /// Of lanes that lie like this, x and y of which are multiples of four: wherever they are, the same.
  unsigned cycles(const LaneShape& shape, std::uint32_t mask, unsigned width) {
    const std::uint64_t key = (shape.x + (shape.y << 20) + (std::uint64_t{shape.first} << 40) + mask) * 8 + width;
    Known& known = known_[key * 0x9E3779B97F4A7C15u >> 58];
    if (!(known.shape == shape) || known.mask != mask || known.width != width) learn(known, shape, mask, width);
    return known.cycles;
  }

 private:
  struct Known {
    LaneShape shape;
    std::uint32_t mask = 0;
    std::uint8_t width = 0;  ///< 0: nothing is known
    std::uint16_t cycles = 0;
  };
  void learn(Known& known, const LaneShape& shape, std::uint32_t mask, unsigned width) const;

  unsigned banks_;
  std::array<Known, 64> known_{};  ///< by hash
};

}  // namespace gputlm
