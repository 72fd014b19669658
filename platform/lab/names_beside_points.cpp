#include "platform/lab/names_beside_points.h"

#include <algorithm>
#include <cmath>

namespace gputlm {
namespace {

constexpr double kMark = 5;      // half of a point's mark
constexpr double kGap = 7;       // from the middle of a point to its name
constexpr double kFarther = 12;  // step of the distance
constexpr double kFarthest = 10 * kFarther;

using Point = NamesBesidePoints::Point;
using Anchor = NamesBesidePoints::Anchor;

/// What the line to a name may cross: nothing, or names, if there is no other way out of a crowd.
enum class Lines { kMeetNothing, kMeetNames };

struct Direction {
  double x, y;
};
constexpr Direction kSides[] = {{1, 0},    {-1, 0},  {0, -1},    {0, 1},    {1, -1},   {1, 1},   {-1, -1},   {-1, 1},
                                {1, -0.5}, {1, 0.5}, {-1, -0.5}, {-1, 0.5}, {0.5, -1}, {0.5, 1}, {-0.5, -1}, {-0.5, 1}};
constexpr std::size_t kBeside = 4;  // number of these that need no line

Anchor anchor_of(const Direction& side) {
  return side.x > 0 ? Anchor::kLeft : side.x < 0 ? Anchor::kRight : Anchor::kMiddle;
}

}  // namespace

NamesBesidePoints::NamesBesidePoints(const std::vector<Point>& points, double width, double height)
    : width_(width), height_(height) {
  for (const Point& p : points) marks_.push_back({p.x - kMark, p.x + kMark, p.y - kMark, p.y + kMark});
}

bool NamesBesidePoints::is_free(const Box& box) const {
  const auto meets = [&](const Box& other) { return box.meets(other); };
  return std::none_of(marks_.begin(), marks_.end(), meets) && std::none_of(taken_.begin(), taken_.end(), meets);
}

/// A line as small boxes, without the part under the mark at its beginning.
std::vector<NamesBesidePoints::Box> NamesBesidePoints::along(Point from, Point to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  std::vector<Box> boxes;
  for (double done = 2 * kMark; done < length; done += 2) {
    const double x = from.x + (to.x - from.x) * done / length, y = from.y + (to.y - from.y) * done / length;
    boxes.push_back({x - 1, x + 1, y - 1, y + 1});
  }
  return boxes;
}

void NamesBesidePoints::keep_clear(Point from, Point to) {
  const std::vector<Box> line = along(from, to);
  taken_.insert(taken_.end(), line.begin(), line.end());
}

NamesBesidePoints::Place NamesBesidePoints::place(Point of, double width, double height) {
  for (const Lines lines : {Lines::kMeetNothing, Lines::kMeetNames}) {
    for (double away = kGap; away <= kFarthest; away += kFarther) {
      const bool apart = away > kGap;
      for (std::size_t s = 0; s < (apart ? std::size(kSides) : kBeside); ++s) {
        const Direction& side = kSides[s];
        const Anchor anchor = anchor_of(side);
        // A name above or below a point is shifted by half its own height.
        const Point at{of.x + side.x * away, of.y + side.y * (away + (side.x == 0 ? height / 2 : 0))};
        const double left = at.x - (anchor == Anchor::kLeft ? 0 : anchor == Anchor::kRight ? width : width / 2);
        const Box box{left, left + width, at.y - height / 2, at.y + height / 2};
        if (box.left < 0 || box.right > width_ || box.top < 0 || box.bottom > height_ || !is_free(box)) continue;
        const std::vector<Box> line = apart ? along(of, at) : std::vector<Box>();
        if (lines == Lines::kMeetNothing &&
            !std::all_of(line.begin(), line.end(), [&](const Box& part) { return is_free(part); }))
          continue;
        taken_.push_back(box);
        taken_.insert(taken_.end(), line.begin(), line.end());
        return {at, anchor, apart};
      }
    }
  }
  return {{of.x + kGap, of.y}, Anchor::kLeft, false};
}

}  // namespace gputlm
