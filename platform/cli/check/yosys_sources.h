/// A user's design for yosys, which does not read the lists of files that Verilator does.
#pragma once

#include "platform/rtl/design.h"
#include "testbench/cost/sources.h"

namespace gputlm {

/// The files that Verilator has read for this interface, those of rtl/ in their order and before the others; of a list of
/// files also what is for the preprocessor.
cost::Sources yosys_sources(const RtlDesign& design, const RtlDesign::Interface& interface);

}  // namespace gputlm
