/// The properties of a sub-core's warps that a warp order may query, beyond the calls of warp_scheduler.h. They are
/// computed on request, for the cycle of the pick, so an order that does not use them pays nothing.
#pragma once

#include <cstdint>

#include "models/kernel/block_counters.h"
#include "models/kernel/instruction.h"
#include "tlm/identity.h"

namespace gputlm {

/// Warps are named by their slot. Query only slots that have a warp (WarpScheduler::assigned()), and only while pick() or
/// issued() runs: at other times the answers are those of some later cycle.
class WarpView {
 public:
  virtual ~WarpView() = default;
  /// Loads, atomics and asynchronous copies of the warp whose data the SM does not have yet: they wait for the load/store
  /// unit, or for a line that is on its way.
  virtual unsigned outstanding_loads(unsigned slot) const = 0;
  /// The warp's next instruction: operation, pipeline, memory space, registers.
  virtual const Instruction& next_instruction(unsigned slot) const = 0;
  /// Why the warp does not issue in this cycle; Stall::kNotSelected: its dependences are met, and it is a candidate as soon
  /// as its pipeline is free.
  virtual Stall waits_for(unsigned slot) const = 0;
  /// The warp's position in the order of arrival on the SM: smaller is older. Warps of a block are consecutive.
  virtual std::uint64_t age(unsigned slot) const = 0;
  /// Its application, stream, kernel, block, and number in the block.
  virtual Identity identity(unsigned slot) const = 0;
};

}  // namespace gputlm
