/// The energy of a netlist from what its nets did: OpenSTA gives leakage and transition times, and the library's tables
/// the energy of each transition.
///
/// Debian's OpenSTA 2.0.17 has a power report, but not one for this: activities of pins behind others are replaced by its own
/// estimate from the inputs', and the energies of a rise and of a fall are added up for each transition of an output, where
/// Liberty has one of them. So that sum is made here, as Liberty defines it.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "testbench/cost/blocks.h"
#include "testbench/cost/gate_netlist.h"
#include "testbench/cost/library.h"
#include "testbench/cost/netlist.h"
#include "testbench/cost/power_tables.h"

namespace gputlm::cost {

/// By net of a GateNetlist.
struct NetActivity {
  std::vector<double> toggles;  ///< in a clock cycle, on average
  std::vector<double> high;     ///< share of the time at 1
};

/// Without wires and without glitches. What drives the inputs, the clock's tree among it, is not of the block.
struct Energy {
  double leakage_uw = 0;
  // In a clock cycle, on average, pJ.
  double clock_pj = 0;      ///< clock pins of registers: inside of them, and their capacitance
  double internal_pj = 0;   ///< inside of cells, as pins toggle; without clock pins
  double switching_pj = 0;  ///< capacitance that outputs of cells drive
  unsigned registers = 0;   ///< clock pins
  double annotated = 0;     ///< share of the nets driven by cells that OpenSTA was told the activity of
};

/// `folder`, below the prepared one (prepare_sources()), has the netlist's file; `gates` is what it says. Throws InputError
/// when OpenSTA finds something wrong, and when less than 95 % of the nets are known.
Energy energy_of(const tools::Tool& sta, const BlockType& block, const Netlist& netlist, const GateNetlist& gates,
                 const NetActivity& activity, const Library& library, const PowerTables& tables,
                 const std::string& folder, const std::atomic<bool>& stop);

}  // namespace gputlm::cost
