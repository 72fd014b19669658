/// Limits of a design that a recording may exceed.
#pragma once

#include <cstdint>
#include <string>

#include "tlm/base/error.h"

namespace gputlm {

/// Throws InputError if a recorded value exceeds a limit of the design.
inline void played_at_most(const char* what, std::uint64_t found, std::uint64_t most) {
  if (found <= most) return;
  throw InputError("the recording has a " + std::string(what) + " of " + std::to_string(found) +
                   ", allowed in a design of this size: " + std::to_string(most));
}

}  // namespace gputlm
