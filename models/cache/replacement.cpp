#include "models/cache/replacement.h"

namespace gputlm {
namespace {

class GuardedReplacement final : public Replacement {
 public:
  GuardedReplacement(std::unique_ptr<Replacement> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  void used(unsigned set, unsigned way) override {
    seam_.call("used()", [&] { policy_->used(set, way); });
  }
  void filled(unsigned set, unsigned way) override {
    seam_.call("filled()", [&] { policy_->filled(set, way); });
  }
  unsigned victim(unsigned set, const SetView& view) const override {
    const unsigned way = seam_.call("victim()", [&] { return policy_->victim(set, view); });
    if (way == kNoWay || (way < view.ways && view.may_go(way))) return way;
    std::vector<unsigned> candidates;
    for (unsigned one = 0; one < view.ways; ++one) {
      if (view.may_go(one)) candidates.push_back(one);
    }
    seam_.refuse("victim()", "way " + std::to_string(way),
                 numbers_text(candidates) + ", whose lines may go, or kNoWay");
  }
  void reset() override {
    seam_.call("reset()", [&] { policy_->reset(); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<Replacement> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<Replacement> Replacement::guarded(std::unique_ptr<Replacement> policy, const PolicySeam& seam) {
  return std::make_unique<GuardedReplacement>(std::move(policy), seam);
}

ReplacementDecision& l1_replacements() {
  static ReplacementDecision all("L1 replacement", 6, "sm.l1.replacement");
  return all;
}

ReplacementDecision& l2_replacements() {
  static ReplacementDecision all("L2 replacement", 7, "l2.replacement");
  return all;
}

std::unique_ptr<Replacement> make_replacement(const ReplacementDecision& decision, const std::string& name,
                                              const ReplacementSetup& setup) {
  return decision.at(name).make(setup);
}

GPUTLM_REGISTER {
  for (ReplacementDecision* const decision : {&l1_replacements(), &l2_replacements()}) {
    decision->add(PolicyInfo{{"lru", 1}, "The least recently used line", "GPGPU-Sim and Accel-Sim, all caches"},
                  [](const ReplacementSetup&) { return nullptr; });
  }
}

}  // namespace gputlm
