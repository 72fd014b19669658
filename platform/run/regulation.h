/// How the memory budgets of a workload (models/regulator/budget.h) are shared out over the places of a GPU where they are
/// enforced.
#pragma once

#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/regulator/regulation.h"
#include "platform/run/instances.h"

namespace gputlm {

/// Of a GPU, or of an instance, on which the applications with `is_there` run: none if none of these has a budget. Places are
/// its SMs, or its L2 slices, as NocConfig::regulator_place has it.
Regulation regulation_of(const GpuConfig& config, const Clock& clock, const std::vector<ApplicationSpec>& applications,
                         const std::vector<bool>& is_there);

/// Throws InputError for a budget that leaves nothing for one of its places, and for periods that differ where the policy
/// gives what one leaves to others.
void check_budgets(const GpuConfig& whole, const GpusOfApplications& gpus, const Workload& workload);

}  // namespace gputlm
