/// Functional coverage: named situations, and how often a run has met each.
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

  /// `possible`: the design can reach it; otherwise there is no such point, and hits of it are of no effect.
  Id add(bool possible, const std::string& name);
  /// "what 0", "what 1" and so on.
  std::vector<Id> add_each(bool possible, const std::string& what, unsigned count);
  void hit(Id id, bool happened = true) {
    if (happened && id != kNone) ++points_[id].hits;
  }

  /// Adds the hits of another run of the same points; of none, takes the points.
  CoveragePoints& operator+=(const CoveragePoints& other);

  const std::vector<Point>& all() const { return points_; }
  std::size_t reached() const;
  std::vector<std::string> missing() const;

 private:
  static constexpr Id kNone = ~Id{0};  ///< a point that the design does not have

  std::vector<Point> points_;
};

}  // namespace gputlm
