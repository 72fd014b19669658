/// A user's design for yosys, which does not read Verilator's file lists.
#pragma once

#include <string>

#include "testbench/cost/sources.h"
#include "testbench/design/design.h"

namespace gputlm {

/// The files that Verilator read for this interface: first those of rtl/ in their order, then the others; for a file list
/// also its preprocessor options.
cost::Sources yosys_sources(const RtlDesign& design, const RtlDesign::Interface& interface);

/// The error of yosys for a design that Verilator accepts; if yosys did not understand it, also possible reasons and
/// remedies.
std::string yosys_error(const RtlDesign::Interface& interface, const std::string& error);

}  // namespace gputlm
