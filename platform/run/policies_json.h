/// The policies of a run as JSON, by the parameter that chooses each: {"name": ..., "counters": {...}}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/policy/tally.h"

namespace gputlm {

nlohmann::ordered_json policies_json(const std::vector<PolicyRecord>& policies);

}  // namespace gputlm
