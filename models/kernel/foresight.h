/// Blocks whose ends are known as soon as they are sent: those that only spin, on an SM where a block slows no other. The
/// work distributor need not send them then: the SM tells it what becomes of them, and counts them as if they had come.
/// Times are cycles of the clock that both have.
#pragma once

#include <cstdint>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/launch.h"

namespace gputlm {

class SmForesight {
 public:
  /// Sums over the blocks of which the SM has been told.
  struct Totals {
    std::uint64_t started = 0, ended = 0;
    Cycle resident = 0;  ///< of blocks that have ended, from start to end, but for when they were off the SM
    Cycle active = 0;    ///< with at least one block

    Totals& operator-=(const Totals& o) {
      started -= o.started, ended -= o.ended, resident -= o.resident, active -= o.active;
      return *this;
    }
  };

  virtual ~SmForesight() = default;

  /// `block`, one of `kernel`, comes in cycle `block.start`: says when it ends and what it counts. Calls of start() and
  /// end() are in order of their cycles; of those of a cycle, start() comes first. The kernel's code may be asked for
  /// several times, or never. Nobody asks any more for what was counted before cycle `past`.
  virtual void start(BlockLaunch& block, Kernel& kernel, Cycle past) = 0;
  /// `block` ends in cycle `block.end`; of blocks that end in the same cycle, the one with the lowest slot comes first.
  /// Returns the cycle in which its completion leaves the SM.
  virtual Cycle end(const BlockLaunch& block) = 0;

  /// As of cycle `now`: nothing later has been told, and all before has.
  virtual Totals totals(Cycle now) const = 0;
  /// What has been told to happen in the `period` cycles from `past` on happens `times` times more, a period later each
  /// time, and what has been told for later comes after that. `each`: what a period adds to the totals; all its blocks
  /// are as `block`, which is there.
  virtual void repeat(Cycle past, std::uint64_t times, Cycle period, const Totals& each, const BlockLaunch& block) = 0;
  /// The cycle from which on the SM can send a completion.
  virtual Cycle link_free() const = 0;

  /// All blocks that are there, of one application, stop after cycle `at`, in which a command comes to take them off: no end
  /// that has been told is later, and none of theirs is earlier. They end in kNever until they are back. `past`: as in
  /// start(). When the SM has brought them back, it has set their ends anew: it alone touches them from the command to do so
  /// until its answer.
  virtual void take_off(const std::vector<BlockLaunch*>& blocks, Cycle at, Cycle past) = 0;
  /// Those that have come back last.
  virtual const std::vector<BlockLaunch*>& brought_back() const = 0;
};

}  // namespace gputlm
