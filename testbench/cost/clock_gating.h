/// What clock gating would leave of the energy of registers' clock pins. yosys 0.23 has no gates of the clock to insert, so
/// this is a calculation from the registers' enables.
#pragma once

#include <vector>

#include "testbench/cost/gate_netlist.h"

namespace gputlm::cost {

/// Shares of the clock energy of a block without gates.
struct ClockGating {
  unsigned registers = 0, gated = 0;  ///< those behind a gate
  unsigned gates = 0;
  /// With a gate for each enable of three registers or more: a register gets the clock when its enable is on, one without
  /// always, and a gate costs what the clock pin of a register does.
  double share = 1;
};

/// `unmapped` are the cells of yosys, `high` the share of the time at 1 of each of its nets.
ClockGating clock_gating(const GateNetlist& unmapped, const std::vector<double>& high);

}  // namespace gputlm::cost
