#include "models/work_distributor/application.h"

#include <algorithm>

namespace gputlm {
namespace {

class GuardedApplication final : public ApplicationPolicy {
 public:
  GuardedApplication(std::unique_ptr<ApplicationPolicy> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  bool together() const override {
    return seam_.call("together()", [&] { return policy_->together(); });
  }
  bool preempts_instructions() const override {
    return seam_.call("preempts_instructions()", [&] { return policy_->preempts_instructions(); });
  }
  bool learns_switches() const override {
    return seam_.call("learns_switches()", [&] { return policy_->learns_switches(); });
  }
  Cycle switch_cycles() const override {
    return seam_.call("switch_cycles()", [&] { return policy_->switch_cycles(); });
  }
  bool waits_are_work() const override {
    return seam_.call("waits_are_work()", [&] { return policy_->waits_are_work(); });
  }
  ContextLimits limits(ApplicationId application) const override {
    return seam_.call("limits()", [&] { return policy_->limits(application); });
  }
  Turn next(const std::vector<Channel>& channels) override {
    const Turn turn = seam_.call("next()", [&] { return policy_->next(channels); });
    if (turn.application >= channels.size() || !channels[turn.application].has_work) {
      std::vector<unsigned> candidates;
      for (unsigned a = 0; a < channels.size(); ++a) {
        if (channels[a].has_work) candidates.push_back(a);
      }
      seam_.refuse("next()", "application " + std::to_string(turn.application),
                   numbers_text(candidates) + ", which have work");
    }
    if (turn.length == 0) seam_.refuse("next()", "a turn of 0 cycles", "1 cycle or more");
    return turn;
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<ApplicationPolicy> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<ApplicationPolicy> ApplicationPolicy::guarded(std::unique_ptr<ApplicationPolicy> policy,
                                                              const PolicySeam& seam) {
  return std::make_unique<GuardedApplication>(std::move(policy), seam);
}

ObjectDecision<ApplicationPolicy, ApplicationSetup>& application_policies() {
  static ObjectDecision<ApplicationPolicy, ApplicationSetup> all("application", 0, "work_distributor.application");
  return all;
}

std::unique_ptr<ApplicationPolicy> make_application_policy(const std::string& name, const ApplicationSetup& setup) {
  return application_policies().at(name).make(setup);
}

TurnTaking turn_taking(const std::string& name, const PolicyOptions& options) {
  ApplicationSetup setup;
  setup.options = options;
  const auto policy = make_application_policy(name, setup);
  return {!policy->together(), policy->waits_are_work()};
}

std::size_t context_count(const std::string& name, std::size_t applications) {
  return application_policies().at(name).has(Property::kOneContext) ? 1 : std::max<std::size_t>(1, applications);
}

}  // namespace gputlm
