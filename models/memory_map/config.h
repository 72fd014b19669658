#pragma once

#include <cstddef>

#include "tlm/base/time.h"

namespace gputlm {

inline constexpr std::size_t kMaxDramChannels = 256, kMaxSlicesOfChannel = 16;
inline constexpr std::size_t kMaxL2Slices = kMaxDramChannels * kMaxSlicesOfChannel;

/// How addresses spread over L2 slices and channels.
struct MemoryMapConfig {
  Bytes interleave = 256;    ///< consecutive bytes in one slice
  bool channel_hash = true;  ///< rotate the slice order by a hash of the upper bits, against partition camping
};

}  // namespace gputlm
