/// What a user brings to be chosen by a parameter: shared libraries with policies (platform/input/plugin.h), and designs in
/// SystemVerilog, as policies MODULE@rtl.
#pragma once

#include <string>
#include <vector>

#include "testbench/ports/rtl_parameters.h"

namespace gputlm {

/// Registers a design, of the kind whose ports it has (kind.h): an arbiter with those of rtl/fr_rr_fcfs_arbiter.sv for
/// dram.scheduler, and so on. It is built when a run first needs it, in the sizes of that run: parameters of the module that are named as those of rtl/ are set. To be called before
/// parameters() and whatever else reads a registry. Throws InputError for a file of another kind, if Verilator refuses the
/// design, and for ports that are missing, superfluous or of the other direction.
/// `parameters`: of the module, that are no size.
void load_rtl(const std::string& path, const RtlParameters& parameters = {});

/// Loads a design or a shared library, as its ending says: what loaded_extensions() of another process named. A design's
/// parameters stand behind its path: "my_arbiter.sv#Limit=4,Depth=2".
void load_extension(const std::string& path);

/// Absolute paths of plugins and designs that were loaded, the latter with their parameters.
std::vector<std::string> loaded_extensions();

}  // namespace gputlm
