/// The designs with planted faults, and those without, of the program test_mutations.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "testbench/lockstep/kind.h"
#include "testbench/lockstep/lockstep.h"

namespace gputlm {

inline constexpr std::uint64_t kDecisions = 100000;

/// `Kind`: ArbiterDesign or SorterDesign. Throws std::bad_cast if it is of another kind.
template <class Kind = Design>
const Kind& design_called(const std::string& name) {
  static std::map<std::string, std::shared_ptr<const Design>> made;
  const BuiltInDesign& of = built_in_designs().at(name);
  return dynamic_cast<const Kind&>(
      *made.try_emplace(name, design_kinds().at(of.kind).make(of.built(), of.policy)).first->second);
}

inline LockstepOptions decisions(std::uint64_t number) {
  LockstepOptions options;
  options.decisions = number;
  return options;
}

}  // namespace gputlm
