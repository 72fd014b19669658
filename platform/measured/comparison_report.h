/// What `gputlm compare` shows of a comparison.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/lab/chart.h"
#include "platform/measured/comparison.h"

namespace gputlm {

/// A table of the first `most` commands and the errors of all.
std::string comparison_text(const Comparison& comparison, std::size_t most = 40);
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Observation& model,
                                       const Observation& measured);
/// comparison.csv: a line a command.
std::string comparison_csv(const Comparison& comparison);
/// Streams over time, a row measured and a row of the model each. Not of durations alone.
Chart comparison_chart(const Comparison& comparison);
/// The durations of kernels, of the model over measured.
Chart correlation_chart(const Comparison& comparison);

}  // namespace gputlm
