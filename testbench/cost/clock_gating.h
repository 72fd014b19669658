/// Estimates how much clock gating would save of the energy of registers' clock pins. yosys 0.23 cannot insert clock gates,
/// so this is calculated from the registers' enables.
#pragma once

#include <vector>

#include "testbench/cost/gate_netlist.h"

namespace gputlm::cost {

/// Clock energy relative to that of the block without clock gates.
struct ClockGating {
  unsigned registers = 0, gated = 0;  ///< registers behind a gate
  unsigned gates = 0;
  /// With one gate for each enable that at least three registers share. A register is clocked when its enable is on, or
  /// always if it has none; a gate costs as much as a register's clock pin.
  double share = 1;
};

/// `unmapped`: netlist in yosys' own cells; `high`: share of the time at 1 of each of its nets.
ClockGating clock_gating(const GateNetlist& unmapped, const std::vector<double>& high);

}  // namespace gputlm::cost
