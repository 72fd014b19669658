/// What launches of a kernel have in common, however its name is written.
#pragma once

#include <string>

#include "platform/input/kernel_names.h"

namespace gputlm {

inline std::string base_name(const std::string& kernel) { return short_names({demangled(kernel)}).front(); }

}  // namespace gputlm
