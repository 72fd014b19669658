/// A study of hardware cost as a chart.
#pragma once

#include "platform/lab/chart.h"
#include "testbench/cost/study.h"

namespace gputlm {

/// Two panels over the block's size (its first parameter). With a baseline: overhead in area and in delay, per cent;
/// otherwise NAND2 equivalents and the critical path, ns. One line per combination of the other parameters' values.
LineChart cost_chart(const cost::Study& study);

}  // namespace gputlm
