/// Synthesis by yosys: from a block and its geometry to netlists of a library's cells.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "testbench/cost/blocks.h"
#include "testbench/cost/library.h"
#include "testbench/ports/rtl_parameters.h"
#include "tlm/tools/tool.h"

namespace gputlm::cost {

/// How many instances of each cell there are.
using CellCounts = std::map<std::string, unsigned>;

struct Netlist {
  std::string script;  ///< name of the mapping script that made it
  std::string file;    ///< Verilog, in the folder
  CellCounts cells;
};

/// Each output of a block drives so many inverters' inputs: the usual load of delay figures (fan-out of four).
inline constexpr double kOutputLoad = 4;

/// The sources, as the later steps expect them: `folder`/rtl and `folder`/library.lib (a link).
void prepare_sources(const Library& library, const std::vector<const BlockType*>& blocks, const std::string& folder);

/// Maps the block to the library with each of the mapping scripts. `folder` is new; its parent is prepared. A warning of
/// yosys is an error, because yosys takes some constructs with only a warning and makes a wrong netlist of them.
/// Throws InputError when yosys fails or leaves cells that are not the library's.
std::vector<Netlist> map_to_library(const tools::Tool& yosys, const BlockType& block, const Geometry& geometry,
                                    const Library& library, const std::string& folder, const std::atomic<bool>& stop);

/// Of a user's own block map_to_library() also leaves, in its folder, the gates before they are mapped, as this module.
inline constexpr const char* kGatesFile = "gates.v";
inline constexpr const char* kGatesModule = "gputlm_netlist";

/// Values of the parameters that the block's module is given. Throws InputError for one that a user's own does not have.
RtlParameters parameters_of(const BlockType& block, const Geometry& geometry);

/// yosys commands that read the sources and set the geometry; paths from a folder below the prepared one.
std::string read_commands(const BlockType& block, const Geometry& geometry);

/// Runs yosys on commands, warnings as errors.
void run_yosys(const tools::Tool& yosys, const std::string& commands, const std::string& folder,
               const std::atomic<bool>& stop);

/// What yosys' `stat -json` says of a flat design. Throws std::runtime_error if that is something else.
CellCounts read_cell_counts(const std::string& path);

}  // namespace gputlm::cost
