/// The contract of a kind of designs, proved or refuted of one of them: yosys makes a circuit of both, ABC looks for
/// counterexamples and for inductive invariants, CaDiCaL for properties that carry over from cycle to cycle together. The contract
/// knows nothing of the design's registers, so it may be anybody's; assertions beside it may name them, and reach further.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cost/sources.h"
#include "tlm/tools/tool.h"

namespace gputlm::formal {

struct ProofRequest {
  std::string contract;                        ///< a module of testbench/kinds: "arbiter_proof"
  std::map<std::string, unsigned> parameters;  ///< of it
  /// A module gputlm_dut with the ports of the kind, and with parameters that the contract sets: it instantiates the design.
  std::string wrapper;
  cost::Sources sources;              ///< of the design
  std::vector<std::string> asserted;  ///< files of modules beside it, whose assertions are proved too
  std::vector<std::string> signals;   ///< of gputlm_dut, to be told of a counterexample
  unsigned cycles = 0;                ///< that a counterexample may take, the reset among them
  unsigned seconds = 0;               ///< for each property and each question
  unsigned parallel = 0;              ///< properties at the same time; 0: as many as there are processors
  std::string folder;                 ///< empty, for the tools' files
  /// Called before anything is proved, with the file of a netlist: gputlm_dut as yosys has read it, in a module of the name
  /// `netlist_module`. Whoever knows the source throws if it is another design. Null: yosys is trusted.
  std::function<void(const std::string& netlist, const std::atomic<bool>& stop)> compare = nullptr;
  std::string netlist_module = {};
};

struct PropertyProof {
  enum class Outcome {
    kProved,   ///< holds in every reachable state
    kBounded,  ///< there is no counterexample of `cycles` cycles; whether there is a longer one is not known
    kRefuted,  ///< by a counterexample of `cycles` cycles
  };
  std::string name;
  Outcome outcome = Outcome::kBounded;
  unsigned cycles = 0;
};

struct Counterexample {
  std::string property;
  unsigned cycles = 0;
  /// By signal, in the request's order: its value in each cycle, a hexadecimal number, or bits where one has no value.
  std::vector<std::pair<std::string, std::vector<std::string>>> signals;
  std::string waveform;  ///< a VCD file in the request's folder, with all signals of the design
};

struct Proof {
  std::vector<PropertyProof> properties;         ///< in the order of their names
  std::optional<Counterexample> counterexample;  ///< the shortest one, if a property is refuted

  bool refuted() const { return counterexample.has_value(); }
};

/// The tools that a proof takes, in the order yosys, yosys-abc, cadical. Throws InputError, with the Debian package, without one.
std::vector<tools::Tool> proof_tools();

/// No unbounded proof is looked for once a property is refuted. `proceed` is called often, with properties done and
/// their number; when it answers false the tools are ended and tools::Stopped is thrown. Throws InputError when yosys
/// refuses the design.
Proof prove(const ProofRequest& request, const std::function<bool(std::size_t, std::size_t)>& proceed);

}  // namespace gputlm::formal
