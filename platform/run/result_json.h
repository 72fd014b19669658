/// The result of a run as result.json: docs/result.md describes it, docs/reference/results.md lists its fields.
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
#include "tlm/base/registry.h"

namespace gputlm {

/// Everything but the long lists, which are empty arrays here.
nlohmann::ordered_json to_json(const RunResult& result, const GpuConfig& config, const Workload& workload,
                               std::uint64_t seed);
/// The long lists: a run can have a million kernels of 10 KB each. The arguments must outlive them.
std::vector<JsonList> lists_of(const RunResult& result, const GpuConfig& config, const Workload& workload);

// Sections: parts of a result that only some runs have. Each is an object or a list of result.json, with lines in the run's
// summary. A section is a file that registers itself.

/// The name is the key in result.json.
struct ResultSection : Registered {
  /// Null if the run has no such section.
  std::function<nlohmann::ordered_json(const RunResult&, const GpuConfig&, const Workload&)> json;
  /// Lines at the end of the summary; empty if there is nothing to report.
  std::function<std::vector<std::string>(const RunResult&, const GpuConfig&, const Workload&)> lines;
};

Registry<ResultSection>& result_sections();

}  // namespace gputlm
