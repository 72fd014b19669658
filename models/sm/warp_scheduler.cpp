#include "models/sm/warp_scheduler.h"

#include <array>

#include "tlm/error.h"

namespace gputlm {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<WarpScheduler> (*make)();
};
constexpr std::array<Entry, 2> kPolicies{{
    {"lrr", make_loose_round_robin},
    {"gto", make_greedy_then_oldest},
}};

}  // namespace

std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name) {
  for (const Entry& entry : kPolicies) {
    if (name == entry.name) return entry.make();
  }
  throw InputError("there is no warp scheduler '" + name + "'");
}

std::vector<std::string> warp_scheduler_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kPolicies) names.emplace_back(entry.name);
  return names;
}

}  // namespace gputlm
