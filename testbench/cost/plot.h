/// A study as a picture: SVG without anything that a viewer must load.
#pragma once

#include <string>

#include "testbench/cost/study.h"

namespace gputlm::cost {

/// Two panels over the block's size (its first parameter): with a baseline its overhead in area and in delay, per cent;
/// else NAND2 equivalents and the critical path, ns. One line for each combination of the other parameters' values.
std::string to_svg(const Study& study);

}  // namespace gputlm::cost
