/// The block on an FPGA: iCE40 HX8K (7680 logic cells of a four-input lookup table and a flip-flop), with nextpnr's timing.
#pragma once

#include <optional>
#include <string>

#include "testbench/cost/blocks.h"
#include "testbench/cost/netlist.h"

namespace gputlm::cost {

struct FpgaCost {
  unsigned lookup_tables = 0, flip_flops = 0;
  /// None if the block does not fit on the device.
  std::optional<unsigned> logic_cells;
  std::optional<double> register_to_register_mhz;  ///< clock frequency, not counting paths from and to pins
};

/// `folder`: as for map_to_library(). A single placement, with seed 1; other placements differ by about a tenth in speed.
/// Throws InputError if a tool fails for any reason other than a lack of space.
FpgaCost map_to_ice40(const tools::Tool& yosys, const tools::Tool& nextpnr, const BlockType& block,
                      const Geometry& geometry, const std::string& folder, const std::atomic<bool>& stop);

}  // namespace gputlm::cost
