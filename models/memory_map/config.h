#pragma once

#include "tlm/time.h"

namespace gputlm {

/// How addresses spread over L2 slices and channels.
struct MemoryMapConfig {
  Bytes interleave = 256;    ///< consecutive bytes in one slice
  bool channel_hash = true;  ///< rotate the slice order by a hash of the upper bits, against partition camping
};

}  // namespace gputlm
