#pragma once

#include <string>

#include "platform/run/result.h"

namespace gputlm {

/// What a person wants to see at the end of a run: a line a kernel (the first `most` of them), and totals.
std::string summary(const RunResult& result, const GpuConfig& config, const Workload& workload, std::size_t most = 40);

}  // namespace gputlm
