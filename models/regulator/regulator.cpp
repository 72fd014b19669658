#include "models/regulator/regulator.h"

namespace gputlm {
namespace {

class GuardedRegulator final : public BandwidthRegulator {
 public:
  GuardedRegulator(std::unique_ptr<BandwidthRegulator> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  bool fits(unsigned number, Bytes bytes) const override {
    return seam_.call("fits()", [&] { return policy_->fits(number, bytes); });
  }
  void passed(unsigned number, Bytes bytes) override {
    seam_.call("passed()", [&] { policy_->passed(number, bytes); });
  }
  void begin_period(std::uint64_t begins, std::uint64_t waiting) override {
    seam_.call("begin_period()", [&] { policy_->begin_period(begins, waiting); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<BandwidthRegulator> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<BandwidthRegulator> BandwidthRegulator::guarded(std::unique_ptr<BandwidthRegulator> policy,
                                                                const PolicySeam& seam) {
  return std::make_unique<GuardedRegulator>(std::move(policy), seam);
}

ObjectDecision<BandwidthRegulator, RegulatorSetup>& bandwidth_regulators() {
  static ObjectDecision<BandwidthRegulator, RegulatorSetup> all("bandwidth regulator", 20, "noc.regulator");
  return all;
}

Decision<RegulatorPlace>& regulator_places() {
  static Decision<RegulatorPlace> all("regulator place", 21, "noc.regulator_place");
  return all;
}

GPUTLM_REGISTER {
  const char* const source = "beyond the papers: docs/isolation.md";
  regulator_places().add({{"sm_port", 1},
                          "Where an SM's requests enter its GPC's port: each SM that the application may use has an "
                          "equal part of its budget",
                          source},
                         RegulatorPlace::kSmPort);
  regulator_places().add(
      {{"l2", 2}, "Where requests enter an L2 slice: each slice has an equal part of the budget", source},
      RegulatorPlace::kL2);
}

}  // namespace gputlm
