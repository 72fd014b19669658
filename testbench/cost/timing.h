/// Static timing analysis by OpenSTA.
#pragma once

#include <optional>
#include <string>

#include "testbench/cost/blocks.h"
#include "testbench/cost/library.h"
#include "testbench/cost/netlist.h"

namespace gputlm::cost {

/// The longest path of each kind, ns; nothing where there is no such path. What ends in a register includes its setup
/// time, what begins in one its clock-to-output time. The clock is ideal, wires have no delay, inputs arrive at the
/// clock edge (driven by an inverter), outputs are sampled at the next one.
struct PathDelays {
  std::optional<double> register_to_register, input_to_register, register_to_output, input_to_output;

  /// The longest of all: the clock period that the block needs. Throws std::runtime_error if there is no path.
  double critical() const;
};

/// Throws InputError when OpenSTA finds something wrong with the library or the netlist, or
/// no path at all.
PathDelays analyse_timing(const tools::Tool& sta, const BlockType& block, const Netlist& netlist,
                          const Library& library, const std::string& folder, const std::atomic<bool>& stop);

/// The library's own unit of time, ns: the delay of its smallest inverter when it drives four of its kind, averaged over
/// both edges and without the ends of the chain that it is measured in. `folder` is prepared (prepare_sources()).
double fan_out_of_four(const tools::Tool& sta, const Library& library, const std::string& folder,
                       const std::atomic<bool>& stop);

}  // namespace gputlm::cost
