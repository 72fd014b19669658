/// What `gputlm compare` shows of a comparison.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/lab/chart.h"
#include "platform/programs/comparison.h"

namespace gputlm {

/// A table of the first `most` commands and the errors of all.
std::string comparison_text(const Comparison& comparison, std::size_t most = 40);
/// The rules that a measurement breaks, and the first places of each; empty if there are none.
std::string broken_rules_text(const std::vector<BrokenRule>& broken);
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Observation& model,
                                       const Observation& measured);
/// comparison.csv: a line a command.
std::string comparison_csv(const Comparison& comparison);
/// comparison_blocks.csv: a line a block that both have.
std::string compared_blocks_csv(const Comparison& comparison);
/// Streams over time, a row measured and a row of the model each. Not of durations alone.
Chart comparison_chart(const Comparison& comparison);
/// The durations of kernels, of the model over measured.
Chart correlation_chart(const Comparison& comparison);

}  // namespace gputlm
