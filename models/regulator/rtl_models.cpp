#include "models/regulator/rtl_models.h"

#include "Vhard_regulator_8.h"
#include "Vreclaim_regulator_8.h"
#include "models/regulator/rtl_regulator_verilated.h"

namespace gputlm {
namespace {

// As rtl_models.cmake has them built.
constexpr RegulatorSize kBuiltIn{8, 32, 8};

}  // namespace

RegulatorModel hard_rtl_model() {
  return {kBuiltIn, [] { return std::make_unique<VerilatedRegulator<Vhard_regulator_8>>(); }};
}

RegulatorModel reclaim_rtl_model() {
  return {kBuiltIn, [] { return std::make_unique<VerilatedRegulator<Vreclaim_regulator_8>>(); }};
}

}  // namespace gputlm
