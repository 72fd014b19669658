/// Coalescing: the lanes of one memory instruction become accesses to 128-byte lines, of 32-byte sectors each; and the
/// cycles in which the tags of an L1 look them up.
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
  /// Of what was coalesced last: the lanes are a full warp's, and access a run of bytes.
  bool is_run() const { return is_run_; }

  /// Cycles in which tags that look up `a_cycle` lines a cycle find all that were coalesced last, of the same lanes: the
  /// warp has as many parts of neighbouring lanes, and of each part the line of the first lane that has not been served
  /// is looked up. Lanes of all parts are compared with all of them. With one a cycle: as many as there are lines.
  /// How many: "can compare all 32 threads at a time", "4 tags per cycle" from Volta on (NVIDIA's developer forum,
  /// thread 49571). Which: taken from loads of stride 3 (docs/caches.md), which take 1.63 cycles of an A100 and an H200,
  /// and with any four lines a cycle would take one.
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
  Address run_ = 0;      ///< where a run begins
  std::array<LineAccess, kMaxLines> lines_;
  std::array<Bytes128, kMaxLines> touched_;  ///< a bit a byte
  std::array<std::uint8_t, 256> bucket_;     ///< place of a line + 1, by hash
};

}  // namespace gputlm
