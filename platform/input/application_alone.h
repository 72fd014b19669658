/// Defines "alone": one application of a workload by itself, on the whole GPU.
#pragma once

#include "models/host/workload.h"

namespace gputlm {

/// Keeps everything that belongs to the application: streams, launches, copies, events, tasks, jobs, host threads. Drops its
/// SM reservation, its relaunches, and the phases in which it does nothing.
Workload application_alone(const Workload& workload, ApplicationId application);

}  // namespace gputlm
