/// One sub-core (processing block) of an SM: its warp slots, its pipelines, and when it next has work. The SM core
/// (sm_core.h) drives it.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "models/sm/warp.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {

/// The next cycles, each with the warps that wake then: constant time for all fixed latencies.
class WakeWheel {
 public:
  static constexpr Cycle kSpan = 64;
  void add(Cycle at, std::uint64_t warp) {
    slots_[at % kSpan] |= warp;
    occupied_ |= std::uint64_t{1} << (at % kSpan);
  }
  std::uint64_t at(Cycle now) const { return slots_[now % kSpan]; }
  std::uint64_t take(Cycle now) {
    const std::uint64_t warps = slots_[now % kSpan];
    slots_[now % kSpan] = 0;
    occupied_ &= ~(std::uint64_t{1} << (now % kSpan));
    return warps;
  }
  /// First occupied cycle after `now`; all occupied cycles lie within the span.
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
  std::vector<Warp> warps;                    ///< indexed by slot
  std::uint64_t free = 0;                     ///< slots without a warp
  std::uint64_t exiting = 0;                  ///< warps past their last instruction
  std::uint64_t draining = 0;                 ///< of these, and of those at a fence: warps with accesses in flight
  unsigned at_barriers = 0;                   ///< number of its warps at barriers
  std::uint64_t ready = 0;                    ///< warps whose next instruction's dependences are met at `next`
  std::array<std::uint64_t, kPipes> wants{};  ///< ready warps by the pipeline of their next instruction
  std::uint64_t touch_shared = 0;             ///< ready warps whose next instruction touches state shared by sub-cores
  std::array<Cycle, kPipes> pipe_free{};      ///< first cycle in which each pipeline can take an instruction
  unsigned busy = 0;        ///< pipelines, one bit each, that may be busy in the next cycle, except last_pipe
  unsigned last_pipe = 0;   ///< pipeline of the last instruction
  Cycle next = kNever;      ///< cycle of the next step; all earlier cycles have been computed
  bool queue_full = false;  ///< in the last step the load/store unit's queue was full for a warp
  WakeWheel wheel;
  std::unique_ptr<WarpScheduler> scheduler;
  std::uint64_t issued = 0;  ///< number of cycles in which an instruction was issued

  /// Warps whose next instruction has its dependences met and its pipeline free.
  std::uint64_t candidates(Cycle now) {
    std::uint64_t warps_of_free = ready;
    if (pipe_free[last_pipe] > now) warps_of_free &= ~wants[last_pipe];
    for (unsigned left = busy; left; left &= left - 1) {
      const auto p = static_cast<unsigned>(__builtin_ctz(left));
      if (pipe_free[p] <= now) {
        busy &= ~(1u << p);
      } else {
        warps_of_free &= ~wants[p];
      }
    }
    return warps_of_free;
  }
  /// A pipeline takes an instruction at `now`, and none before `until`. Most are free again at the next issue.
  void take_pipe(unsigned pipe, Cycle now, Cycle until) {
    if (pipe_free[last_pipe] > now + 1) busy |= 1u << last_pipe;
    pipe_free[pipe] = until;
    last_pipe = pipe;
  }
  /// Cycle in which the candidates may change, given that none could issue at `now`.
  Cycle next_candidates(Cycle now) const {
    Cycle at = wheel.next_after(now);
    for (unsigned p = 0; p < kPipes; ++p) {
      if (pipe_free[p] > now && ready & wants[p]) at = std::min(at, pipe_free[p]);
    }
    return at;
  }
};

}  // namespace gputlm
