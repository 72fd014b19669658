/// Sets of cycles, as sorted intervals that do not touch.
#pragma once

#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

struct CycleInterval {
  Cycle from = 0, until = 0;
};

class CycleSet {
 public:
  CycleSet() = default;
  /// The union of intervals in any order; empty ones are ignored.
  explicit CycleSet(std::vector<CycleInterval> intervals);

  Cycle size() const;
  CycleSet operator&(const CycleSet& other) const;
  CycleSet operator|(const CycleSet& other) const;
  CycleSet operator-(const CycleSet& other) const;
  /// The part from `from` up to but not including `until`.
  CycleSet within(Cycle from, Cycle until) const;
  const std::vector<CycleInterval>& intervals() const { return intervals_; }

 private:
  std::vector<CycleInterval> intervals_;
};

}  // namespace gputlm
