/// A warp scheduler whose decisions a sorter in hardware takes: that of rtl/, or the user's own with the same ports.
#pragma once

#include <functional>

#include "models/sm/rtl_sorter.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {

/// Adds the policy to warp_schedulers(); the sorter is told of budgets if the policy heeds them. `model_for` gives the
/// sorter for the warps of a sub-core; it is asked when one is made. What it cannot hold after all is an InputError then.
void add_sorter_in_hardware(const PolicyInfo& info, std::function<SorterModel(const WarpSchedulerSetup&)> model_for);

}  // namespace gputlm
