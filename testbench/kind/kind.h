/// Kinds of hardware designs. All of a kind is in its folder, testbench/kinds/KIND, where it registers itself. Its struct
/// declares its types once: kind_of() in bench_of.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/policy/policy.h"
#include "testbench/design/design.h"
#include "testbench/lockstep/bench.h"
#include "testbench/ports/ports.h"
#include "tlm/base/registry.h"

namespace gputlm {

class RecordedRun;

/// A module as a C++ object, from the program's build or a user's.
struct BuiltDesign {
  std::string name;
  RtlParameters size;    ///< all size parameters of its kind
  void* make = nullptr;  ///< function for made_by(); null: only its knobs are needed, and it is not run
};

/// The recorded decisions of a run, as traffic for a design.
struct RecordedDecisions {
  std::string policy;  ///< the run's policy
  double clock_mhz = 0;
  RtlParameters size;  ///< size of a design that is large enough; parameters not listed do not matter
  /// The design of Kind::make(), with the recorded traffic.
  std::function<Design(const BuiltDesign& built, const std::string& policy)> make;
};

/// The contract of all designs of a kind, by its module in the kind's folder: `gputlm check --proof`.
struct KindContract {
  std::string module;  ///< name of the module: "arbiter_proof"
  RtlParameters size;  ///< default size of a proof: small, but with every feature
  /// Parameters of the contract for a design of that size, with the order of the policy if the contract covers it.
  RtlParameters (*parameters)(const RtlParameters& size, const std::string& policy) = nullptr;
};

/// A module of rtl/, POLICY_KIND, whose cost can be computed.
struct KindModule {
  std::string name, description;
  std::vector<std::string> without_effect = {};  ///< parameters that it has only to have the same ports as others
};

struct Kind : Registered {
  std::string like;                          ///< the module with its ports: "rtl/fr_rr_fcfs_arbiter.sv"
  std::vector<KindModule> modules;           ///< modules of rtl/
  std::vector<std::string> cost_order = {};  ///< order of parameters in tables of cost; empty: as in `size`
  RtlParameters cost_size = {};              ///< default values for cost, if they differ
  unsigned in_size = 0;                      ///< number of leading parameters in a short size, "32x16x4"
  /// Parameters of the size that follow from the widths of ports, by name, if the module has no such parameter.
  RtlParameters (*size_of)(const RtlParameters& ports) = nullptr;
  KindContract contract = {};
  /// The protocol between design and environment, in addition to the descriptions of ports in the module of rtl/: lines of
  /// text.
  std::string protocol = {};

  // Set by kind_of():
  std::string ports_class = {};  ///< "ArbiterPorts", of testbench/kinds/KIND/ports.h
  std::vector<SizeParameter> size = {};
  /// The ports of a design of that size, except clk_i and rst_ni: inputs first.
  std::vector<DesignPort> (*ports)(const RtlParameters& size) = nullptr;
  /// The decision whose policies it can be compared with.
  const DecisionInfo& (*decision)() = nullptr;
  /// The knobs of the traffic of that size.
  std::vector<Field> (*knobs)(const RtlParameters& size) = nullptr;
  /// The design on the bench, for comparison with the policy.
  Design (*make)(const BuiltDesign& built, const std::string& policy) = nullptr;
  /// The decisions recorded by the probe of the kind's name. Throws InputError if the run does not have them.
  RecordedDecisions (*recorded)(const RecordedRun& run) = nullptr;
  /// Registers a user's design with this interface as a policy.
  void (*add)(const RtlDesign& design, const RtlDesign::Interface& interface) = nullptr;

  /// The names of the inputs, independent of the size.
  std::vector<std::string> inputs() const { return names(true); }
  std::vector<std::string> outputs() const { return names(false); }
  /// "fr_fcfs" for the module "fr_fcfs_arbiter".
  std::string policy_of(const std::string& module) const { return module.substr(0, module.rfind("_" + name)); }
  /// "testbench/kinds/arbiter/ports.h"
  std::string header() const { return "testbench/kinds/" + name + "/ports.h"; }

 private:
  std::vector<std::string> names(bool input) const;
};

Registry<Kind>& kinds();

/// The kind called `like`; if that is empty, the kind with the most ports in common with the design. Throws InputError if the
/// design lacks one of its ports, has an input beyond them, or has one with another direction.
const Kind& kind_of_ports(const RtlDesign& design, const RtlDesign::Interface& interface, const std::string& like = "");

/// The function that makes a design: gputlm_make() of its library, or make_verilated() (observed_verilated.h).
template <class Ports>
MakeObserved<Ports> made_by(const BuiltDesign& built) {
  const auto make = reinterpret_cast<ObservedDevice<Ports>* (*)(std::uint64_t)>(built.make);
  return [make](std::uint64_t seed) { return std::unique_ptr<ObservedDevice<Ports>>(make(seed)); };
}

/// The name of the policy without its hardware suffix: "fr_fcfs" for "fr_fcfs@rtl".
std::string model_of(const std::string& policy);

/// A design verilated into the program: a module of rtl/, as source, as gate netlist, or with a fault. Programs of testbench/
/// have some, generated by cmake/LockstepDesigns.cmake; the users' program has none. The name states policy and size.
struct BuiltInDesign : Registered {
  std::string kind, policy;
  RtlParameters size;
  void* make = nullptr;  ///< function, as BuiltDesign::make

  BuiltDesign built() const { return {name, size, make}; }
};

Registry<BuiltInDesign>& built_in_designs();

}  // namespace gputlm
