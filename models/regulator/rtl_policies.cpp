#include "models/regulator/regulator_in_hardware.h"
#include "models/regulator/rtl_models.h"

namespace gputlm {

GPUTLM_REGISTER {
  const char* const source = "Yun et al., RTAS 2013";
  add_regulator_in_hardware({{"hard@rtl", 3}, "hard, decided by rtl/hard_regulator.sv", source},
                            [](const RegulatorSetup&) { return hard_rtl_model(); });
  add_regulator_in_hardware(
      {{"reclaim@rtl", 4}, "reclaim, decided by rtl/reclaim_regulator.sv", source, {Property::kSharesBudgets}},
      [](const RegulatorSetup&) { return reclaim_rtl_model(); });
}

}  // namespace gputlm
