#include "models/work_distributor/application.h"

#include <algorithm>

namespace gputlm {

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
