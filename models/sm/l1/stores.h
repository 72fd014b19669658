/// The effect of a warp's stores on the L1, which writes all of them through to the L2 at once.
#pragma once

#include "models/policy/policy.h"

namespace gputlm {

enum class L1Stores : std::uint8_t {
  kThrough,   ///< a present line stays and counts as used; an absent one is not allocated
  kAllocate,  ///< an absent line is allocated; completely written sectors become valid
  kEvict,     ///< present sectors become invalid
};

/// The effects by name.
Decision<L1Stores>& l1_stores();

}  // namespace gputlm
