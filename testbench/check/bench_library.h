/// A design that is built for the bench, as it runs.
#pragma once

#include <string>
#include <vector>

#include "testbench/design/build.h"
#include "testbench/kind/kind.h"

namespace gputlm {

/// With waveforms, assertions and random first contents of registers; its gputlm_make() is BuiltDesign::make
/// (testbench/kind/kind.h). `with_coverage`: of lines, branches and toggles, too.
RtlLibrary bench_library(const Kind& kind, bool with_coverage);
/// Of a module with these ports around a source and its netlist; its gputlm_make() gives the NetlistLibrary
/// (testbench/lockstep/observed_netlist.h).
RtlLibrary netlist_library(const Kind& kind);
/// Those that its Observed::ports() tells, in that order.
std::vector<std::string> observed_ports(const Kind& kind);

}  // namespace gputlm
