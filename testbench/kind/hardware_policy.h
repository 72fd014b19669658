/// A decision of the model taken by hardware. A kind of design declares it in testbench/kinds/KIND/in_hardware.h, in a struct
/// `K`:
///
///   using Ports                       ports of its designs (testbench/ports)
///   using Setup                       setup of a policy
///   decision()                        the decision whose policies they become
///   make(model, setup, info)          the policy `info` over a design of this size; throws InputError for what it cannot hold
///   wanted(setup)                     parameter values of a design that is large enough
///   of_rtl()                          the policies of modules of rtl/: of_rtl_module()
///   own()                             properties and options of any user's design
#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/policy/policy.h"
#include "testbench/ports/device.h"
#include "testbench/ports/rtl_parameters.h"

namespace gputlm {

/// Adds the policy. `model_for` supplies the design for a setup when a policy is made. If the design is too small, InputError
/// is thrown then, or when the limit is exceeded.
template <class K>
void add_hardware_policy(const PolicyInfo& info,
                         std::function<HardwareModel<typename K::Ports>(const typename K::Setup& setup)> model_for) {
  K::decision().add(info, [info, model_for = std::move(model_for)](const typename K::Setup& setup) {
    return K::make(model_for(setup), setup, info);
  });
}

/// The policy of a module of rtl/, POLICY_KIND, for K::of_rtl().
inline PolicyInfo of_rtl_module(const std::string& policy, unsigned rank, const std::string& kind, const char* source,
                                std::vector<Property> properties = {}) {
  return {{policy + "@rtl", rank},
          policy + ", decided by rtl/" + policy + "_" + kind + ".sv",
          source,
          std::move(properties)};
}

/// That policy with built-in modules: uses the smallest of `models`, sorted by size, that is large enough, or else the
/// largest. cmake/RtlPolicies.cmake generates the calls.
template <class K>
void add_built_in(const std::string& policy, std::vector<HardwareModel<typename K::Ports>> models) {
  const std::vector<PolicyInfo> all = K::of_rtl();
  const auto info =
      std::find_if(all.begin(), all.end(), [&](const PolicyInfo& one) { return one.name == policy + "@rtl"; });
  if (info == all.end()) throw std::logic_error("built-in design without a description: " + policy + "@rtl");
  add_hardware_policy<K>(*info, [models = std::move(models)](const typename K::Setup& setup) {
    const RtlParameters wanted = K::wanted(setup);
    const auto holds = [&](const HardwareModel<typename K::Ports>& model) {
      const RtlParameters size = model.size.values();
      return std::all_of(wanted.begin(), wanted.end(),
                         [&](const auto& one) { return one.second <= size.at(one.first); });
    };
    const auto model = std::find_if(models.begin(), models.end(), holds);
    return model == models.end() ? models.back() : *model;
  });
}

}  // namespace gputlm
