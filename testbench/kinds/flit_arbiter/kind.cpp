/// Arbiters at the outputs of the crossbar.
#include <fmt/format.h>

#include <algorithm>

#include "testbench/kinds/flit_arbiter/bench.h"
#include "testbench/kinds/flit_arbiter/traffic.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {
namespace {

constexpr unsigned kLengthBits = 4;  ///< of the number of flits of a packet, unless told

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned inputs = ports.at("grant_o"), applications = 1u << ports.at("head_app_i") / inputs;
  return {{"Inputs", inputs},
          {"Apps", applications},
          {"WeightW", ports.at("weight_i") / applications},
          {"LengthW", ports.at("head_flits_i") / inputs},
          {"AgeW", ports.at("head_age_i") / inputs}};
}

RtlParameters widths(const RtlParameters& size) {
  const unsigned inputs = size.at("Inputs"), applications = size.at("Apps");
  return {{"head_valid_i", inputs},
          {"head_app_i", inputs * bits_to_name(applications)},
          {"head_flits_i", inputs * size.at("LengthW")},
          {"head_age_i", inputs * size.at("AgeW")},
          {"weight_i", applications * size.at("WeightW")},
          {"grant_o", inputs},
          {"grant_input_o", bits_to_name(inputs)}};
}

Design make(const BuiltDesign& built, const std::string& policy) { return flit_arbiter_design(built, policy); }

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Oldest"] = policy == "oldest";
  all["Weighted"] = policy == "weighted";
  all["Ordered"] = policy == "round_robin" || policy == "oldest" || policy == "weighted";
  return all;
}

/// What the standard size does not hold makes it larger; ages have the bits that they had.
RecordedDecisions recorded(const Recording& run) {
  RecordedDecisions decisions;
  const std::string policy = run.name("noc.arbiter");
  decisions.policy = model_of(policy);
  decisions.clock_mhz = run.number("core_mhz");
  // Of the run's policy, or as the run has them for the one that would heed them.
  const auto option = [&](const char* of, const std::string& name) {
    const std::string own = fmt::format("noc.{}.{}", options_owner(policy), name);
    return static_cast<unsigned>(run.number(run.knows(own) ? own : fmt::format("noc.{}.{}", of, name)));
  };
  FlitArbiterRecording recording{{}, run.events<FlitArbiterEvent>()};
  unsigned applications = 1, longest = 1;
  for (const FlitArbiterEvent& event : recording.events) {
    applications = std::max(applications, event.head.application + 1u);
    longest = std::max<unsigned>(longest, event.head.flits);
  }
  for (unsigned a = 0; a < kArbitratedApplications; ++a)
    recording.weights.push_back(option("weighted", fmt::format("weight_{}", a)));
  decisions.size = {{"Inputs", std::max<unsigned>(2, recording.events.front().inputs)},
                    {"Apps", applications},
                    {"AgeW", option("oldest", "age_bits")}};
  if (longest >> kLengthBits != 0) decisions.size["LengthW"] = 32 - static_cast<unsigned>(__builtin_clz(longest));
  decisions.make = [recording = std::make_shared<const FlitArbiterRecording>(std::move(recording))](
                       const BuiltDesign& built, const std::string& against) {
    return flit_arbiter_design(built, against, recording);
  };
  return decisions;
}

constexpr const char* kProtocol =
    R"(A valid-ready handshake: the granted packet leaves at each rising edge at which grant_valid_o and
grant_ready_i are both 1. A decision is combinational: head_valid_i is answered by grant_* in the
same cycle, and may change until it is taken, as other heads come. A head stays until its packet
leaves; its age grows. A packet leaves whole, whatever its flits.
)";

GPUTLM_REGISTER {
  using S = FlitArbiterSize;
  DesignKind kind;
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
  kind.make = make;
  kind.contract = {
      "flit_arbiter_proof", {{"Inputs", 4}, {"Apps", 2}, {"WeightW", 2}, {"LengthW", 2}, {"AgeW", 2}}, contract_of};
  kind.recorded = recorded;
  kind.protocol = kProtocol;
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
