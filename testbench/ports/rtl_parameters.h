/// Values of a module's parameters.
#pragma once

#include <map>
#include <string>

namespace gputlm {

/// Values by the parameter's name, "Entries".
using RtlParameters = std::map<std::string, unsigned>;

}  // namespace gputlm
