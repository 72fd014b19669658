/// What a warp order may see of the warps of its sub-core, beside what it is told (warp_scheduler.h). It is looked up when
/// asked for, as of the cycle of the pick, so an order that does not ask pays nothing.
#pragma once

#include <cstdint>

#include "models/kernel/block_counters.h"
#include "models/kernel/instruction.h"
#include "tlm/identity.h"

namespace gputlm {

/// Warps are named by their slot. Questions are about slots that have a warp (WarpScheduler::assigned()), while pick() or
/// issued() runs: at other times the answers are those of some cycle since.
class WarpView {
 public:
  virtual ~WarpView() = default;
  /// Loads, atomics and asynchronous copies of the warp whose data the SM has not found yet: they wait in front of the
  /// load/store unit, or for a line that is on its way.
  virtual unsigned outstanding_loads(unsigned slot) const = 0;
  /// The instruction that it issues next: operation, pipeline, memory space, registers.
  virtual const Instruction& next_instruction(unsigned slot) const = 0;
  /// Why it does not issue in this cycle; Stall::kNotSelected: its dependences are met, and it is a candidate as soon as its
  /// pipeline is free.
  virtual Stall waits_for(unsigned slot) const = 0;
  /// Its place in the order of arrival on the SM: smaller is older. Warps of a block follow each other.
  virtual std::uint64_t age(unsigned slot) const = 0;
  /// Whose it is: application, stream, kernel, block, and the warp of that.
  virtual Identity identity(unsigned slot) const = 0;
};

}  // namespace gputlm
