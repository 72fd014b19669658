#include "models/noc/flit_arbiter.h"
#include "models/bit_words.h"

namespace gputlm {
namespace {

class GuardedFlitArbiter final : public FlitArbiter {
 public:
  GuardedFlitArbiter(std::unique_ptr<FlitArbiter> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  unsigned next(const FlitHeads& heads) const override {
    const unsigned input = seam_.call("next()", [&] { return policy_->next(heads); });
    if (input < kMaxSwitchInputs && has_bit(heads.inputs, input)) return input;
    seam_.refuse("next()", "input " + std::to_string(input),
                 numbers_text(numbers_of(heads.inputs)) + ", which have a packet");
  }
  void served(unsigned input, const FlitHead& head) override {
    seam_.call("served()", [&] { policy_->served(input, head); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<FlitArbiter> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<FlitArbiter> FlitArbiter::guarded(std::unique_ptr<FlitArbiter> policy, const PolicySeam& seam) {
  return std::make_unique<GuardedFlitArbiter>(std::move(policy), seam);
}

ObjectDecision<FlitArbiter, FlitArbiterSetup>& flit_arbiters() {
  static ObjectDecision<FlitArbiter, FlitArbiterSetup> all("crossbar output", 12, "noc.arbiter");
  return all;
}

}  // namespace gputlm
