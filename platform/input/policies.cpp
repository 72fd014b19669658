#include "platform/input/policies.h"

#include "models/dram/page_policy.h"
#include "models/dram/scheduler.h"
#include "models/sm/warp_scheduler.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/placement.h"

namespace gputlm {

namespace {

template <class Table>
void append(std::vector<PolicyInfo>& all, const char* decision, const Table& table) {
  for (const auto& policy : table) all.push_back({decision, policy.name, policy.description, policy.source});
}

}  // namespace

const std::vector<PolicyInfo>& policies() {
  static const std::vector<PolicyInfo> all = [] {
    std::vector<PolicyInfo> list;
    append(list, "kernel order", kernel_orders());
    append(list, "placement", placements());
    append(list, "sm order", sm_orders());
    append(list, "warp order", warp_schedulers());
    append(list, "memory request", request_schedulers());
    append(list, "page", page_policies());
    return list;
  }();
  return all;
}

std::vector<std::string> policy_names(std::string_view decision) {
  std::vector<std::string> names;
  for (const PolicyInfo& policy : policies()) {
    if (policy.decision == decision) names.push_back(policy.name);
  }
  return names;
}

}  // namespace gputlm
