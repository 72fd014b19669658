/// What srtf's sections 2 and 6.2.1 to 6.2.4 say of its 56 workloads, as figures.
#pragma once

#include <array>

#include "platform/experiments/srtf/table.h"

namespace gputlm {

/// Kernel orders of table 5, and section 6.2.2's. Rows of a table that is judged are in this order.
inline constexpr std::array<const char*, 6> kSrtfOrders{"fifo",          "mpmax", "srtf",
                                                        "srtf_adaptive", "sjf",   "srtf_zero_sampling"};

/// `quick`: not all workloads are there, so what is said of all of them, in numbers, is left out.
void add_srtf_claims(ExperimentReport& report, const SrtfTable& table, bool quick);

}  // namespace gputlm
