/// User extensions that parameters can select: shared libraries with policies (platform/input/plugin.h), and designs in
/// SystemVerilog, as policies MODULE@rtl.
#pragma once

#include <string>
#include <vector>

#include "testbench/ports/rtl_parameters.h"

namespace gputlm {

/// Registers a design of the kind whose ports it has (kind.h): an arbiter with the ports of rtl/fr_rr_fcfs_arbiter.sv for
/// dram.scheduler, and so on. The design is built when a run first needs it, in the sizes of that run: parameters of the
/// module with the names of those in rtl/ are set. Call it before parameters() and anything else that reads a registry.
/// Throws InputError for a file of another type, if Verilator refuses the design, and for ports that are missing, superfluous
/// or of the wrong direction.
/// `parameters`: of the module, other than those of the size.
void load_rtl(const std::string& path, const RtlParameters& parameters = {});

/// Loads a design or a shared library, by its extension; takes the output of loaded_extensions() of another process. A
/// design's parameters follow its path: "my_arbiter.sv#Limit=4,Depth=2".
void load_extension(const std::string& path);

/// Absolute paths of the loaded plugins and designs, the latter with their parameters.
std::vector<std::string> loaded_extensions();

}  // namespace gputlm
