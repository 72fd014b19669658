/// Places names beside the points of a chart so that none covers another, or a point.
#pragma once

#include <vector>

namespace gputlm {

class NamesBesidePoints {
 public:
  struct Point {
    double x, y;
  };
  /// The point of a name that is at its place; vertically the middle.
  enum class Anchor { kLeft, kMiddle, kRight };
  struct Place {
    Point at;
    Anchor anchor;
    bool apart;  ///< so far from its point that a line must lead there
  };

  /// All points of the chart, and the area for names, starting at 0, 0. In pixels, y downwards.
  NamesBesidePoints(const std::vector<Point>& points, double width, double height);

  /// Keeps this line free of names.
  void keep_clear(Point from, Point to);

  /// Places a name of this size beside its point, or else at increasing distances. Returns the first place at which neither
  /// the name nor the line to it touches a point, a name or a line placed before; if there is none, the first at which the
  /// name does not.
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
