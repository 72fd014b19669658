/// The same block on an FPGA: iCE40 HX8K (7680 logic cells of a four-input table and a flip-flop), speed from nextpnr.
#pragma once

#include <optional>
#include <string>

#include "testbench/cost/blocks.h"
#include "testbench/cost/netlist.h"

namespace gputlm::cost {

struct FpgaCost {
  unsigned lookup_tables = 0, flip_flops = 0;
  /// Nothing when the block does not fit the device.
  std::optional<unsigned> logic_cells;
  std::optional<double> register_to_register_mhz;  ///< paths from and to pins are not in it
};

/// `folder` is that of map_to_library(). One placement, with seed 1: placements differ by about a tenth in speed.
/// Throws InputError when a tool fails for another reason than a lack of room.
FpgaCost map_to_ice40(const tools::Tool& yosys, const tools::Tool& nextpnr, const BlockType& block,
                      const Geometry& geometry, const std::string& folder, const std::atomic<bool>& stop);

}  // namespace gputlm::cost
