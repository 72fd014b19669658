/// Limits of a design in hardware.
#pragma once

#include <cstdint>
#include <string>

#include "tlm/base/error.h"

namespace gputlm {

/// Throws InputError if `found`, the amount of what `parameter` names, exceeds the capacity `most` of the hardware selected
/// by the parameter `seam` with the value `policy`.
inline void at_most(const char* parameter, std::uint64_t found, std::uint64_t most, const char* seam,
                    const std::string& policy) {
  if (found <= most) return;
  throw InputError(std::string(parameter) + ": found " + std::to_string(found) + ", allowed with " + seam + '=' +
                   policy + " is at most " + std::to_string(most));
}

}  // namespace gputlm
