#include "models/work_distributor/placement.h"

#include <algorithm>
#include <numeric>

namespace gputlm {
namespace {

class GuardedPlacement final : public Placement {
 public:
  GuardedPlacement(std::unique_ptr<Placement> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  std::optional<SmId> choose(const BlockDemand& demand, const std::vector<Resources>& free,
                             const SmSet& allowed) const override {
    const std::optional<SmId> sm = seam_.call("choose()", [&] { return policy_->choose(demand, free, allowed); });
    const auto is_candidate = [&](unsigned one) { return allowed[one] && fits(demand, free[one]); };
    if (!sm || (*sm < free.size() && is_candidate(*sm))) return sm;
    std::vector<unsigned> candidates;
    for (unsigned one = 0; one < free.size(); ++one) {
      if (is_candidate(one)) candidates.push_back(one);
    }
    seam_.refuse("choose()", "SM " + std::to_string(*sm),
                 "SMs " + numbers_text(candidates) + ", which have room, or no SM");
  }
  void placed(SmId sm) override {
    seam_.call("placed()", [&] { policy_->placed(sm); });
  }
  void idle() override {
    seam_.call("idle()", [&] { policy_->idle(); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<Placement> policy_;
  PolicySeam seam_;
};

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

std::unique_ptr<Placement> Placement::guarded(std::unique_ptr<Placement> policy, const PolicySeam& seam) {
  return std::make_unique<GuardedPlacement>(std::move(policy), seam);
}

Decision<std::vector<SmId> (*)(unsigned)>& sm_orders() {
  static Decision<std::vector<SmId> (*)(unsigned)> all("sm order", 3, "work_distributor.sm_order");
  return all;
}

std::vector<SmId> sm_order(const std::string& name, unsigned sms) {
  std::vector<SmId> order = sm_orders().at(name).make(sms);
  for (unsigned sm = 0; sm < sms; ++sm) {
    const auto times = std::count(order.begin(), order.end(), sm);
    if (times != 1) {
      throw InputError(sm_orders().parameter() + '=' + name + ": SM " + std::to_string(sm) + " comes " +
                       std::to_string(times) + " times, allowed: once");
    }
  }
  return order;
}

ObjectDecision<Placement, PlacementSetup>& placements() {
  static ObjectDecision<Placement, PlacementSetup> all("placement", 2, "work_distributor.placement");
  return all;
}

std::unique_ptr<Placement> make_placement(const std::string& name, const PlacementSetup& setup) {
  return placements().at(name).make(setup);
}

}  // namespace gputlm
