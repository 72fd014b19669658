/// A module beside the netlist that was made of it, under what a bench has shown to them. Included by what Verilator's class of
/// a module around both is compiled with (testbench/check/same_netlist.h): it has the ports of the design, and `source_o`
/// and `netlist_o` with the outputs of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/ports/values.h"

namespace gputlm {

/// By cycle the values of the inputs, rst_ni first.
using NetlistInputs = std::vector<std::vector<PortWords>>;

/// The first cycle in which an output differs.
struct NetlistDifference {
  std::uint64_t cycle = 0;
  PortWords source, netlist;
  PortWords differs;  ///< bits at 1
};

/// Registers begin with zeros in both. What `x` is, the source leaves open: each of `runs` has other bits there, and only
/// what is the same in all must be the netlist's. Before the first reset nothing may be expected of the outputs, and in
/// one nobody heeds them. True, with the difference, if there is one.
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

/// What a library of both offers: `make` is a BuiltDesign::make (testbench/kind/kind.h).
struct NetlistLibrary {
  void* make = nullptr;
  bool (*play)(const NetlistInputs& inputs, NetlistDifference& found) = nullptr;
};

}  // namespace gputlm
