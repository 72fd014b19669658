/// What stores of a warp do in the L1, which writes all of them through to the L2 at once.
#pragma once

#include "models/policy/policy.h"

namespace gputlm {

enum class L1Stores : std::uint8_t {
  kThrough,   ///< what is there stays there, and counts as used; what is not does not come in
  kAllocate,  ///< a line that is not there comes in; sectors that are written completely become valid
  kEvict,     ///< sectors that are there become invalid
};

/// By name.
Decision<L1Stores>& l1_stores();

}  // namespace gputlm
