/// Parts of a result that not every run has: each is an object or a list of result.json, and what the run's summary says of
/// it. A section is a file that registers itself.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/run/result.h"
#include "tlm/registry.h"

namespace gputlm {

/// Its name is its key in result.json.
struct ResultSection : Registered {
  /// Null: the run has none.
  std::function<nlohmann::ordered_json(const RunResult&, const GpuConfig&, const Workload&)> json;
  /// Lines that a summary ends with; none: nothing to say.
  std::function<std::vector<std::string>(const RunResult&, const GpuConfig&, const Workload&)> lines;
};

Registry<ResultSection>& result_sections();

}  // namespace gputlm
