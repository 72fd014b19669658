/// The designs with planted faults, and those without, of the program test_mutations.
#pragma once

#include <algorithm>
#include <string>

#include "testbench/lockstep/lockstep.h"

namespace gputlm {

inline constexpr std::uint64_t kDecisions = 100000;

/// `Kind`: ArbiterDesign or SorterDesign. Throws std::bad_cast if it is of another kind.
template <class Kind = Design>
const Kind& design_called(const std::string& name) {
  return dynamic_cast<const Kind&>(
      **std::find_if(designs().begin(), designs().end(), [&](const auto& design) { return design->name() == name; }));
}

inline LockstepOptions decisions(std::uint64_t number) {
  LockstepOptions options;
  options.decisions = number;
  return options;
}

}  // namespace gputlm
