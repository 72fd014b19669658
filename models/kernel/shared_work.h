/// Blocks that share their work with others of their launch that are on the same SM.
#pragma once

#include "models/kernel/kernel.h"

namespace gputlm {

/// A BlockCode that is one of these too is told by its SM of a block of the same launch there, if there is one, before its
/// first warp runs. All that follows from it is between blocks of one SM, in the order in which they run. Only such code
/// has loops of LoopInfo::kAsk.
class SharedWork {
 public:
  virtual ~SharedWork() = default;
  /// `other`: a block of the same launch.
  virtual void share_with(const BlockCode& other) = 0;
};

}  // namespace gputlm
