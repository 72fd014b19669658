/// What `gputlm check` leaves: text, JSON and JUnit's XML.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "testbench/check/proof.h"
#include "testbench/lockstep/code_coverage.h"
#include "testbench/lockstep/seeds.h"

namespace gputlm {

struct CheckedDesign {
  std::string name;  ///< of the module, or of a design that is built in
  std::string file;  ///< empty: it is built in
  std::string kind, against;
  RtlParameters size;        ///< all of its kind
  RtlParameters parameters;  ///< those that the module was given
};

struct CheckReport {
  const CheckedDesign& design;
  const LockstepOptions& options;
  const SeedResults& results;
  std::string traffic;          ///< folder of the run whose recording was played; empty: random traffic
  std::string waveform, again;  ///< of a difference: its file, a command that finds it again
  std::optional<ContractProof> proof = {};
  std::optional<CodeCoverage> code = {};  ///< as the waivers judge it
};

/// For a terminal. `with_points`: a line for each coverage point.
std::string to_text(const CheckReport& report, bool with_points);
/// The schema is gputlm-check-1 (docs/rtl.md).
nlohmann::ordered_json to_json(const CheckReport& report);
/// A test case a seed, a property and the coverage of the code, as Jenkins and GitLab read it.
std::string to_junit(const CheckReport& report);

}  // namespace gputlm
