/// Blocks whose ends are known when they are sent: those that only spin, on an SM where no block slows another. The work
/// distributor need not send them: the SM tells it their ends, and counts them as if they had come. Times are cycles of
/// their common clock.
#pragma once

#include <cstdint>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/launch.h"

namespace gputlm {

class SmForesight {
 public:
  /// Sums over the blocks announced to the SM.
  struct Totals {
    std::uint64_t started = 0, ended = 0;
    Cycle resident = 0;  ///< cycles of ended blocks from start to end, except while they were off the SM
    Cycle active = 0;    ///< cycles with at least one block

    Totals& operator-=(const Totals& o) {
      started -= o.started, ended -= o.ended, resident -= o.resident, active -= o.active;
      return *this;
    }
  };

  virtual ~SmForesight() = default;

  /// `block`, one of `kernel`, starts in cycle `block.start`: fills in its end and its counters. Calls of start() and end()
  /// are in order of their cycles; in a cycle, start() comes first. The kernel's code may be requested several times, or
  /// never. Counts before cycle `past` will not be queried again.
  virtual void start(BlockLaunch& block, Kernel& kernel, Cycle past) = 0;
  /// `block` ends in cycle `block.end`; blocks that end in the same cycle come in order of their slots. Returns the cycle
  /// in which the completion leaves the SM.
  virtual Cycle end(const BlockLaunch& block) = 0;

  /// The totals at cycle `now`: everything earlier has been announced, and nothing later.
  virtual Totals totals(Cycle now) const = 0;
  /// The events in the `period` cycles from `past` on repeat `times` more times, each a period later; events announced for
  /// later move behind them. `each`: what a period adds to the totals; all its blocks are like `block`, which is resident.
  virtual void repeat(Cycle past, std::uint64_t times, Cycle period, const Totals& each, const BlockLaunch& block) = 0;
  /// The cycle from which the SM can send a completion.
  virtual Cycle link_free() const = 0;

  /// All resident blocks, which are of one application, stop after cycle `at`, in which a command to take them off arrives: no
  /// announced end is later, and none of theirs is earlier. Their ends are kNever until they are back. `past`: as in
  /// start(). When the SM has brought them back, it has set their new ends: only the SM accesses them from the command to do so
  /// until its answer.
  virtual void take_off(const std::vector<BlockLaunch*>& blocks, Cycle at, Cycle past) = 0;
  /// The blocks that the SM has brought back last.
  virtual const std::vector<BlockLaunch*>& brought_back() const = 0;
};

}  // namespace gputlm
