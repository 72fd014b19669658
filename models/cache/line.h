/// A cache line, as tags and replacement see it.
#pragma once

#include <cstdint>

namespace gputlm {

using WaySet = std::uint64_t;  ///< set of ways of a cache with at most 64, one bit each
inline constexpr WaySet kAllWays = ~WaySet{0};
inline constexpr unsigned kMaxWaysOfSet = 64;

/// One bit per sector of a line, the lowest address first.
using SectorMask = std::uint8_t;

struct CacheLine {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::uint64_t number = kNone;  ///< address / bytes of a line; kNone: this place is empty
  SectorMask valid = 0;
  SectorMask dirty = 0;
  bool pending = false;    ///< whether it waits for a fill and must not be replaced; the owner sets and clears it
  std::uint8_t kept = 0;   ///< the owner's retention class; 0 for a new line
  std::uint16_t mshr = 0;  ///< number of a pending line's MSHR, in the owner's file
};

}  // namespace gputlm
