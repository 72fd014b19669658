#include "models/work_distributor/placement.h"

#include <array>

#include "tlm/error.h"

namespace gputlm {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Placement> (*make)(std::vector<SmId>);
};
constexpr std::array<Entry, 2> kPolicies{{
    {"most_room", make_most_room},
    {"round_robin", make_round_robin},
}};

}  // namespace

std::vector<SmId> sm_order(const std::string& name, unsigned sms) {
  std::vector<SmId> order;
  if (name == "ascending") {
    for (unsigned sm = 0; sm < sms; ++sm) order.push_back(static_cast<SmId>(sm));
  } else if (name == "evens_then_odds") {
    for (unsigned parity : {0u, 1u}) {
      for (unsigned sm = parity; sm < sms; sm += 2) order.push_back(static_cast<SmId>(sm));
    }
  } else {
    throw InputError("there is no SM order '" + name + "'; there are ascending and evens_then_odds");
  }
  return order;
}

std::unique_ptr<Placement> make_placement(const std::string& name, std::vector<SmId> order) {
  for (const Entry& entry : kPolicies) {
    if (name == entry.name) return entry.make(std::move(order));
  }
  throw InputError("there is no placement '" + name + "'");
}

std::vector<std::string> placement_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kPolicies) names.emplace_back(entry.name);
  return names;
}

}  // namespace gputlm
