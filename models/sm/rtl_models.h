/// The warp sorters of rtl/ that are built in, in the sizes that a sub-core takes.
#pragma once

#include <memory>
#include <vector>

#include "models/sm/rtl_sorter.h"

namespace gputlm {

struct SorterModel {
  SorterSize size;
  std::unique_ptr<RtlSorter> (*make)();
};

/// Of each sorter, the smallest size first.
const std::vector<SorterModel>& qaws_rtl_models();
const std::vector<SorterModel>& gto_rtl_models();
const std::vector<SorterModel>& lrr_rtl_models();

}  // namespace gputlm
