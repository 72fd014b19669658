/// The energy of a netlist from the activity of its nets: OpenSTA supplies leakage and transition times, the library's tables
/// the energy of each transition.
///
/// Debian's OpenSTA 2.0.17 has a power report, but it is not usable here: it replaces activities of internal pins by its own
/// estimate from the inputs', and adds up the energies of rise and fall for each transition of an output, where Liberty
/// counts one of them. So the sum is computed here, as Liberty defines it.
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

/// Indexed by net of a GateNetlist.
struct NetActivity {
  std::vector<double> toggles;  ///< toggles per clock cycle, on average
  std::vector<double> high;     ///< share of the time at 1, 0 to 1
};

/// Excludes wires and glitches. The drivers of the inputs, including the clock tree, are not part of the block.
struct Energy {
  double leakage_uw = 0;
  // Averages per clock cycle, pJ.
  double clock_pj = 0;      ///< clock pins of registers: internal power and capacitance
  double internal_pj = 0;   ///< internal power of cells as their pins toggle; without clock pins
  double switching_pj = 0;  ///< capacitance driven by outputs of cells
  unsigned registers = 0;   ///< number of clock pins
  double annotated = 0;     ///< share of the nets driven by cells whose activity OpenSTA was given
};

/// `folder`, below the prepared one (prepare_sources()), contains the netlist's file; `gates` is its contents. Throws
/// InputError if OpenSTA reports an error, or if less than 95 % of the nets are known.
Energy energy_of(const tools::Tool& sta, const BlockType& block, const Netlist& netlist, const GateNetlist& gates,
                 const NetActivity& activity, const Library& library, const PowerTables& tables,
                 const std::string& folder, const std::atomic<bool>& stop);

/// The effect of clock gating on the energy of registers' clock pins: clock energy relative to that of the block without
/// clock gates. yosys 0.23 cannot insert clock gates, so this is calculated from the registers' enables.
struct ClockGating {
  unsigned registers = 0, gated = 0;  ///< number of registers, and of those behind a gate
  unsigned gates = 0;
  /// With one gate for each enable that at least three registers share. A register is clocked when its enable is on, or
  /// always if it has none; a gate costs as much as a register's clock pin.
  double share = 1;
};

/// `unmapped`: netlist in yosys' own cells; `high`: share of the time at 1 of each of its nets.
ClockGating clock_gating(const GateNetlist& unmapped, const std::vector<double>& high);

}  // namespace gputlm::cost
