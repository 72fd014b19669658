/// The part of the L2 that applications set aside for persisting accesses (ApplicationSpec::persisting_l2_cache_size), and
/// the access policy windows of their kernels.
#pragma once

#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/l2/set_aside.h"
#include "platform/run/instances.h"

namespace gputlm {

/// Of a GPU that has no instances.
SetAsideSetup set_aside_of(const std::vector<ApplicationSpec>& applications, std::vector<AccessPolicyWindow> windows);

/// The most that may be set aside.
Bytes most_set_aside(const GpuConfig& config);

/// Throws InputError where a GPU, or one with instances, has no such part, or not so much of it.
void check_set_aside(const GpuConfig& config, const GpusOfApplications& gpus, const Workload& workload);

/// What of it is said in vain.
void tell_idle_set_aside(const Workload& workload, std::vector<std::string>& lines);

}  // namespace gputlm
