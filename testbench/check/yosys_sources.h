/// A user's design for yosys, which does not read the lists of files that Verilator does.
#pragma once

#include <string>

#include "testbench/cost/sources.h"
#include "testbench/design/design.h"

namespace gputlm {

/// The files that Verilator has read for this interface, those of rtl/ in their order and before the others; of a list of
/// files also what is for the preprocessor.
cost::Sources yosys_sources(const RtlDesign& design, const RtlDesign::Interface& interface);

/// What yosys says of a design that Verilator has read, and, where it did not understand it, why that may be and what then.
std::string yosys_error(const RtlDesign::Interface& interface, const std::string& error);

}  // namespace gputlm
