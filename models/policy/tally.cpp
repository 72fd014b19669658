#include "models/policy/tally.h"

#include <algorithm>

namespace gputlm {

PolicyCounts& PolicyTally::of(const DecisionInfo& decision, const std::string& policy) {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), decision.rank(),
                                      [](const Entry& entry, unsigned rank) { return entry.decision->rank() < rank; });
  if (place != entries_.end() && place->decision == &decision) return place->counts;
  return entries_.insert(place, {&decision, &decision.policy(policy), {}})->counts;
}

PolicyTally& PolicyTally::operator+=(const PolicyTally& other) {
  for (const Entry& entry : other.entries_) of(*entry.decision, entry.policy->name) += entry.counts;
  return *this;
}

std::vector<PolicyRecord> PolicyTally::records() const {
  std::vector<PolicyRecord> records;
  for (const Entry& entry : entries_) {
    PolicyRecord& record = records.emplace_back();
    record.parameter = entry.decision->parameter();
    record.policy = entry.policy->name;
    const std::vector<std::uint64_t>& values = entry.counts.values();
    for (std::size_t i = 0; i < entry.policy->counters.size(); ++i) {
      record.counters.push_back({entry.policy->counters[i].name, i < values.size() ? values[i] : 0});
    }
  }
  return records;
}

}  // namespace gputlm
