/// Where names go beside the points of a chart, so that none covers another.
#pragma once

#include <vector>

namespace gputlm {

class NamesBesidePoints {
 public:
  enum class Side { kRight, kLeft, kAbove, kBelow };

  /// The first side of the point at which a name of this size covers none that was placed before; to the right where
  /// there is none. All in pixels, y downwards.
  Side place(double x, double y, double width, double height);

 private:
  struct Box {
    double left, right, top, bottom;
    bool meets(const Box& b) const { return left < b.right && b.left < right && top < b.bottom && b.top < bottom; }
  };
  std::vector<Box> boxes_;
};

}  // namespace gputlm
