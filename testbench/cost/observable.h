/// Netlists whose nets can be counted during simulation (testbench/lockstep/observed_nets.h): a file list for Verilator, and
/// the nets.
#pragma once

#include <atomic>
#include <string>

#include "testbench/cost/blocks.h"
#include "testbench/cost/gate_netlist.h"
#include "testbench/cost/netlist.h"

namespace gputlm::cost {

struct ObservableNetlist {
  GateNetlist gates;
  std::string list;  ///< TOP.f, the files that define the module TOP and its cells
};

/// A netlist of library cells, each as a module of its function. `folder`: where map_to_library() made the netlist.
ObservableNetlist observe_mapped(const tools::Tool& yosys, const BlockType& block, const Netlist& netlist,
                                 const std::string& folder, const std::atomic<bool>& stop);

/// The netlist before mapping, in yosys' own cells, whose names show registers with an enable (`$_DFFE_PP_`, pin E).
ObservableNetlist observe_unmapped(const tools::Tool& yosys, const BlockType& block, const Geometry& geometry,
                                   const std::string& folder, const std::atomic<bool>& stop);

}  // namespace gputlm::cost
