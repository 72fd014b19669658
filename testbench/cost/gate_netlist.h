/// A flat netlist of cells, from yosys' write_json, and the same for Verilator as a module whose nets are visible from outside.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "testbench/cost/blocks.h"
#include "testbench/cost/netlist.h"

namespace gputlm::cost {

struct GateNetlist {
  using Net = unsigned;
  static constexpr Net kZero = ~0u, kOne = ~0u - 1;  ///< constants, not nets

  struct Pin {
    Net net;
    bool output;
  };
  struct Cell {
    std::string name, type;
    std::map<std::string, Pin> pins;
  };
  struct Port {
    std::string name;
    bool input;
    std::vector<Net> bits;  ///< nets of the port, from the lowest bit up
  };

  std::string top;
  std::vector<Port> ports;
  std::vector<Cell> cells;
  Net nets = 0;  ///< number of nets, numbered from 0

  /// The input port whose only bit is this net: the clock. Throws std::runtime_error if there is none.
  Net clock(const std::string& port) const;
};

/// A netlist whose nets can be counted during simulation (testbench/lockstep/observed_nets.h).
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
