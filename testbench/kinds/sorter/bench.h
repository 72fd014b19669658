/// Warp sorters of rtl/ in lockstep with the C++ policies of a sub-core.
#pragma once

#include <memory>
#include <string>

#include "testbench/kinds/sorter/played.h"
#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {

SorterSize sorter_size(const RtlParameters& size);
/// Under `recording`, or under random traffic. It is compared with `make_policy`, or with its policy. Throws InputError
/// for fewer budgets than groups.
Design sorter_design(const BuiltDesign& built, const std::string& policy,
                     std::shared_ptr<const SorterRecording> recording = nullptr,
                     WarpSchedulerMaker make_policy = nullptr);

}  // namespace gputlm
