/// What a run has to tell as result.json: docs/result.md, and the fields in docs/reference/results.md.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/files/json_text.h"
#include "platform/run/result.h"
#include "tlm/registry.h"

namespace gputlm {

/// All but its long lists, which are empty arrays.
nlohmann::ordered_json to_json(const RunResult& result, const GpuConfig& config, const Workload& workload,
                               std::uint64_t seed);
/// These lists: there may be a million kernels, of 10 KB each. What is given must outlive them.
std::vector<JsonList> lists_of(const RunResult& result, const GpuConfig& config, const Workload& workload);

// Parts of a result that not every run has: each is an object or a list of result.json, and what the run's summary says of
// it. A section is a file that registers itself.

/// Its name is its key in result.json.
struct ResultSection : Registered {
  /// Null: the run has none.
  std::function<nlohmann::ordered_json(const RunResult&, const GpuConfig&, const Workload&)> json;
  /// Lines that a summary ends with; none: nothing to say.
  std::function<std::vector<std::string>(const RunResult&, const GpuConfig&, const Workload&)> lines;
};

Registry<ResultSection>& result_sections();

}  // namespace gputlm
