#include "platform/policies.h"

namespace gputlm {

const std::vector<PolicyInfo>& policies() {
  static const std::vector<PolicyInfo> table = {
      {"kernel order", "leftover", "First launched first; the next when all blocks of the head are placed",
       "most-room, section 3; cuda-hierarchy, section III"},
      {"placement", "round_robin", "The next SM in turn that has room", "GPGPU-Sim"},
      {"placement", "most_room", "The SM that can hold the most further blocks of this kernel",
       "most-room, section 3; cuda-hierarchy, Equations 2 to 4"},
      {"sm order", "ascending", "SM 0, 1, 2, ...", "most-room, section 3 (Pascal)"},
      {"sm order", "evens_then_odds", "SM 0, 2, 4, ..., then 1, 3, 5, ...",
       "most-room, section 3 (Turing); cuda-hierarchy, section III (Volta)"},
      {"warp order", "lrr", "Loose round-robin: the ready warp after the last one that issued", "srtf, table 4; qaws"},
      {"warp order", "gto", "Greedy then oldest: the same warp until it stalls, then the oldest",
       "fr-rr-fcfs, table 1; qaws"},
      {"memory request", "fcfs", "The oldest request of the bank", "fr-rr-fcfs, section 2"},
      {"memory request", "fr_fcfs", "The oldest request that hits the open row, else the oldest",
       "fr-rr-fcfs, section 2"},
  };
  return table;
}

std::vector<std::string> policy_names(std::string_view decision) {
  std::vector<std::string> names;
  for (const PolicyInfo& policy : policies()) {
    if (policy.decision == decision) names.push_back(policy.name);
  }
  return names;
}

}  // namespace gputlm
