/// The policies a user can choose from, by decision: what `list policies` prints and what a configuration may name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

struct PolicyInfo {
  std::string decision;  ///< `kernel order`, `placement`, `sm order`, `warp order`, `memory request` or `page`
  std::string name;      ///< as written in a configuration
  std::string description;
  std::string source;
};

/// All policies, those of a decision together.
const std::vector<PolicyInfo>& policies();

/// Names of the policies for one decision, in their order; empty for an unknown decision.
std::vector<std::string> policy_names(std::string_view decision);

}  // namespace gputlm
