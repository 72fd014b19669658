/// Kinds of designs that `gputlm check` can drive: the sizes that one comes in, and the bench for it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/policy/policy.h"
#include "platform/probes/recordings.h"
#include "platform/rtl/build.h"
#include "platform/rtl/kind.h"
#include "testbench/lockstep/bench.h"

namespace gputlm {

/// A number that ports and traffic depend on: a parameter of the module, where it has that, else read off its ports.
struct SizeParameter {
  std::string name;  ///< "Entries"
  unsigned standard, least, most;
  bool power_of_two = false;
};

/// A design in the size in which it is checked.
struct SizedDesign {
  const RtlDesign& design;
  RtlParameters size;        ///< all of its kind
  RtlParameters parameters;  ///< those that the module is given
  RtlDesign::Interface interface;
};

/// What a run has recorded of a decision of a kind.
struct RecordedDecisions {
  std::string policy;  ///< that the run had
  double clock_mhz = 0;
  RtlParameters size;  ///< that holds it; what is not there does not matter
  /// The design of CheckedKind::make(), under what was recorded.
  std::function<std::shared_ptr<const Design>(const SizedDesign& sized, const std::string& policy, void* device)> make;
};

/// What holds of any design of a kind, by one of testbench/formal: `gputlm check --proof`.
struct KindContract {
  std::string module;  ///< "arbiter_proof"; empty: there is none
  RtlParameters size;  ///< in which it is proved unless told: small, and with everything
  /// Its parameters for a design of that size, with the order of the policy, where it knows that.
  RtlParameters (*parameters)(const RtlParameters& size, const std::string& policy) = nullptr;
};

struct CheckedKind : Registered {  ///< the name is that of the RtlKind
  /// Whose policies it may be compared with.
  const DecisionInfo& (*decision)() = nullptr;
  std::vector<SizeParameter> size;
  unsigned in_size = 0;  ///< how many of them `--size` takes, the first ones
  /// What the ports say of the size, where no parameter does.
  RtlParameters (*size_of)(const std::map<std::string, RtlDesign::Port>& ports) = nullptr;
  /// Bits of each port of that size but those of one bit.
  std::map<std::string, unsigned> (*widths)(const RtlParameters& size) = nullptr;
  /// Of the traffic of that size.
  std::vector<Knob> (*knobs)(const RtlParameters& size) = nullptr;
  /// C++ of what the library makes: see bench_library().
  std::string device;
  /// The bench's design over that library, to be compared with the policy.
  std::shared_ptr<const Design> (*make)(const SizedDesign& sized, const std::string& policy, void* device) = nullptr;
  KindContract contract = {};
  /// Throws InputError if the run has recorded none. Null: no probe records decisions of this kind.
  RecordedDecisions (*recorded)(const RecordedRun& run) = nullptr;
};

Registry<CheckedKind>& checked_kinds();

/// Of the run in `folder`. Throws InputError if it has recorded none.
RecordedDecisions decisions_of(const CheckedKind& kind, const std::string& folder);
/// Those that a probe of the same name records: "arbiter, sorter, admission".
std::string recorded_kinds();

/// The library of a design for the bench: with waveforms, assertions and random first contents of registers.
/// `with_coverage`: of lines, branches and toggles, too.
RtlLibrary bench_library(const CheckedKind& kind, bool with_coverage);

/// For `make`: what the library has at the address.
template <class Device>
MakeObserved<Device> made_by(void* address) {
  const auto make = reinterpret_cast<ObservedDevice<Device>* (*)(std::uint64_t)>(address);
  return [make](std::uint64_t seed) { return std::unique_ptr<ObservedDevice<Device>>(make(seed)); };
}

/// Of a port that names one of `count` things.
unsigned bits_to_name(unsigned count);

/// The policy without what says that hardware decides it: "fr_fcfs" of "fr_fcfs@rtl".
std::string model_of(const std::string& policy);

}  // namespace gputlm
