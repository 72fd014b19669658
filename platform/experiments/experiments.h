/// The experiments, each in a file of its own. What an experiment must be able to refute can be passed in, so that
/// tests see it refuted.
#pragma once

#include <string>

#include "platform/experiment.h"

namespace gputlm {

ExperimentReport most_room_placement(const ExperimentOptions& options, const std::string& placement = "most_room");
ExperimentReport most_room_demonstration(const ExperimentOptions& options);
ExperimentReport block_to_sm(const ExperimentOptions& options, const std::string& placement = "most_room");
/// Compares `placement` with round-robin.
ExperimentReport misprediction(const ExperimentOptions& options, const std::string& placement = "most_room");

}  // namespace gputlm
