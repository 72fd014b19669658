/// The flit arbiters of rtl/ that are built in, in the sizes that a switch takes.
#pragma once

#include <vector>

#include "models/noc/rtl_flit_arbiter.h"

namespace gputlm {

/// Of each arbiter, the smallest size first.
const std::vector<FlitArbiterModel>& round_robin_rtl_models();
const std::vector<FlitArbiterModel>& oldest_rtl_models();
const std::vector<FlitArbiterModel>& weighted_rtl_models();

}  // namespace gputlm
