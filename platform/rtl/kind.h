/// Kinds of designs that a user may bring: which ports one has, and which decision of the GPU it takes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platform/rtl/build.h"
#include "platform/rtl/design.h"
#include "tlm/registry.h"

namespace gputlm {

struct RtlKind : Registered {
  std::string like;                          ///< whose ports it has: "rtl/fr_rr_fcfs_arbiter.sv"
  std::string ports;                         ///< as C++: "Arbiter" of RtlArbiter and VerilatedArbiter,
  std::string header;                        ///< which this header has
  std::vector<std::string> inputs, outputs;  ///< all of them, beside clk_i and rst_ni
  /// Registers the design, which has this interface, as a policy.
  void (*add)(const RtlDesign& design, const RtlDesign::Interface& interface) = nullptr;
};

Registry<RtlKind>& rtl_kinds();

/// What a design of the kind is built as, to decide in the platform.
RtlLibrary policy_library(const RtlKind& kind);

/// The kind called `like`, or, if that is empty, the one with whose ports the design has most in common. Throws InputError if it lacks one of them, has an input beyond
/// them, or has one of the other direction.
const RtlKind& rtl_kind_of(const RtlDesign& design, const RtlDesign::Interface& interface,
                           const std::string& like = "");

/// The ports of a design of that kind, as objects over what is built of it with these values of its parameters.
/// Throws InputError as build_rtl() does.
template <class Ports>
std::function<std::unique_ptr<Ports>()> built(const std::string& kind, const RtlDesign& design,
                                              const RtlDesign::Interface& interface, const RtlParameters& parameters) {
  const auto make =
      reinterpret_cast<Ports* (*)()>(build_rtl(design, interface, parameters, policy_library(rtl_kinds().at(kind))));
  return [make] { return std::unique_ptr<Ports>(make()); };
}

/// Models of a design, by the values of its parameters: all controllers, or sub-cores, of a GPU have the same.
template <class Model>
class RtlModels {
 public:
  /// Of a design that has these values of its parameters.
  using Make = Model (*)(const RtlDesign& design, const RtlParameters& parameters);

  RtlModels(RtlDesign design, const RtlDesign::Interface& interface, Make make)
      : design_(std::move(design)), names_(interface.parameters.begin(), interface.parameters.end()), make_(make) {}

  /// With those of `values` that the module has as parameters.
  const Model& with(const RtlParameters& values) {
    RtlParameters own;
    for (const auto& value : values) {
      if (names_.count(value.first) > 0) own.insert(value);
    }
    const auto known = models_.find(own);
    return known != models_.end() ? known->second : models_.emplace(own, make_(design_, own)).first->second;
  }

 private:
  RtlDesign design_;
  std::set<std::string> names_;
  Make make_;
  std::map<RtlParameters, Model> models_;
};

}  // namespace gputlm
