/// Arbiters at the outputs of the crossbar.
#include <algorithm>

#include "models/noc/application_weights.h"
#include "models/noc/flit_arbiter_in_hardware.h"
#include "platform/rtl/kind.h"

namespace gputlm {
namespace {

FlitArbiterModel model_of(const RtlDesign& design, const RtlParameters& parameters) {
  const RtlDesign::Interface interface = design.interface(parameters);
  const auto bits = [&](const char* port) { return interface.ports.at(port).bits; };
  const unsigned inputs = bits("grant_o"), applications = 1u << bits("head_app_i") / inputs;
  const auto apps = parameters.find("Apps");
  const unsigned with_weights = apps != parameters.end() ? apps->second : applications;
  return {{inputs, with_weights, bits("weight_i") / with_weights, bits("head_flits_i") / inputs,
           bits("head_age_i") / inputs},
          built<RtlFlitArbiter>("flit_arbiter", design, interface, parameters)};
}

void add(const RtlDesign& design, const RtlDesign::Interface& interface) {
  const auto models = std::make_shared<RtlModels<FlitArbiterModel>>(design, interface, model_of);
  PolicyInfo info{{design.top() + "@rtl"}, "Decided by " + design.path(), design.path()};
  info.options = option_list<ApplicationWeights>();
  add_flit_arbiter_in_hardware(info, [models](const FlitArbiterSetup& setup) {
    return models->with({{"Inputs", std::max(2u, setup.inputs)},
                         {"Apps", kArbitratedApplications},
                         {"LengthW", FlitArbiterSize::kMaxLengthBits},
                         {"AgeW", FlitArbiterSize::kMaxAgeBits},
                         {"WeightW", 6}});
  });
}

GPUTLM_REGISTER {
  rtl_kinds().add({{"flit_arbiter", 4},
                   "rtl/weighted_flit_arbiter.sv",
                   "FlitArbiter",
                   "models/noc/rtl_flit_arbiter_verilated.h",
                   {"head_valid_i", "head_app_i", "head_flits_i", "head_age_i", "weight_i", "grant_ready_i"},
                   {"grant_valid_o", "grant_o", "grant_input_o"},
                   add});
}

}  // namespace
}  // namespace gputlm
