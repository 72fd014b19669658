#include "platform/bounds/arrival_curve.h"

#include <algorithm>
#include <cassert>
#include <numeric>

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
  if (!ends() && curve.least_.back() == 0) curve.least_.back() = 1;  // the clock is slower than the releases
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
  // distance(whole * step + r) is whole * span + distance(r). Find the number of releases with the largest below the window.
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

Cycle Supply::end_of(Cycle demand) const {
  if (gaps.empty() || demand == 0) return demand;
  if (slice == kNever) return late + *std::max_element(gaps.begin(), gaps.end()) + demand;
  const Cycle slots = (demand - 1) / slice + 1;
  const Cycle rounds = slots / gaps.size();
  Cycle most = 0;  // longest sum of the gaps before the slots of an incomplete round, over all starts
  for (std::size_t first = 0; first < gaps.size(); ++first) {
    Cycle sum = 0;
    for (std::size_t i = 0; i < slots % gaps.size(); ++i) sum += gaps[(first + i) % gaps.size()];
    most = std::max(most, sum);
  }
  return late + rounds * std::accumulate(gaps.begin(), gaps.end(), Cycle{0}) + most + demand;
}

double Supply::share() const {
  if (gaps.empty() || slice == kNever) return 1;
  const double own = static_cast<double>(slice) * static_cast<double>(gaps.size());
  return own / (own + static_cast<double>(std::accumulate(gaps.begin(), gaps.end(), Cycle{0})));
}

std::vector<Supply> runlist_supplies(const std::vector<RunlistEntry>& entries) {
  std::vector<std::size_t> round;
  unsigned passes = 0;
  for (const RunlistEntry& entry : entries) passes = std::max(passes, entry.slots);
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (std::size_t a = 0; a < entries.size(); ++a) {
      if (pass < entries[a].slots) round.push_back(a);
    }
  }
  std::vector<Supply> supplies(entries.size());
  if (entries.size() < 2) return supplies;
  for (std::size_t a = 0; a < entries.size(); ++a) {
    supplies[a].slice = entries[a].slice;
    // Work that arrives while another context leaves has missed its slot: all other contexts have a slot first.
    for (const RunlistEntry& other : entries)
      supplies[a].late = std::max(supplies[a].late, other.leaves - std::min(other.leaves, entries[a].leaves));
    for (std::size_t slot = 0; slot < round.size(); ++slot) {
      if (round[slot] != a) continue;
      Cycle gap = 0;
      for (std::size_t before = slot + round.size() - 1; round[before % round.size()] != a; --before) {
        const RunlistEntry& other = entries[round[before % round.size()]];
        gap += other.comes + other.slice + other.leaves;
      }
      // The context's own blocks leave before the first other context comes, and are restored after the last.
      supplies[a].gaps.push_back(gap > 0 ? gap + entries[a].leaves + entries[a].comes : 0);
    }
  }
  return supplies;
}

}  // namespace gputlm
