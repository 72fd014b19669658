#include "platform/bounds/supply.h"

#include <algorithm>
#include <numeric>

namespace gputlm {

Cycle Supply::end_of(Cycle demand) const {
  if (gaps.empty() || demand == 0) return demand;
  if (slice == kNever) return late + *std::max_element(gaps.begin(), gaps.end()) + demand;
  const Cycle slots = (demand - 1) / slice + 1;
  const Cycle rounds = slots / gaps.size();
  Cycle most = 0;  // of the gaps before the slots that are no whole round, from any of them on
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
    // Work that comes while another context leaves has been passed over already: all others have a slot before it.
    for (const RunlistEntry& other : entries)
      supplies[a].late = std::max(supplies[a].late, other.leaves - std::min(other.leaves, entries[a].leaves));
    for (std::size_t slot = 0; slot < round.size(); ++slot) {
      if (round[slot] != a) continue;
      Cycle gap = 0;
      for (std::size_t before = slot + round.size() - 1; round[before % round.size()] != a; --before) {
        const RunlistEntry& other = entries[round[before % round.size()]];
        gap += other.comes + other.slice + other.leaves;
      }
      // Its own blocks leave before the first of the others comes, and come back.
      supplies[a].gaps.push_back(gap > 0 ? gap + entries[a].leaves + entries[a].comes : 0);
    }
  }
  return supplies;
}

}  // namespace gputlm
