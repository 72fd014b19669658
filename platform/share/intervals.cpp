#include "platform/share/intervals.h"

#include <algorithm>

namespace gputlm {

CycleSet::CycleSet(std::vector<CycleInterval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const CycleInterval& a, const CycleInterval& b) { return a.from < b.from; });
  for (const CycleInterval& next : intervals) {
    if (next.from >= next.until) continue;
    if (!intervals_.empty() && next.from <= intervals_.back().until) {
      intervals_.back().until = std::max(intervals_.back().until, next.until);
    } else {
      intervals_.push_back(next);
    }
  }
}

Cycle CycleSet::size() const {
  Cycle sum = 0;
  for (const CycleInterval& i : intervals_) sum += i.until - i.from;
  return sum;
}

CycleSet CycleSet::operator&(const CycleSet& other) const {
  CycleSet both;
  auto b = other.intervals_.begin();
  for (const CycleInterval& a : intervals_) {
    while (b != other.intervals_.end() && b->until <= a.from) ++b;
    for (auto at = b; at != other.intervals_.end() && at->from < a.until; ++at)
      both.intervals_.push_back({std::max(a.from, at->from), std::min(a.until, at->until)});
  }
  return both;
}

CycleSet CycleSet::operator|(const CycleSet& other) const {
  std::vector<CycleInterval> all = intervals_;
  all.insert(all.end(), other.intervals_.begin(), other.intervals_.end());
  return CycleSet(std::move(all));
}

CycleSet CycleSet::operator-(const CycleSet& other) const {
  CycleSet rest;
  auto b = other.intervals_.begin();
  for (const CycleInterval& a : intervals_) {
    while (b != other.intervals_.end() && b->until <= a.from) ++b;
    Cycle from = a.from;
    for (auto at = b; at != other.intervals_.end() && at->from < a.until; ++at) {
      if (at->from > from) rest.intervals_.push_back({from, at->from});
      from = std::max(from, at->until);
    }
    if (from < a.until) rest.intervals_.push_back({from, a.until});
  }
  return rest;
}

CycleSet CycleSet::within(Cycle from, Cycle until) const {
  CycleSet part;
  auto at = std::lower_bound(intervals_.begin(), intervals_.end(), from,
                             [](const CycleInterval& i, Cycle cycle) { return i.until <= cycle; });
  for (; at != intervals_.end() && at->from < until; ++at)
    part.intervals_.push_back({std::max(at->from, from), std::min(at->until, until)});
  return part;
}

}  // namespace gputlm
