/// The picture that goes with the demonstration: which SM has what, from when until when.
#pragma once

#include <vector>

#include "platform/lab/chart.h"
#include "platform/lab/runs.h"

namespace gputlm {

/// Kernels A and B (the launches of a run, in this order) on the SMs that B has in either run, and on a few that it has
/// in neither: a row for each kernel of an SM, however many blocks. `mhz`: of the SMs' clock.
TimelineChart placement_chart(const std::vector<LaunchOutcome>& isolated, const std::vector<LaunchOutcome>& colocated,
                              double mhz);

}  // namespace gputlm
