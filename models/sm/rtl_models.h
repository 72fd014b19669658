/// The warp sorters of rtl/ that are built in, in the sizes that a sub-core takes.
#pragma once

#include <vector>

#include "models/sm/rtl_sorter.h"

namespace gputlm {

/// Of each sorter, the smallest size first.
const std::vector<SorterModel>& qaws_rtl_models();
const std::vector<SorterModel>& gto_rtl_models();
const std::vector<SorterModel>& lrr_rtl_models();

}  // namespace gputlm
