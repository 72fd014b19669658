#include "platform/bounds/arrival_curve.h"

#include <algorithm>
#include <cassert>

namespace gputlm {

ArrivalCurve ArrivalCurve::periodic(Cycle period) {
  assert(period > 0);
  ArrivalCurve curve;
  curve.least_ = {0, period};
  return curve;
}

ArrivalCurve ArrivalCurve::of(const std::vector<Cycle>& releases, bool goes_on) {
  assert(!releases.empty());
  ArrivalCurve curve;
  for (std::size_t n = 1; n <= std::min(releases.size(), kMostKept); ++n) {
    Cycle least = kNever;
    for (std::size_t last = n - 1; last < releases.size(); ++last)
      least = std::min(least, releases[last] - releases[last + 1 - n]);
    curve.least_.push_back(least);
  }
  if (!goes_on || curve.least_.back() == 0) curve.all_ = releases.size();
  return curve;
}

ArrivalCurve ArrivalCurve::in_cycles(const Clock& clock) const {
  ArrivalCurve curve = *this;
  for (Cycle& least : curve.least_) least = clock.at_or_before(least);
  if (!ends() && curve.least_.back() == 0) curve.least_.back() = 1;  // a clock slower than the releases
  return curve;
}

void ArrivalCurve::add(const ArrivalCurve& other) {
  std::vector<Cycle> least;
  for (std::size_t n = 1; n <= std::max(least_.size(), other.least_.size()); ++n)
    least.push_back(std::min(distance(n), other.distance(n)));
  least_ = std::move(least);
  all_ = std::max(all_, other.all_);
}

Cycle ArrivalCurve::distance(std::uint64_t n) const {
  if (n > all_) return kNever;
  if (n <= least_.size()) return least_[n - 1];
  const std::uint64_t step = least_.size() - 1;
  return (n - 1) / step * least_.back() + least_[(n - 1) % step];
}

std::uint64_t ArrivalCurve::most(Cycle window) const {
  if (window == 0) return 0;
  std::uint64_t whole = 0;
  const Cycle span = least_.back();
  if (least_.size() > 1 && span > 0 && window > span) whole = (window - 1) / span;
  // distance() of whole * step + r releases is whole * span and that of r: which is the largest below the window?
  const Cycle rest = window - whole * span;
  const auto kept = static_cast<std::uint64_t>(std::lower_bound(least_.begin(), least_.end(), rest) - least_.begin());
  if (least_.size() == 1 || span == 0) return std::min<std::uint64_t>(kept, all_);
  const std::uint64_t step = least_.size() - 1;
  return std::min(whole * step + std::min(kept, step), all_);
}

double ArrivalCurve::rate() const {
  if (ends()) return 0;
  return static_cast<double>(least_.size() - 1) / static_cast<double>(least_.back());
}

}  // namespace gputlm
