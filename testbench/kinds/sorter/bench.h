/// Sorters of rtl/ in lockstep with the C++ warp schedulers.
#pragma once

#include <string>

#include "testbench/kind/kind.h"
#include "testbench/kinds/sorter/reference.h"

namespace gputlm {

/// The design under random traffic, compared with this scheduler instead of the policy's.
Design sorter_design(const BuiltDesign& built, const std::string& policy, WarpSchedulerMaker make_policy);

}  // namespace gputlm
