/// Values of a module's parameters.
#pragma once

#include <map>
#include <string>

namespace gputlm {

/// By the parameter's name, "Entries".
using RtlParameters = std::map<std::string, unsigned>;

}  // namespace gputlm
