/// The regulators of rtl/ that are built in.
#pragma once

#include "models/regulator/rtl_regulator.h"

namespace gputlm {

RegulatorModel hard_rtl_model();
RegulatorModel reclaim_rtl_model();

}  // namespace gputlm
