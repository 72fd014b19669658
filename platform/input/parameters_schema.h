/// Values of parameters in JSON schemas (platform/input/schema.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gputlm {

/// What each parameter may be, with its meaning and unit, by its key. `prefix`: only of keys that begin with it.
nlohmann::ordered_json parameter_definitions(const std::string& prefix = "");

}  // namespace gputlm
