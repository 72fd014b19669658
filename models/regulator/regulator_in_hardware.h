/// Memory budgets that hardware keeps: a regulator of rtl/, or the user's own with the same ports.
#pragma once

#include <functional>

#include "models/regulator/regulator.h"
#include "models/regulator/rtl_regulator.h"

namespace gputlm {

/// Adds the policy to bandwidth_regulators(). `model_for` gives the regulator of a place; it is asked when one is made. What
/// it cannot hold after all is an InputError then, or when it comes.
void add_regulator_in_hardware(const PolicyInfo& info, std::function<RegulatorModel(const RegulatorSetup&)> model_for);

}  // namespace gputlm
