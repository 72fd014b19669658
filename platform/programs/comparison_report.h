/// The output of `gputlm compare`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/lab/chart.h"
#include "platform/programs/comparison.h"

namespace gputlm {

/// A table of the first `most` commands, and the errors over all commands.
std::string comparison_text(const Comparison& comparison, std::size_t most = 40);
/// The rules that a measurement breaks, each with its first violations; empty if there are none.
std::string broken_rules_text(const std::vector<BrokenRule>& broken);
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Observation& model,
                                       const Observation& measured);
/// comparison.csv: one line per command.
std::string comparison_csv(const Comparison& comparison);
/// comparison_blocks.csv: one line per block that both sides have.
std::string compared_blocks_csv(const Comparison& comparison);
/// Streams over time, each with a measured and a modelled row. Not available if only durations were measured.
Chart comparison_chart(const Comparison& comparison);
/// Modelled over measured durations of kernels.
Chart correlation_chart(const Comparison& comparison);

}  // namespace gputlm
