#include "platform/lab/names_beside_points.h"

#include <algorithm>
#include <utility>

namespace gputlm {

NamesBesidePoints::Side NamesBesidePoints::place(double x, double y, double width, double height) {
  constexpr double kGap = 7;  // from the middle of the point
  const double half = height / 2;
  const std::pair<Side, Box> sides[] = {{Side::kRight, {x + kGap, x + kGap + width, y - half, y + half}},
                                        {Side::kLeft, {x - kGap - width, x - kGap, y - half, y + half}},
                                        {Side::kAbove, {x - width / 2, x + width / 2, y - kGap - height, y - kGap}},
                                        {Side::kBelow, {x - width / 2, x + width / 2, y + kGap, y + kGap + height}}};
  for (const auto& [side, box] : sides) {
    const Box& here = box;
    if (std::any_of(boxes_.begin(), boxes_.end(), [&](const Box& other) { return here.meets(other); })) continue;
    boxes_.push_back(here);
    return side;
  }
  return Side::kRight;
}

}  // namespace gputlm
