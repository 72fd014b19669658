/// Result files of cuda_scheduling_examiner (docs/examiner.md), from the tool on a GPU or from a run of gputlm: one JSON file
/// per benchmark; together they are one measurement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/programs/observation.h"

namespace gputlm {

/// `paths`: files, or folders of them. Launches get the labels that a run of the configuration gives them. `modelled`: the
/// capacity of the run's GPU, used to judge the rules if the results have the same number of SMs. Throws InputError.
Observation observe_examiner_results(const std::vector<std::string>& paths, const std::optional<SmCapacity>& modelled);

}  // namespace gputlm
