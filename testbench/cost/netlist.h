/// Synthesis by yosys: from a block and its geometry to netlists of library cells.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "testbench/cost/blocks.h"
#include "testbench/cost/library.h"
#include "testbench/ports/rtl_parameters.h"
#include "tlm/base/tools/tool.h"

namespace gputlm::cost {

/// Number of instances of each cell.
using CellCounts = std::map<std::string, unsigned>;

struct Netlist {
  std::string script;  ///< name of the mapping script that made the netlist
  std::string file;    ///< name of the Verilog file in the folder
  CellCounts cells;
};

/// Number of inverter inputs that each output of a block drives: the usual load of delay figures (fan-out of four).
inline constexpr double kOutputLoad = 4;

/// Puts the sources where the later steps expect them: `folder`/rtl and `folder`/library.lib (a link).
void prepare_sources(const Library& library, const std::vector<const BlockType*>& blocks, const std::string& folder);

/// Maps the block to the library with each of the mapping scripts. `folder` is new; its parent is prepared. A warning of
/// yosys is an error, since yosys accepts some constructs with only a warning and makes a wrong netlist of them. Throws
/// InputError if yosys fails or leaves cells that are not in the library.
std::vector<Netlist> map_to_library(const tools::Tool& yosys, const BlockType& block, const Geometry& geometry,
                                    const Library& library, const std::string& folder, const std::atomic<bool>& stop);

/// For a user's own block map_to_library() also writes the gates before mapping into its folder, as this module.
inline constexpr const char* kGatesFile = "gates.v";
inline constexpr const char* kGatesModule = "gputlm_netlist";

/// Parameter values of the block's module. Throws InputError for a parameter that a user's own module does not have.
RtlParameters parameters_of(const BlockType& block, const Geometry& geometry);

/// yosys commands that read the sources and set the geometry; paths are relative to a folder below the prepared one.
std::string read_commands(const BlockType& block, const Geometry& geometry);

/// Runs yosys commands and treats warnings as errors.
void run_yosys(const tools::Tool& yosys, const std::string& commands, const std::string& folder,
               const std::atomic<bool>& stop);

/// Reads the output of yosys' `stat -json` for a flat design. Throws std::runtime_error if it has another form.
CellCounts read_cell_counts(const std::string& path);

}  // namespace gputlm::cost
