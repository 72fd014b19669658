/// Proves or refutes the contract of a kind for one of its designs. yosys makes a circuit of both, ABC searches for
/// counterexamples and inductive invariants, CaDiCaL for properties that are inductive together. The contract does not refer
/// to registers of the design, so it applies to any design; additional assertions may refer to them, and prove more.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cost/sources.h"
#include "tlm/base/tools/tool.h"

namespace gputlm::formal {

struct ProofRequest {
  std::string contract;                        ///< module of testbench/kinds: "arbiter_proof"
  std::map<std::string, unsigned> parameters;  ///< parameters of the contract
  /// A module gputlm_dut that instantiates the design. It has the ports of the kind, and parameters that the contract sets.
  std::string wrapper;
  cost::Sources sources;              ///< sources of the design
  std::vector<std::string> asserted;  ///< files of additional modules whose assertions are proved too
  std::vector<std::string> signals;   ///< signals of gputlm_dut, shown in a counterexample
  unsigned cycles = 0;                ///< maximum length of a counterexample, including the reset
  unsigned seconds = 0;               ///< seconds for each property and each query
  unsigned parallel = 0;              ///< number of properties at the same time; 0: the number of processors
  std::string folder;                 ///< empty folder for the tools' files
  /// Called before the proofs with the file of a netlist: gputlm_dut as yosys read it, in a module called `netlist_module`.
  /// It throws if the netlist does not match the source. Null: yosys is trusted.
  std::function<void(const std::string& netlist, const std::atomic<bool>& stop)> compare = nullptr;
  std::string netlist_module = {};
};

struct PropertyProof {
  enum class Outcome {
    kProved,   ///< holds in every reachable state
    kBounded,  ///< no counterexample up to `cycles` cycles; longer ones are possible
    kRefuted,  ///< refuted by a counterexample of `cycles` cycles
  };
  std::string name;
  Outcome outcome = Outcome::kBounded;
  unsigned cycles = 0;
};

struct Counterexample {
  std::string property;
  unsigned cycles = 0;
  /// By signal, in the request's order: its value in each cycle, as a hexadecimal number, or as bits if some are undefined.
  std::vector<std::pair<std::string, std::vector<std::string>>> signals;
  std::string waveform;  ///< VCD file in the request's folder, with all signals of the design
};

struct Proof {
  std::vector<PropertyProof> properties;         ///< in the order of their names
  std::optional<Counterexample> counterexample;  ///< the shortest one, if a property was refuted

  bool refuted() const { return counterexample.has_value(); }
};

/// The tools of a proof, in the order yosys, yosys-abc, cadical. Throws InputError, with the Debian package, if one is
/// missing.
std::vector<tools::Tool> proof_tools();

/// Once a property is refuted, no unbounded proofs are attempted. `proceed` is called often, with the number of finished
/// properties and their total; if it returns false the tools are ended and tools::Stopped is thrown. Throws InputError if
/// yosys refuses the design.
Proof prove(const ProofRequest& request, const std::function<bool(std::size_t, std::size_t)>& proceed);

}  // namespace gputlm::formal
