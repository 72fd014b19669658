/// A workload as text: everything that determines the effect of its commands, and nothing else. Two workloads are the same
/// exactly if their texts are.
#pragma once

#include <string>

#include "models/host/workload.h"

namespace gputlm {

/// Returns the text; empty if it is unknown for one of its kernels (Kernel::source()).
std::string workload_text(const Workload& workload);

}  // namespace gputlm
