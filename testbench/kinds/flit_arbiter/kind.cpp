/// Arbiters at the outputs of the crossbar.
#include "testbench/lockstep/kind.h"
#include "testbench/kinds/flit_arbiter/bench.h"
#include "testbench/kinds/flit_arbiter/traffic.h"

namespace gputlm {
namespace {

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

FlitArbiterSize flit_arbiter_size(const RtlParameters& size) {
  return {size.at("Inputs"), size.at("Apps"), size.at("WeightW"), size.at("LengthW"), size.at("AgeW")};
}

std::shared_ptr<const Design> make(const BuiltDesign& built, const std::string& policy) {
  return std::make_shared<FlitArbiterDesign>(built.name, policy, flit_arbiter_size(built.size),
                                             made_by<RtlFlitArbiter>(built));
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Oldest"] = policy == "oldest";
  all["Weighted"] = policy == "weighted";
  all["Ordered"] = policy == "round_robin" || policy == "oldest" || policy == "weighted";
  return all;
}

GPUTLM_REGISTER {
  using S = FlitArbiterSize;
  DesignKind kind;
  kind.name = "flit_arbiter";
  kind.rank = 4;
  kind.decision = []() -> const DecisionInfo& { return flit_arbiters(); };
  kind.size = {{"Inputs", 8, 2, S::kMaxInputs},
               {"Apps", 4, 1, S::kMaxApplications},
               {"WeightW", 6, 1, S::kMaxWeightBits},
               {"LengthW", 4, 1, S::kMaxLengthBits},
               {"AgeW", 12, 1, S::kMaxAgeBits}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(flit_arbiter_knobs(flit_arbiter_size(size))); };
  kind.make = make;
  kind.contract = {
      "flit_arbiter_proof", {{"Inputs", 4}, {"Apps", 2}, {"WeightW", 2}, {"LengthW", 2}, {"AgeW", 2}}, contract_of};
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
