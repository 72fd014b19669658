/// A flat netlist of cells, from yosys' write_json, and the same as a module whose nets are visible from outside.
#pragma once

#include <map>
#include <string>
#include <vector>

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
    std::vector<Net> bits;  ///< from the lowest bit up
  };

  std::string top;
  std::vector<Port> ports;
  std::vector<Cell> cells;
  Net nets = 0;  ///< number of nets, numbered from 0

  /// The input port whose only bit is this net: the clock. Throws std::runtime_error if there is none.
  Net clock(const std::string& port) const;
};

/// Reads the module `top` of the file. Throws std::runtime_error if the file has another form.
GateNetlist read_gate_netlist(const std::string& path, const std::string& top);

/// Verilog of the same module with one more port, `nets_o`: the nets by number.
std::string with_nets_shown(const GateNetlist& netlist);

}  // namespace gputlm::cost
