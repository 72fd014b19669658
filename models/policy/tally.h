/// The counters of a run's policies: each unit adds the counters of its own decisions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/policy/policy.h"

namespace gputlm {

struct PolicyCount {
  std::string name;
  std::uint64_t value = 0;
};

/// A policy used in a run, and the summed counters of its objects.
struct PolicyRecord {
  std::string parameter;  ///< parameter that chose it: "sm.warp_scheduler"
  std::string policy;
  std::vector<PolicyCount> counters;  ///< counters that the policy describes
};

class PolicyTally {
 public:
  /// The counters to which the objects of a decision's policy add (PolicyObject::count()).
  PolicyCounts& of(const DecisionInfo& decision, const std::string& policy);

  /// Sums over units.
  PolicyTally& operator+=(const PolicyTally& other);

  /// The records, in the order of decisions().
  std::vector<PolicyRecord> records() const;

 private:
  struct Entry {
    const DecisionInfo* decision;
    const PolicyInfo* policy;
    PolicyCounts counts;
  };
  std::vector<Entry> entries_;
};

}  // namespace gputlm
