/// Ways to share as points: one program's tail latency against the throughput of the others.
#pragma once

#include <vector>

#include "platform/lab/chart.h"
#include "platform/share/outcome.h"

namespace gputlm {

/// The first program's 99th percentile relative to alone over the mean relative throughput of the others: one point per way,
/// and the Pareto front.
LabelledChart share_picture(const std::vector<WayOutcome>& outcomes);

/// The points of the Pareto front (large x, small y), in the order of x.
std::vector<std::pair<double, double>> front_of(const std::vector<LabelledChart::Point>& points);

}  // namespace gputlm
