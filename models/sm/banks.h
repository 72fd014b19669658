/// The banks of an SM's shared-memory array, which since Volta also serves the L1: how long the lanes of an instruction
/// hold them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/kernel/kernel.h"

namespace gputlm {

inline constexpr unsigned kMaxBanks = 128;

/// Cycles that an instruction holds the banks: the largest number of different words that its lanes access in one bank
/// (lanes that read the same word share it); at least 1. Addresses are multiples of `width`, as CUDA requires, which is 1,
/// 2, 4, 8 or 16 bytes. Banks are four bytes wide; `banks` is a power of two up to kMaxBanks. Evidence that the L1 uses the
/// same banks: a load that hits takes 2, 4, 8, 16, 32 cycles for strides of 2, 4, 8, 16, 32 words, and for each stride of
/// doubles as many as two halves of a warp (A100 and H200, docs/silicon.md).
unsigned bank_cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned banks);

/// The same, cached: a few shapes recur.
class BankConflicts {
 public:
  explicit BankConflicts(unsigned banks) : banks_(banks) {}
  unsigned cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width) const {
    return bank_cycles(addresses, mask, width, banks_);
  }
  /// Cycles for lanes of this shape, whose x and y are multiples of four: independent of the base address.
  unsigned cycles(const LaneShape& shape, std::uint32_t mask, unsigned width) {
    const std::uint64_t key = (shape.x + (shape.y << 20) + (std::uint64_t{shape.first} << 40) + mask) * 8 + width;
    Known& known = known_[key * 0x9E3779B97F4A7C15u >> 58];
    if (!(known.shape == shape) || known.mask != mask || known.width != width) learn(known, shape, mask, width);
    return known.cycles;
  }
  /// Cycles for a full warp whose lanes access consecutive bytes from `first` on.
  unsigned cycles_of_run(Address first, unsigned width) const {
    if (width >= 4) return width / 4 * std::max(1u, 32 / banks_);  // 128 bytes, then the next ones
    const auto words = static_cast<unsigned>((first % 4 + kWarpSize * width + 3) / 4);
    return (words + banks_ - 1) / banks_;
  }
  /// An upper bound for lanes that access `lines` lines: with 32 banks, the words of a bank are in different lines; with
  /// four or more, the words of a lane are in different banks.
  unsigned most(unsigned lines, unsigned width) const {
    const unsigned words = std::max(1u, width / 4);
    return std::min(lines * words * std::max(1u, 32 / banks_),
                    static_cast<unsigned>(kWarpSize) * std::max(1u, words / banks_));
  }

 private:
  struct Known {
    LaneShape shape;
    std::uint32_t mask = 0;
    std::uint8_t width = 0;  ///< 0: empty entry
    std::uint16_t cycles = 0;
  };
  void learn(Known& known, const LaneShape& shape, std::uint32_t mask, unsigned width) const;

  unsigned banks_;
  std::array<Known, 64> known_{};  ///< indexed by hash
};

}  // namespace gputlm
