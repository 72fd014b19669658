/// Sets of cycles, as intervals in order that do not touch.
#pragma once

#include <vector>

#include "tlm/time.h"

namespace gputlm {

struct CycleInterval {
  Cycle from = 0, until = 0;
};

class CycleSet {
 public:
  CycleSet() = default;
  /// The union of intervals in any order; those without a cycle are left out.
  explicit CycleSet(std::vector<CycleInterval> intervals);

  Cycle size() const;
  CycleSet operator&(const CycleSet& other) const;
  CycleSet operator|(const CycleSet& other) const;
  CycleSet operator-(const CycleSet& other) const;
  /// What lies from `from` on and before `until`.
  CycleSet within(Cycle from, Cycle until) const;
  const std::vector<CycleInterval>& intervals() const { return intervals_; }

 private:
  std::vector<CycleInterval> intervals_;
};

}  // namespace gputlm
