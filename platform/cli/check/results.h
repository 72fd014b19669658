/// What `gputlm check` leaves: text, JSON and JUnit's XML.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "platform/cli/check/checked_kind.h"
#include "platform/cli/check/proof.h"
#include "platform/cli/check/seeds.h"

namespace gputlm {

struct CheckReport {
  const SizedDesign& design;
  std::string kind, against;
  const LockstepOptions& options;
  const SeedResults& results;
  std::string traffic;          ///< folder of the run whose recording was played; empty: random traffic
  std::string waveform, again;  ///< of a difference: its file, a command that finds it again
  std::optional<ContractProof> proof = {};
};

/// For a terminal. `with_points`: a line for each coverage point.
std::string to_text(const CheckReport& report, bool with_points);
/// The schema is gputlm-check-1 (docs/rtl.md).
nlohmann::ordered_json to_json(const CheckReport& report);
/// A test case a seed and a property, as Jenkins and GitLab read it.
std::string to_junit(const CheckReport& report);

}  // namespace gputlm
