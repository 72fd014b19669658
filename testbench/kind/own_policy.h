/// A user's design as a policy, MODULE@rtl.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "testbench/design/build.h"
#include "testbench/design/design.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kind/kind.h"

namespace gputlm {

/// Build options of a design of the kind that decides in the platform.
RtlLibrary policy_library(const Kind& kind);

/// Models of a design, by the values of its parameters: all controllers, or sub-cores, of a GPU share one.
template <class Ports>
class OwnModels {
 public:
  OwnModels(std::string kind, RtlDesign design, const RtlDesign::Interface& interface)
      : kind_(std::move(kind)), design_(std::move(design)),
        names_(interface.parameters.begin(), interface.parameters.end()) {}

  /// Sets those of `values` that are parameters of the module. Throws InputError as build_rtl() does.
  const HardwareModel<Ports>& with(const RtlParameters& values) {
    RtlParameters own;
    for (const auto& value : values) {
      if (names_.count(value.first) > 0) own.insert(value);
    }
    const auto known = models_.find(own);
    return known != models_.end() ? known->second : models_.emplace(own, model(own)).first->second;
  }

 private:
  HardwareModel<Ports> model(const RtlParameters& parameters) const {
    const Kind& kind = kinds().at(kind_);
    const RtlDesign::Interface interface = design_.interface(parameters);
    RtlParameters bits;
    for (const auto& [name, port] : interface.ports) bits[name] = port.bits;
    RtlParameters size = kind.size_of(bits);
    for (const auto& [name, value] : parameters) size[name] = value;
    const auto make =
        reinterpret_cast<Device<Ports>* (*)()>(build_rtl(design_, interface, parameters, policy_library(kind)));
    return {Ports::Size::of(size), [make] { return std::unique_ptr<Device<Ports>>(make()); }};
  }

  std::string kind_;
  RtlDesign design_;
  std::set<std::string> names_;
  std::map<RtlParameters, HardwareModel<Ports>> models_;
};

/// For Kind::add.
template <class B>
void add_own_policy(const RtlDesign& design, const RtlDesign::Interface& interface) {
  using Hardware = typename B::Hardware;
  PolicyInfo info = Hardware::own();
  info.name = design.top() + "@rtl";
  info.description = "Decided by " + design.path();
  info.source = design.path();
  const auto models = std::make_shared<OwnModels<typename Hardware::Ports>>(B::Records::kKind, design, interface);
  add_hardware_policy<Hardware>(
      info, [models](const typename Hardware::Setup& setup) { return models->with(Hardware::wanted(setup)); });
}

}  // namespace gputlm
