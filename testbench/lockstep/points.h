/// Functional coverage: named situations, and how often a run reached each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gputlm {

class CoveragePoints {
 public:
  struct Point {
    std::string name;
    std::uint64_t hits = 0;
  };
  using Id = std::size_t;

  /// `possible`: whether the design can reach it; if not, the point is not added, and hits of it have no effect.
  Id add(bool possible, const std::string& name);
  /// Adds "what 0", "what 1" and so on.
  std::vector<Id> add_each(bool possible, const std::string& what, unsigned count);
  void hit(Id id, bool happened = true) {
    if (happened && id != kNone) ++points_[id].hits;
  }

  /// Adds the hits of another run with the same points; an empty object takes over the points.
  CoveragePoints& operator+=(const CoveragePoints& other);

  const std::vector<Point>& all() const { return points_; }
  std::size_t reached() const;
  std::vector<std::string> missing() const;

 private:
  static constexpr Id kNone = ~Id{0};  ///< a point that the design does not have

  std::vector<Point> points_;
};

}  // namespace gputlm
