/// Coalescing: combines the lanes of a memory instruction into accesses to 128-byte lines of 32-byte sectors; and computes
/// the cycles in which L1 tags look them up.
#pragma once

#include <array>
#include <cstdint>

#include "models/cache/sectored_tags.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// The accesses of one warp instruction to one line.
struct LineAccess {
  std::uint64_t line = 0;  ///< address / 128
  SectorMask sectors = 0;  ///< sectors touched
  SectorMask covered = 0;  ///< sectors touched in every byte
};

class Coalescer {
 public:
  /// Two lines per lane: an unaligned access of up to 16 bytes may straddle two.
  static constexpr std::size_t kMaxLines = 2 * kWarpSize;

  /// Finds the lines of the lanes in `mask`, each accessing `width` bytes, in order of the first lane that touches them.
  /// Returns their number; lines()[i] has them until the next call.
  std::size_t coalesce(const LaneAddresses& addresses, std::uint32_t mask, unsigned width);
  /// The same for consecutive lanes that access `bytes` consecutive bytes.
  std::size_t coalesce_run(Address first, Bytes bytes);
  const std::array<LineAccess, kMaxLines>& lines() const { return lines_; }
  /// Whether the last lanes coalesced were a full warp that accesses consecutive bytes.
  bool is_run() const { return is_run_; }

  /// Cycles in which tags that look up `a_cycle` lines per cycle find the lines coalesced last, of the same lanes. The warp
  /// is divided into `a_cycle` parts of neighbouring lanes; in each cycle, each part looks up the line of its first lane
  /// that has not been served, and the lanes of all parts are compared with all these lines. With one line per cycle, it
  /// takes as many cycles as there are lines. Source of the number: "can compare all 32 threads at a time", "4 tags per
  /// cycle" from Volta on (NVIDIA's developer forum, thread 49571). Source of the choice of lines: loads of stride 3
  /// (docs/caches.md), which take 1.63 cycles on an A100 and an H200; with any four lines per cycle they would take one.
  unsigned lookup_cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned a_cycle) const;

 private:
  struct Parts;
  struct Bytes128 {
    std::uint64_t low = 0, high = 0;
  };
  bool ascending(const LaneAddresses& addresses, std::uint32_t mask, unsigned width);
  static SectorMask covered(const Bytes128& touched);
  static void touch(Bytes128& bytes, unsigned offset, unsigned width);
  unsigned place_of(std::uint64_t line);
  unsigned known_place(std::uint64_t line, unsigned before) const;
  Parts parts_of_run(unsigned width, unsigned parts) const;
  Parts parts_of(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned parts) const;

  std::size_t count_ = 0;
  bool is_run_ = false;
  bool hashed_ = false;  ///< bucket_ knows the lines; otherwise they are in ascending order
  Address run_ = 0;      ///< start of a run
  std::array<LineAccess, kMaxLines> lines_;
  std::array<Bytes128, kMaxLines> touched_;  ///< one bit per byte
  std::array<std::uint8_t, 256> bucket_;     ///< index of a line + 1, indexed by hash
};

}  // namespace gputlm
