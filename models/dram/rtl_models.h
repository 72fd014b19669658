/// The arbiters of rtl/ that are built in, in the sizes that a controller's queue takes.
#pragma once

#include <vector>

#include "models/dram/rtl_arbiter.h"

namespace gputlm {

/// Of each arbiter, the smallest size first; each holds at least what the one before it holds.
const std::vector<RtlModel>& fr_fcfs_rtl_models();
const std::vector<RtlModel>& fr_rr_fcfs_rtl_models();

}  // namespace gputlm
