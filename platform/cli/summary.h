#pragma once

#include <string>

#include "platform/run/result.h"

namespace gputlm {

/// The summary at the end of a run: one line per kernel (the first `most` of them), and totals.
std::string summary(const RunResult& result, const GpuConfig& config, const Workload& workload, std::size_t most = 40);

}  // namespace gputlm
