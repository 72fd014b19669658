/// A workload as text: all that decides what its commands do, and nothing else. Workloads are the same exactly if their
/// texts are.
#pragma once

#include <string>

#include "models/host/workload.h"

namespace gputlm {

/// Empty if that is not known of one of its kernels (Kernel::source()).
std::string workload_text(const Workload& workload);

}  // namespace gputlm
