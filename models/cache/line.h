/// A cache line, as tags and replacement see it.
#pragma once

#include <cstdint>

namespace gputlm {

using WaySet = std::uint64_t;  ///< of a cache of 64 ways at most
inline constexpr WaySet kAllWays = ~WaySet{0};
inline constexpr unsigned kMaxWaysOfSet = 64;

/// One bit per sector of a line, the lowest address first.
using SectorMask = std::uint8_t;

struct CacheLine {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::uint64_t number = kNone;  ///< address / bytes of a line; kNone: the place is empty
  SectorMask valid = 0;
  SectorMask dirty = 0;
  bool pending = false;    ///< waits for a fill and must not be replaced; the owner sets and clears it
  std::uint8_t kept = 0;   ///< the owner's retention class; 0 for a new line
  std::uint16_t mshr = 0;  ///< the owner's, of a pending line
};

}  // namespace gputlm
