/// Regulators of memory budgets.
#include <algorithm>

#include "models/regulator/regulator_in_hardware.h"
#include "platform/rtl/kind.h"

namespace gputlm {
namespace {

RegulatorModel model_of(const RtlDesign& design, const RtlParameters& parameters) {
  const RtlDesign::Interface interface = design.interface(parameters);
  const auto bits = [&](const char* port) { return interface.ports.at(port).bits; };
  const unsigned applications = bits("fits_o");
  return {{applications, bits("budget_i") / applications, bits("head_bytes_i") / applications},
          built<RtlRegulator>("regulator", design, interface, parameters)};
}

void add(const RtlDesign& design, const RtlDesign::Interface& interface) {
  const auto models = std::make_shared<RtlModels<RegulatorModel>>(design, interface, model_of);
  // It may give what one leaves to others.
  const PolicyInfo info{
      {design.top() + "@rtl"}, "Decided by " + design.path(), design.path(), {Property::kSharesBudgets}};
  add_regulator_in_hardware(info, [models](const RegulatorSetup& setup) {
    return models->with({{"Apps", static_cast<unsigned>(setup.budgets.size())},
                         {"TokenW", RegulatorSize::kMaxTokenBits},
                         {"LengthW", RegulatorSize::kMaxLengthBits}});
  });
}

GPUTLM_REGISTER {
  rtl_kinds().add({{"regulator", 6},
                   "rtl/bandwidth_regulator.sv",
                   "Regulator",
                   "models/regulator/rtl_regulator_verilated.h",
                   {"budget_i", "begin_i", "head_valid_i", "head_bytes_i", "pass_i"},
                   {"fits_o"},
                   add});
}

}  // namespace
}  // namespace gputlm
