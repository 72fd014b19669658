/// How policies are registered: one table a decision, one line a policy. The command line lists the tables and takes
/// its choices from them.
#pragma once

#include <string>
#include <vector>

#include "tlm/error.h"

namespace gputlm {

/// A policy: its name in configurations, what it does in a line, where it comes from, and how to make one.
template <class Make>
struct Policy {
  const char* name;
  const char* description;
  const char* source;
  Make make;
};

/// The row of the table called `name`. Throws InputError that names `parameter`, and the rows there are, for another.
template <class Make>
const Policy<Make>& find_policy(const std::vector<Policy<Make>>& table, const char* parameter,
                                const std::string& name) {
  std::string allowed;
  for (const Policy<Make>& policy : table) {
    if (policy.name == name) return policy;
    allowed += (allowed.empty() ? "" : ", ") + std::string(policy.name);
  }
  throw InputError(std::string(parameter) + ": found '" + name + "', allowed are " + allowed);
}

}  // namespace gputlm
