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

GPUTLM_REGISTER {
  sm_orders().add({{"ascending", 1}, "SM 0, 1, 2, ...", "most-room, section 4.3 (Pascal)"}, ascending);
  sm_orders().add({{"evens_then_odds", 2},
                   "SM 0, 2, 4, ..., then 1, 3, 5, ...",
                   "most-room, section 4.3 (Turing); cuda-hierarchy, section III (Volta)"},
                  evens_then_odds);
}

}  // namespace

Decision<std::vector<SmId> (*)(unsigned)>& sm_orders() {
  static Decision<std::vector<SmId> (*)(unsigned)> all("sm order", 3, "work_distributor.sm_order");
  return all;
}

std::vector<SmId> sm_order(const std::string& name, unsigned sms) { return sm_orders().at(name).make(sms); }

ObjectDecision<Placement, PlacementSetup>& placements() {
  static ObjectDecision<Placement, PlacementSetup> all("placement", 2, "work_distributor.placement");
  return all;
}

std::unique_ptr<Placement> make_placement(const std::string& name, const PlacementSetup& setup) {
  return placements().at(name).make(setup);
}

}  // namespace gputlm
