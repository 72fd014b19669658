/// A decision of the model that hardware takes. A kind of design says in testbench/kinds/KIND/in_hardware.h how, in a struct `K`:
///
///   using Ports                       of its designs (testbench/ports)
///   using Setup                       what a policy is made for
///   decision()                        whose policies they become
///   make(model, setup, info)          the policy `info` over a design of this size; throws InputError for what it cannot hold
///   wanted(setup)                     values of parameters of a design that is to hold it
///   of_rtl()                          the policies that modules of rtl/ take: of_rtl_module()
///   own()                             what holds of any design of a user's own: its properties and options
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

/// Adds the policy. `model_for` gives the design for a setup; it is asked when a policy is made. What the design cannot hold is
/// an InputError then, or when it comes.
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

/// That policy as a module that is built in decides it: by the smallest of `models`, smallest first, that holds what is wanted, else by the
/// largest. cmake/RtlPolicies.cmake makes the calls.
template <class K>
void add_built_in(const std::string& policy, std::vector<HardwareModel<typename K::Ports>> models) {
  const std::vector<PolicyInfo> all = K::of_rtl();
  const auto info =
      std::find_if(all.begin(), all.end(), [&](const PolicyInfo& one) { return one.name == policy + "@rtl"; });
  if (info == all.end()) throw std::logic_error("built in, and not said what it is: " + policy + "@rtl");
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
