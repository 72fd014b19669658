/// A flat netlist of cells, as yosys' write_json has it, and the same as a module whose nets can be seen from outside.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gputlm::cost {

struct GateNetlist {
  using Net = unsigned;
  static constexpr Net kZero = ~0u, kOne = ~0u - 1;  ///< constants, which are no nets

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
    std::vector<Net> bits;  ///< from the lowest up
  };

  std::string top;
  std::vector<Port> ports;
  std::vector<Cell> cells;
  Net nets = 0;  ///< how many; numbered from 0

  /// The port that has this net as its only bit, an input: the clock. Throws std::runtime_error if there is none.
  Net clock(const std::string& port) const;
};

/// Reads the module `top` of the file. Throws std::runtime_error if that is something else.
GateNetlist read_gate_netlist(const std::string& path, const std::string& top);

/// Verilog of the same module, of the same ports, with one more: `nets_o`, the nets by number.
std::string with_nets_shown(const GateNetlist& netlist);

}  // namespace gputlm::cost
