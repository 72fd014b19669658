/// Static timing analysis by OpenSTA.
#pragma once

#include <optional>
#include <string>

#include "testbench/cost/blocks.h"
#include "testbench/cost/library.h"
#include "testbench/cost/netlist.h"

namespace gputlm::cost {

/// The longest path of each type, ns; none if there is no such path. A path that ends in a register includes its setup time,
/// one that begins in a register its clock-to-output time. The clock is ideal, wires have no delay, inputs arrive at the
/// clock edge (driven by an inverter), outputs are sampled at the next edge.
struct PathDelays {
  std::optional<double> register_to_register, input_to_register, register_to_output, input_to_output;

  /// The longest path of all: the minimum clock period of the block. Throws std::runtime_error if there is no path.
  double critical() const;
};

/// Throws InputError if OpenSTA reports an error in the library or the netlist, or if there is no path.
PathDelays analyse_timing(const tools::Tool& sta, const BlockType& block, const Netlist& netlist,
                          const Library& library, const std::string& folder, const std::atomic<bool>& stop);

/// The library's intrinsic unit of time, ns: the delay of its smallest inverter driving four of its kind, averaged over both
/// edges and without the ends of the chain in which it is measured. `folder` is prepared (prepare_sources()).
double fan_out_of_four(const tools::Tool& sta, const Library& library, const std::string& folder,
                       const std::atomic<bool>& stop);

}  // namespace gputlm::cost
