/// The regulators of memory budgets of rtl/ in lockstep with the policies.
#pragma once

#include <memory>
#include <string>

#include "models/regulator/rtl_regulator.h"
#include "testbench/kinds/regulator/played.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {

RegulatorSize regulator_size(const RtlParameters& size);
/// Under `recording`, or under random traffic.
Design regulator_design(const BuiltDesign& built, const std::string& policy,
                        std::shared_ptr<const RegulatorRecording> recording = nullptr);

}  // namespace gputlm
