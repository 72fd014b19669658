/// Kinds of designs in hardware, each with all that makes one in a folder of its own, testbench/kinds/KIND, in which it registers
/// itself. What follows from a kind's types its struct says once: kind_of() in bench_of.h.
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
#include "tlm/registry.h"

namespace gputlm {

class RecordedRun;

/// A module as an object of C++, by whoever has built it.
struct BuiltDesign {
  std::string name;
  RtlParameters size;    ///< all of its kind
  void* make = nullptr;  ///< the function that made_by() wants; null: it is asked for its knobs and not run
};

/// What a run has recorded of a decision, as traffic for a design.
struct RecordedDecisions {
  std::string policy;  ///< that the run had
  double clock_mhz = 0;
  RtlParameters size;  ///< that holds it; what is not there does not matter
  /// The design of Kind::make(), under what was recorded.
  std::function<Design(const BuiltDesign& built, const std::string& policy)> make;
};

/// What holds of any design of a kind, by its module in the kind's folder: `gputlm check --proof`.
struct KindContract {
  std::string module;  ///< "arbiter_proof"
  RtlParameters size;  ///< in which it is proved unless told: small, and with everything
  /// Its parameters for a design of that size, with the order of the policy, where it knows that.
  RtlParameters (*parameters)(const RtlParameters& size, const std::string& policy) = nullptr;
};

/// A module of rtl/, POLICY_KIND, whose cost can be asked for.
struct KindModule {
  std::string name, description;
  std::vector<std::string> without_effect = {};  ///< parameters that it has only to have the ports of others
};

struct Kind : Registered {
  std::string like;                          ///< whose ports it has: "rtl/fr_rr_fcfs_arbiter.sv"
  std::vector<KindModule> modules;           ///< of rtl/
  std::vector<std::string> cost_order = {};  ///< of parameters in tables of cost; empty: as in `size`
  RtlParameters cost_size = {};              ///< standard values there, where they are others
  unsigned in_size = 0;                      ///< how many parameters a size in short has, "32x16x4": the first ones
  /// What the bits of the ports, by name, say of the size, where no parameter does.
  RtlParameters (*size_of)(const RtlParameters& ports) = nullptr;
  KindContract contract = {};
  /// What design and environment may rely on, beside what the module of rtl/ says of each port: lines of text.
  std::string protocol = {};

  // What kind_of() adds.
  std::string ports_class = {};  ///< "ArbiterPorts", of testbench/kinds/KIND/ports.h
  std::vector<SizeParameter> size = {};
  /// Of a design of that size, beside clk_i and rst_ni: inputs first.
  std::vector<DesignPort> (*ports)(const RtlParameters& size) = nullptr;
  /// Whose policies it may be compared with.
  const DecisionInfo& (*decision)() = nullptr;
  /// Of the traffic of that size.
  std::vector<Knob> (*knobs)(const RtlParameters& size) = nullptr;
  /// The bench's design, to be compared with the policy.
  Design (*make)(const BuiltDesign& built, const std::string& policy) = nullptr;
  /// What the probe of the kind's name has recorded. Throws InputError for what the run does not have.
  RecordedDecisions (*recorded)(const RecordedRun& run) = nullptr;
  /// Registers a user's design, which has this interface, as a policy.
  void (*add)(const RtlDesign& design, const RtlDesign::Interface& interface) = nullptr;

  /// In any size.
  std::vector<std::string> inputs() const { return names(true); }
  std::vector<std::string> outputs() const { return names(false); }
  /// "fr_fcfs" of the module "fr_fcfs_arbiter".
  std::string policy_of(const std::string& module) const { return module.substr(0, module.rfind("_" + name)); }
  /// "testbench/kinds/arbiter/ports.h"
  std::string header() const { return "testbench/kinds/" + name + "/ports.h"; }

 private:
  std::vector<std::string> names(bool input) const;
};

Registry<Kind>& kinds();

/// The kind called `like`, or, if that is empty, the one with whose ports the design has most in common. Throws InputError if
/// it lacks one of them, has an input beyond them, or has one of the other direction.
const Kind& kind_of_ports(const RtlDesign& design, const RtlDesign::Interface& interface, const std::string& like = "");

/// What a design is made by: gputlm_make() of its library, or make_verilated() (observed_verilated.h).
template <class Ports>
MakeObserved<Ports> made_by(const BuiltDesign& built) {
  const auto make = reinterpret_cast<ObservedDevice<Ports>* (*)(std::uint64_t)>(built.make);
  return [make](std::uint64_t seed) { return std::unique_ptr<ObservedDevice<Ports>>(make(seed)); };
}

/// The policy without what says that hardware decides it: "fr_fcfs" of "fr_fcfs@rtl".
std::string model_of(const std::string& policy);

/// A design that the program has verilated in it: a module of rtl/, as source, as gate netlist, or with a fault. Programs of
/// testbench/ have some, generated by cmake/LockstepDesigns.cmake; that of users has none.
struct BuiltInDesign : Registered {  ///< the name says policy and size
  std::string kind, policy;
  RtlParameters size;
  void* make = nullptr;  ///< as BuiltDesign::make

  BuiltDesign built() const { return {name, size, make}; }
};

Registry<BuiltInDesign>& built_in_designs();

}  // namespace gputlm
