/// `gputlm check --proof`: proves the contract of a kind for a user's design.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "testbench/check/size.h"
#include "testbench/formal/proof.h"

namespace gputlm {

struct ProofOptions {
  bool wanted = false;
  std::string size;       ///< "8x2x3"; empty: that of the contract, or of the ports of a module without parameters
  unsigned cycles = 12;   ///< enough to fill a queue of 8 entries after a reset
  unsigned seconds = 20;  ///< seconds for each property and query
  std::vector<std::string> properties = {};  ///< the user's own files (property.h)
};

struct ContractProof {
  RtlParameters size;
  bool ordered = false;  ///< the contract includes the order of the policy
  unsigned seconds = 0;
  formal::Proof proof;
  std::string waveform;  ///< file of a counterexample; empty if there is none
};

/// The size in which the design is proved. `parameters`: as the user gives them to the check. Throws InputError as in_size()
/// does.
SizedDesign size_for_proof(const RtlDesign& design, const RtlDesign::Interface& plain, const Kind& kind,
                           const ProofOptions& options, const std::vector<std::string>& parameters);

/// Writes the waveform of a counterexample into the folder `waveforms`. Throws InputError if yosys refuses the design, and
/// tools::Stopped if `proceed` returns false; it is called with the number of finished properties and their total.
ContractProof prove_contract(const SizedDesign& design, const Kind& kind, const std::string& policy,
                             const ProofOptions& options, const std::string& waveforms,
                             const std::function<bool(std::size_t, std::size_t)>& proceed);

/// "proved", "no counterexample in 12 cycles", "REFUTED by 3 cycles".
std::string outcome_text(const formal::PropertyProof& property);
/// Cycles of a counterexample, one line per port.
std::string counterexample_text(const ContractProof& proof);
/// For a terminal.
std::string to_text(const ContractProof& proof, const std::string& policy);
nlohmann::ordered_json to_json(const ContractProof& proof);

}  // namespace gputlm
