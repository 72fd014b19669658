/// Ways to share as points: what one program's tail is beside what the others get done.
#pragma once

#include <vector>

#include "platform/lab/chart.h"
#include "platform/share/outcome.h"

namespace gputlm {

/// The first program's 99th percentile over alone, by the mean throughput of the others over alone: a point a way, and the
/// front of those that no other way beats in both.
LabelledChart share_picture(const std::vector<WayOutcome>& outcomes);

/// The points that no other has both an x as large and a y as small as, in the order of x.
std::vector<std::pair<double, double>> front_of(const std::vector<LabelledChart::Point>& points);

}  // namespace gputlm
