/// Result files of cuda_scheduling_examiner (docs/examiner.md), as the tool writes them on a GPU and gputlm for its runs: one
/// JSON for each benchmark, which together are one measurement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/programs/observation.h"

namespace gputlm {

/// `paths`: files, or folders of them. Launches have the labels of a run of the configuration. `modelled`: what the GPU of
/// the run holds, by which the rules are judged if the results are of as many SMs. Throws InputError.
Observation observe_examiner_results(const std::vector<std::string>& paths, const std::optional<SmCapacity>& modelled);

}  // namespace gputlm
