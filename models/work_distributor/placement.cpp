#include "models/work_distributor/placement.h"

#include <numeric>

namespace gputlm {
namespace {

std::vector<SmId> ascending(unsigned sms) {
  std::vector<SmId> order(sms);
  std::iota(order.begin(), order.end(), SmId{0});
  return order;
}

std::vector<SmId> evens_then_odds(unsigned sms) {
  std::vector<SmId> order;
  order.reserve(sms);
  for (unsigned parity : {0u, 1u}) {
    for (unsigned sm = parity; sm < sms; sm += 2) order.push_back(static_cast<SmId>(sm));
  }
  return order;
}

}  // namespace

const std::vector<Policy<std::vector<SmId> (*)(unsigned)>>& sm_orders() {
  static const std::vector<Policy<std::vector<SmId> (*)(unsigned)>> kTable{
      {"ascending", "SM 0, 1, 2, ...", "most-room, section 4.3 (Pascal)", ascending},
      {"evens_then_odds", "SM 0, 2, 4, ..., then 1, 3, 5, ...",
       "most-room, section 4.3 (Turing); cuda-hierarchy, section III (Volta)", evens_then_odds},
  };
  return kTable;
}

std::vector<SmId> sm_order(const std::string& name, unsigned sms) {
  return find_policy(sm_orders(), "work_distributor.sm_order", name).make(sms);
}

const std::vector<Policy<std::unique_ptr<Placement> (*)(std::vector<SmId>)>>& placements() {
  static const std::vector<Policy<std::unique_ptr<Placement> (*)(std::vector<SmId>)>> kTable{
      {"round_robin", "The next SM in turn that has room", "GPGPU-Sim", make_round_robin},
      {"most_room", "The SM that can hold the most further blocks of this kernel",
       "most-room, sections 1 and 4; cuda-hierarchy, Equations 2 to 4", make_most_room},
  };
  return kTable;
}

std::unique_ptr<Placement> make_placement(const std::string& name, std::vector<SmId> order) {
  return find_policy(placements(), "work_distributor.placement", name).make(std::move(order));
}

}  // namespace gputlm
