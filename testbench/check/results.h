/// Output of `gputlm check`: text, JSON and JUnit XML.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "testbench/check/proof.h"
#include "testbench/lockstep/code_coverage.h"
#include "testbench/lockstep/lockstep.h"

namespace gputlm {

struct CheckedDesign {
  std::string name;  ///< name of the module, or of a built-in design
  std::string file;  ///< file of the module; empty: built-in
  std::string kind, against;
  RtlParameters size;        ///< all size parameters of its kind
  RtlParameters parameters;  ///< parameters that the module was given
};

struct CheckReport {
  const CheckedDesign& design;
  const LockstepOptions& options;
  const SeedResults& results;
  std::string traffic;          ///< folder of the run whose recording was played; empty: random traffic
  std::string waveform, again;  ///< waveform of a difference, and a command that reproduces it
  std::optional<ContractProof> proof = {};
  std::optional<CodeCoverage> code = {};  ///< coverage of the code, judged with the waivers
};

/// For a terminal. `with_points`: one line per coverage point.
std::string to_text(const CheckReport& report, bool with_points);
/// The schema is gputlm-check-1 (docs/rtl.md).
nlohmann::ordered_json to_json(const CheckReport& report);
/// One test case per seed, per property and for the code coverage, in the form that Jenkins and GitLab read.
std::string to_junit(const CheckReport& report);

}  // namespace gputlm
