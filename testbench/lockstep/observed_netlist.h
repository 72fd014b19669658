/// Compares a module with a netlist made from it, using inputs from a bench. This header is compiled with Verilator's class
/// of a module around both (testbench/check/same_netlist.h); that module has the ports of the design, and `source_o` and
/// `netlist_o` with the outputs of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/ports/values.h"

namespace gputlm {

/// The values of the inputs by cycle, rst_ni first.
using NetlistInputs = std::vector<std::vector<PortWords>>;

/// The first cycle in which an output differs.
struct NetlistDifference {
  std::uint64_t cycle = 0;
  PortWords source, netlist;
  PortWords differs;  ///< bits in which it differs are 1
};

/// Registers start with zeros in both. The source leaves `x` undefined: each of `runs` uses other bits for it, and only
/// outputs that are equal in all runs must equal the netlist's. Outputs are undefined before the first reset and ignored
/// during a reset. True, with the difference, if there is one.
template <class Runs>
bool differs(Runs& runs, const NetlistInputs& inputs, NetlistDifference& found) {
  bool begun = false;
  for (std::uint64_t cycle = 0; cycle < inputs.size(); ++cycle) {
    const bool reset = inputs[cycle].front()[0] == 0;
    begun = begun || reset;
    for (auto& run : runs) run.settle(inputs[cycle]);
    if (begun && !reset) {
      PortWords open(runs.front().source().size());
      for (auto& run : runs) {
        for (std::size_t w = 0; w < open.size(); ++w) open[w] |= run.source()[w] ^ runs.front().source()[w];
      }
      for (auto& run : runs) {
        found = {cycle, run.source(), run.netlist(), {}};
        bool any = false;
        for (std::size_t w = 0; w < open.size(); ++w) {
          found.differs.push_back((found.source[w] ^ found.netlist[w]) & ~open[w]);
          any = any || found.differs.back() != 0;
        }
        if (any) return true;
      }
    }
    for (auto& run : runs) run.rise(inputs[cycle]);
  }
  return false;
}

/// The interface of a library with both: `make` is a BuiltDesign::make (testbench/kind/kind.h).
struct NetlistLibrary {
  void* make = nullptr;
  bool (*play)(const NetlistInputs& inputs, NetlistDifference& found) = nullptr;
};

}  // namespace gputlm
