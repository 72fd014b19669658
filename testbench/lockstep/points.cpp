#include "testbench/lockstep/points.h"

namespace gputlm {

CoveragePoints::Id CoveragePoints::add(bool possible, const std::string& name) {
  if (!possible) return kNone;
  points_.push_back({name});
  return points_.size() - 1;
}

std::vector<CoveragePoints::Id> CoveragePoints::add_each(bool possible, const std::string& what, unsigned count) {
  std::vector<Id> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(add(possible, what + " " + std::to_string(i)));
  return all;
}

CoveragePoints& CoveragePoints::operator+=(const CoveragePoints& other) {
  if (points_.empty()) return *this = other;
  for (std::size_t i = 0; i < other.points_.size(); ++i) points_[i].hits += other.points_[i].hits;
  return *this;
}

std::size_t CoveragePoints::reached() const { return points_.size() - missing().size(); }

std::vector<std::string> CoveragePoints::missing() const {
  std::vector<std::string> names;
  for (const Point& point : points_) {
    if (point.hits == 0) names.push_back(point.name);
  }
  return names;
}

}  // namespace gputlm
