/// A design built for the bench as a shared library.
#pragma once

#include <string>
#include <vector>

#include "testbench/design/build.h"
#include "testbench/kind/kind.h"

namespace gputlm {

/// Built with waveforms, assertions and random initial register contents; its gputlm_make() is BuiltDesign::make
/// (testbench/kind/kind.h). `with_coverage` adds line, branch and toggle coverage.
RtlLibrary bench_library(const Kind& kind, bool with_coverage);
/// A module with these ports that contains a source and its netlist; its gputlm_make() returns the NetlistLibrary
/// (testbench/lockstep/observed_netlist.h).
RtlLibrary netlist_library(const Kind& kind);
/// The ports that its Observed::ports() returns, in that order.
std::vector<std::string> observed_ports(const Kind& kind);

}  // namespace gputlm
