/// Blocks that share their work with others of their launch that are on the same SM.
#pragma once

#include "models/kernel/kernel.h"

namespace gputlm {

/// Interface of a BlockCode that shares work. Before the first warp of such a block runs, its SM tells it of a resident
/// block of the same launch, if there is one. It affects only blocks of one SM, in the order in which they run. Only such
/// code has loops of LoopInfo::kAsk.
class SharedWork {
 public:
  virtual ~SharedWork() = default;
  /// `other`: a block of the same launch.
  virtual void share_with(const BlockCode& other) = 0;
};

}  // namespace gputlm
