/// What "alone" means: one application of a workload by itself, on the whole GPU.
#pragma once

#include "models/host/workload.h"

namespace gputlm {

/// All that is the application's: streams, launches, copies, events, tasks, jobs, host threads. SMs are not kept for it, it
/// is launched once, and phases in which it does nothing are left out.
Workload application_alone(const Workload& workload, ApplicationId application);

}  // namespace gputlm
