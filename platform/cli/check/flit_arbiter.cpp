/// Arbiters at the outputs of the crossbar.
#include <algorithm>

#include <fmt/format.h>

#include "platform/cli/check/checked_kind.h"
#include "testbench/lockstep/flit_arbiter/bench.h"
#include "testbench/lockstep/flit_arbiter/traffic.h"

namespace gputlm {
namespace {

constexpr const char* kDevice = R"(
#include "Vdesign.h"
#include "models/noc/rtl_flit_arbiter_verilated.h"
#include "testbench/lockstep/observed_verilated.h"
extern "C" __attribute__((visibility("default")))
gputlm::ObservedDevice<gputlm::RtlFlitArbiter>* gputlm_make(std::uint64_t seed) {
  return new gputlm::ObservedVerilated<gputlm::RtlFlitArbiter, gputlm::VerilatedFlitArbiter<Vdesign>>(seed);
}
)";

constexpr unsigned kLengthBits = 4;  ///< of the number of flits of a packet, unless told

RtlParameters size_of(const std::map<std::string, RtlDesign::Port>& ports) {
  const unsigned inputs = ports.at("grant_o").bits, applications = 1u << ports.at("head_app_i").bits / inputs;
  return {{"Inputs", inputs},
          {"Apps", applications},
          {"WeightW", ports.at("weight_i").bits / applications},
          {"LengthW", ports.at("head_flits_i").bits / inputs},
          {"AgeW", ports.at("head_age_i").bits / inputs}};
}

std::map<std::string, unsigned> widths(const RtlParameters& size) {
  const unsigned inputs = size.at("Inputs"), applications = size.at("Apps");
  return {{"head_valid_i", inputs},
          {"head_app_i", inputs * bits_to_name(applications)},
          {"head_flits_i", inputs * size.at("LengthW")},
          {"head_age_i", inputs * size.at("AgeW")},
          {"weight_i", applications * size.at("WeightW")},
          {"grant_o", inputs},
          {"grant_input_o", bits_to_name(inputs)}};
}

FlitArbiterSize flit_arbiter_size(const RtlParameters& size) {
  return {size.at("Inputs"), size.at("Apps"), size.at("WeightW"), size.at("LengthW"), size.at("AgeW")};
}

std::shared_ptr<const Design> make(const SizedDesign& sized, const std::string& policy, void* device) {
  return std::make_shared<FlitArbiterDesign>(sized.design.top(), policy, flit_arbiter_size(sized.size),
                                             made_by<RtlFlitArbiter>(device));
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Oldest"] = policy == "oldest";
  all["Weighted"] = policy == "weighted";
  all["Ordered"] = policy == "round_robin" || policy == "oldest" || policy == "weighted";
  return all;
}

/// What the standard size does not hold makes it larger; ages have the bits that they had.
RecordedDecisions recorded(const RecordedRun& run) {
  RecordedDecisions decisions;
  const std::string policy = run.name("noc.arbiter");
  decisions.policy = model_of(policy);
  decisions.clock_mhz = run.number("core_mhz");
  // Of the run's policy, or as the run has them for the one that would heed them.
  const auto option = [&](const char* of, const std::string& name) {
    const std::string own = fmt::format("noc.{}.{}", options_owner(policy), name);
    return static_cast<unsigned>(run.number(run.knows(own) ? own : fmt::format("noc.{}.{}", of, name)));
  };
  RecordedFlits flits = read_flit_arbiter_recording(run);
  FlitArbiterRecording recording{flits.inputs, {}, std::move(flits.events)};
  unsigned applications = 1, longest = 1;
  for (const FlitArbiterEvent& event : recording.events) {
    applications = std::max(applications, event.head.application + 1u);
    longest = std::max<unsigned>(longest, event.head.flits);
  }
  for (unsigned a = 0; a < kArbitratedApplications; ++a)
    recording.weights.push_back(option("weighted", fmt::format("weight_{}", a)));
  decisions.size = {
      {"Inputs", std::max(2u, recording.inputs)}, {"Apps", applications}, {"AgeW", option("oldest", "age_bits")}};
  if (longest >> kLengthBits != 0) decisions.size["LengthW"] = 32 - static_cast<unsigned>(__builtin_clz(longest));
  decisions.make = [recording](const SizedDesign& sized, const std::string& against, void* device) {
    return std::make_shared<FlitArbiterDesign>(
        FlitArbiterDesign(sized.design.top(), against, flit_arbiter_size(sized.size), made_by<RtlFlitArbiter>(device))
            .playing(recording));
  };
  return decisions;
}

GPUTLM_REGISTER {
  using S = FlitArbiterSize;
  CheckedKind kind;
  kind.name = "flit_arbiter";
  kind.rank = 4;
  kind.decision = []() -> const DecisionInfo& { return flit_arbiters(); };
  kind.size = {{"Inputs", 8, 2, S::kMaxInputs},
               {"Apps", 4, 1, S::kMaxApplications},
               {"WeightW", 6, 1, S::kMaxWeightBits},
               {"LengthW", kLengthBits, 1, S::kMaxLengthBits},
               {"AgeW", 12, 1, S::kMaxAgeBits}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(flit_arbiter_knobs(flit_arbiter_size(size))); };
  kind.device = kDevice;
  kind.make = make;
  kind.contract = {
      "flit_arbiter_proof", {{"Inputs", 4}, {"Apps", 2}, {"WeightW", 2}, {"LengthW", 2}, {"AgeW", 2}}, contract_of};
  kind.recorded = recorded;
  checked_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
