/// One sub-core (processing block) of an SM: its warp slots, its pipelines, and when it next has something to do.
/// The SM core (sm_core.h) drives it.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/sm/config.h"
#include "models/sm/warp_scheduler.h"
#include "tlm/launch.h"

namespace gputlm {

/// Scoreboard entry: the cycle from which a register can be read, times two, plus one if a load wrote it (so that a
/// wait for it counts as a memory stall). kNever: an outstanding load will.
using RegisterStamp = std::uint64_t;

/// The asynchronous copies of a warp and the groups that they are in. They count as ended in their order, whichever ends.
class AsyncCopies {
 public:
  void issue() { ++issued_; }
  void commit() { last_[groups_++ % kGroups] = issued_; }
  /// The warp waits until at most `left` groups are under way; the cycle from which it need not, kNever if that is not
  /// known yet.
  Cycle await(std::uint32_t left) {
    if (left >= groups_) return 0;
    // Of groups that are no longer told apart, nothing is known but that the oldest that is came after them.
    awaited_ = last_[(groups_ - 1 - std::min(left, kGroups - 1)) % kGroups];
    return awaits() ? kNever : ready_;
  }
  /// The data of one are there at `at`; true if the warp has waited for it, and goes on at ready().
  bool end(Cycle at) {
    const bool awaited = awaits();
    ready_ = std::max(ready_, at);
    ++ended_;
    return awaited && !awaits();
  }
  Cycle ready() const { return ready_; }
  bool awaits() const { return ended_ < awaited_; }

 private:
  static constexpr std::uint32_t kGroups = 8;  ///< more than programs keep under way
  std::uint32_t issued_ = 0, ended_ = 0;
  std::uint32_t awaited_ = 0;  ///< so many are to end before the warp goes on
  std::uint32_t groups_ = 0;
  Cycle ready_ = 0;                            ///< of those that have ended, the last data
  std::array<std::uint32_t, kGroups> last_{};  ///< issued when the latest groups were committed
};

struct Warp {
  const Instruction* code = nullptr;
  std::uint32_t pc = 0;
  std::uint32_t outstanding = 0;  ///< memory instructions and stores under way
  WarpPosition position;
  Cycle last_issue = 0;
  Cycle ready_at = 0;            ///< dependences of the next instruction are met from here on
  Cycle held_until = 0;          ///< end of the slot's last wait for a time: past, unless it is this warp's
  Stall held_by = Stall::kSpin;  ///< what that wait is for
  AsyncCopies copies;
  Cycle drained_at = 0;            ///< latest result of a load
  Stall wait = Stall::kExecution;  ///< what ready_at waits for
  bool waits_for_load = false;     ///< or for copies: ready_at is not known yet
  std::uint8_t barrier = 0;        ///< the barrier it waits at
  bool at_barrier = false;
  std::uint16_t block = 0;  ///< block slot of the SM
  std::array<RegisterStamp, kRegisters> registers{};
};

/// Adds what a warp that has not exited has waited for since it last issued, before cycle `until`.
void add_wait(const Warp& warp, Cycle until, BlockCounters& counters);

/// Cycles close ahead, each with the warps that wake then: constant time for all fixed latencies.
class WakeWheel {
 public:
  static constexpr Cycle kSpan = 64;
  void add(Cycle at, std::uint64_t warp) {
    slots_[at % kSpan] |= warp;
    occupied_ |= std::uint64_t{1} << (at % kSpan);
  }
  std::uint64_t take(Cycle now) {
    const std::uint64_t warps = slots_[now % kSpan];
    slots_[now % kSpan] = 0;
    occupied_ &= ~(std::uint64_t{1} << (now % kSpan));
    return warps;
  }
  /// First occupied cycle after `now`, all of which lie within the span.
  Cycle next_after(Cycle now) const {
    if (!occupied_) return kNever;
    const unsigned shift = (now + 1) % kSpan;
    const std::uint64_t rotated = shift ? occupied_ >> shift | occupied_ << (kSpan - shift) : occupied_;
    return now + 1 + static_cast<unsigned>(__builtin_ctzll(rotated));
  }

 private:
  std::uint64_t occupied_ = 0;
  std::array<std::uint64_t, kSpan> slots_{};
};

struct SubCore {
  std::vector<Warp> warps;                    ///< by slot
  std::uint64_t free = 0;                     ///< slots without a warp
  std::uint64_t exiting = 0;                  ///< warps past their last instruction
  std::uint64_t ready = 0;                    ///< warps whose next instruction has its dependences met
  std::array<std::uint64_t, kPipes> wants{};  ///< ready warps by the pipeline of their next instruction
  std::array<Cycle, kPipes> pipe_free{};      ///< cycle from which each pipeline takes an instruction
  unsigned busy = 0;                          ///< pipelines, a bit each, that may not take one in the next cycle
  Cycle next = kNever;                        ///< cycle of the next step
  WakeWheel wheel;
  std::unique_ptr<WarpScheduler> scheduler;
  std::uint64_t issued = 0;  ///< cycles in which an instruction was issued
};

}  // namespace gputlm
