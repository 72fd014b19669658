/// Arbiters of rtl/ in lockstep with the C++ policies of the DRAM controller.
#pragma once

#include <string>

#include "testbench/kind/kind.h"
#include "testbench/kinds/arbiter/reference.h"

namespace gputlm {

/// The design under random traffic, compared with these schedulers instead of the policy's.
Design arbiter_design(const BuiltDesign& built, const std::string& policy, SchedulerMaker make_schedulers);

}  // namespace gputlm
