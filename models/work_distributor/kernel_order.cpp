#include "models/work_distributor/kernel_order.h"

#include <array>

#include "tlm/error.h"

namespace gputlm {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<KernelOrder> (*make)();
};
constexpr std::array<Entry, 1> kPolicies{{
    {"leftover", make_leftover},
}};

}  // namespace

std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name) {
  for (const Entry& entry : kPolicies) {
    if (name == entry.name) return entry.make();
  }
  throw InputError("there is no kernel order '" + name + "'");
}

std::vector<std::string> kernel_order_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kPolicies) names.emplace_back(entry.name);
  return names;
}

}  // namespace gputlm
