/// Regulators of memory budgets.
#include <algorithm>

#include "testbench/kinds/regulator/bench.h"
#include "testbench/kinds/regulator/traffic.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {
namespace {

constexpr unsigned kTokenBits = 16;  ///< of a budget, unless told

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned applications = ports.at("fits_o");
  return {{"Apps", applications},
          {"TokenW", ports.at("budget_i") / applications},
          {"LengthW", ports.at("head_bytes_i") / applications}};
}

RtlParameters widths(const RtlParameters& size) {
  const unsigned applications = size.at("Apps");
  return {
      {"budget_i", applications * size.at("TokenW")},      {"begin_i", applications}, {"head_valid_i", applications},
      {"head_bytes_i", applications * size.at("LengthW")}, {"fits_o", applications},  {"pass_i", applications}};
}

Design make(const BuiltDesign& built, const std::string& policy) { return regulator_design(built, policy); }

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Reclaim"] = policy == "reclaim";
  all["Ordered"] = policy == "hard" || policy == "reclaim";
  return all;
}

/// Tokens have the standard width where that suffices.
RecordedDecisions recorded(const Recording& run) {
  RecordedDecisions decisions;
  decisions.policy = model_of(run.name("noc.regulator"));
  decisions.clock_mhz = run.number("core_mhz");
  RegulatorRecording recording;
  Bytes largest = 0;
  for (const RegulatorEvent& event : run.events<RegulatorEvent>()) {
    if (event.at > 0) {
      recording.events.push_back(event);
      continue;
    }
    recording.budgets.resize(std::max<std::size_t>(recording.budgets.size(), event.number + 1u));
    recording.budgets[event.number] = event.bytes;
    largest = std::max(largest, event.bytes);
  }
  decisions.size = {{"Apps", static_cast<unsigned>(recording.budgets.size())}};
  if (largest >> kTokenBits != 0) decisions.size["TokenW"] = 64 - static_cast<unsigned>(__builtin_clzll(largest));
  decisions.make = [recording = std::make_shared<const RegulatorRecording>(std::move(recording))](
                       const BuiltDesign& built, const std::string& policy) {
    return regulator_design(built, policy, recording);
  };
  return decisions;
}

constexpr const char* kProtocol =
    R"(There is no handshake: fits_o says combinationally which of the heads may pass, pass_i which one
does at this edge, of those that fit. A head stays until its request passes. A period that begins
(begin_i) comes behind a request that passes at the same edge.
)";

GPUTLM_REGISTER {
  using S = RegulatorSize;
  DesignKind kind;
  kind.name = "regulator";
  kind.rank = 6;
  kind.decision = []() -> const DecisionInfo& { return bandwidth_regulators(); };
  kind.size = {{"Apps", 4, 1, S::kMaxApplications},
               {"TokenW", kTokenBits, 1, S::kMaxTokenBits},
               {"LengthW", 8, 1, S::kMaxLengthBits}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(regulator_knobs(regulator_size(size))); };
  kind.make = make;
  kind.contract = {"regulator_proof", {{"Apps", 2}, {"TokenW", 3}, {"LengthW", 3}}, contract_of};
  kind.recorded = recorded;
  kind.protocol = kProtocol;
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
