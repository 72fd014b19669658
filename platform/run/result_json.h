/// What a run has to tell as result.json: docs/result.md, and the fields in docs/reference/results.md.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/files/json_text.h"
#include "platform/run/result.h"

namespace gputlm {

/// All but its long lists, which are empty arrays.
nlohmann::ordered_json to_json(const RunResult& result, const GpuConfig& config, const Workload& workload,
                               std::uint64_t seed);
/// These lists: there may be a million kernels, of 10 KB each. What is given must outlive them.
std::vector<JsonList> lists_of(const RunResult& result, const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
