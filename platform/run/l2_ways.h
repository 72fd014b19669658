/// Which ways of the L2 applications have their lines in (ApplicationSpec::l2_ways): as many as each asks for, one after the
/// other in the order of the workload. Those that ask for none have the ways that are left.
#pragma once

#include <vector>

#include "models/cache/line.h"
#include "models/config.h"
#include "models/host/workload.h"
#include "platform/run/instances.h"

namespace gputlm {

/// By application, of a GPU or an instance on which those with `is_there` run; empty if none of these asks for ways.
std::vector<WaySet> l2_ways_of(const GpuConfig& config, const std::vector<ApplicationSpec>& applications,
                               const std::vector<bool>& is_there);

/// Throws InputError where there are too few ways, or no cache.
void check_l2_ways(const GpusOfApplications& gpus, const Workload& workload);

}  // namespace gputlm
