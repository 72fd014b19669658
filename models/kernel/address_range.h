/// Bounds of the addresses of an address pattern, for all signs and sizes of its strides.
#pragma once

#include <cstdint>

#include "models/kernel/address_pattern.h"

namespace gputlm {

/// A range of byte addresses, without wrapping: may extend below 0 and beyond 2^64.
struct AddressRange {
  __int128 first = 0;
  __int128 last = 0;
};

/// The bytes that accesses of this width and offset may touch in a launch, over `iterations` (1 to 2^62) of the enclosing
/// loops. Requires that pattern_error() is empty.
AddressRange address_range(const AddressPattern& pattern, unsigned width, std::int64_t offset,
                           const LaunchShape& launch, std::uint64_t iterations);

}  // namespace gputlm
