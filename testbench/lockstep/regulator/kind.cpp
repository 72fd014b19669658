/// Regulators of memory budgets.
#include <algorithm>

#include "platform/cli/check/checked_kind.h"
#include "testbench/lockstep/regulator/bench.h"
#include "testbench/lockstep/regulator/traffic.h"

namespace gputlm {
namespace {

constexpr const char* kDevice = R"(
#include "Vdesign.h"
#include "models/regulator/rtl_regulator_verilated.h"
#include "testbench/lockstep/observed_verilated.h"
extern "C" __attribute__((visibility("default")))
gputlm::ObservedDevice<gputlm::RtlRegulator>* gputlm_make(std::uint64_t seed) {
  return new gputlm::ObservedVerilated<gputlm::RtlRegulator, gputlm::VerilatedRegulator<Vdesign>>(seed);
}
)";

constexpr unsigned kTokenBits = 16;  ///< of a budget, unless told

RtlParameters size_of(const std::map<std::string, RtlDesign::Port>& ports) {
  const unsigned applications = ports.at("fits_o").bits;
  return {{"Apps", applications},
          {"TokenW", ports.at("budget_i").bits / applications},
          {"LengthW", ports.at("head_bytes_i").bits / applications}};
}

std::map<std::string, unsigned> widths(const RtlParameters& size) {
  const unsigned applications = size.at("Apps");
  return {
      {"budget_i", applications * size.at("TokenW")},      {"begin_i", applications}, {"head_valid_i", applications},
      {"head_bytes_i", applications * size.at("LengthW")}, {"fits_o", applications},  {"pass_i", applications}};
}

RegulatorSize regulator_size(const RtlParameters& size) {
  return {size.at("Apps"), size.at("TokenW"), size.at("LengthW")};
}

std::shared_ptr<const Design> make(const SizedDesign& sized, const std::string& policy, void* device) {
  return std::make_shared<RegulatorDesign>(sized.design.top(), policy, regulator_size(sized.size),
                                           made_by<RtlRegulator>(device));
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Reclaim"] = policy == "reclaim";
  all["Ordered"] = policy == "hard" || policy == "reclaim";
  return all;
}

/// Tokens have the standard width where that suffices.
RecordedDecisions recorded(const RecordedRun& run) {
  RecordedDecisions decisions;
  decisions.policy = model_of(run.name("noc.regulator"));
  decisions.clock_mhz = run.number("core_mhz");
  RegulatorRecording recording;
  Bytes largest = 0;
  for (const RegulatorEvent& event : read_regulator_recording(run)) {
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
  decisions.make = [recording](const SizedDesign& sized, const std::string& policy, void* device) {
    return std::make_shared<RegulatorDesign>(
        RegulatorDesign(sized.design.top(), policy, regulator_size(sized.size), made_by<RtlRegulator>(device))
            .playing(recording));
  };
  return decisions;
}

GPUTLM_REGISTER {
  using S = RegulatorSize;
  CheckedKind kind;
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
  kind.device = kDevice;
  kind.make = make;
  kind.contract = {"regulator_proof", {{"Apps", 2}, {"TokenW", 3}, {"LengthW", 3}}, contract_of};
  kind.recorded = recorded;
  checked_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
