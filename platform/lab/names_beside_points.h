/// Where names go beside the points of a chart, so that none covers another, or a point.
#pragma once

#include <vector>

namespace gputlm {

class NamesBesidePoints {
 public:
  struct Point {
    double x, y;
  };
  /// Which point of a name is at its place, in the middle of its height.
  enum class Anchor { kLeft, kMiddle, kRight };
  struct Place {
    Point at;
    Anchor anchor;
    bool apart;  ///< so far from its point that a line has to lead there
  };

  /// All points of the chart, and the room for names: from 0, 0. All in pixels, y downwards.
  NamesBesidePoints(const std::vector<Point>& points, double width, double height);

  /// No name covers this line.
  void keep_clear(Point from, Point to);

  /// Of a name of this size: on a side of its point, else farther and farther away. The first place at which neither the
  /// name nor the line to it meets a point, a name or a line that was placed before; where there is none, at which the name
  /// does not.
  Place place(Point of, double width, double height);

 private:
  struct Box {
    double left, right, top, bottom;
    bool meets(const Box& b) const { return left < b.right && b.left < right && top < b.bottom && b.top < bottom; }
  };
  bool is_free(const Box& box) const;
  static std::vector<Box> along(Point from, Point to);

  double width_, height_;
  std::vector<Box> marks_, taken_;
};

}  // namespace gputlm
