/// The designs of the program test_mutations, with planted faults and without.
#pragma once

#include <string>

#include "testbench/kind/kind.h"
#include "testbench/lockstep/lockstep.h"

namespace gputlm {

inline constexpr std::uint64_t kDecisions = 100000;

inline Design design_called(const std::string& name) {
  const BuiltInDesign& of = built_in_designs().at(name);
  return kinds().at(of.kind).make(of.built(), of.policy);
}

inline LockstepOptions decisions(std::uint64_t number) {
  LockstepOptions options;
  options.decisions = number;
  return options;
}

}  // namespace gputlm
