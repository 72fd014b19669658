/// Netlists whose nets can be counted as they run (testbench/lockstep/observed_nets.h): a file list for Verilator, and what
/// its nets are.
#pragma once

#include <atomic>
#include <string>

#include "testbench/cost/blocks.h"
#include "testbench/cost/gate_netlist.h"
#include "testbench/cost/netlist.h"

namespace gputlm::cost {

struct ObservableNetlist {
  GateNetlist gates;
  std::string list;  ///< TOP.f, of the files that define the module TOP and its cells
};

/// Of a netlist in cells of the library, each as a module of its function. `folder`: where map_to_library() has made it.
ObservableNetlist observe_mapped(const tools::Tool& yosys, const BlockType& block, const Netlist& netlist,
                                 const std::string& folder, const std::atomic<bool>& stop);

/// Before it is mapped: in yosys' own cells, of which a register with an enable says so (`$_DFFE_PP_`, its pin E).
ObservableNetlist observe_unmapped(const tools::Tool& yosys, const BlockType& block, const Geometry& geometry,
                                   const std::string& folder, const std::atomic<bool>& stop);

}  // namespace gputlm::cost
