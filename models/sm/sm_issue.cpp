/// Instruction issue of an SM: its sub-cores, cycle by cycle.
///
/// A sub-core runs ahead of the others as long as this has no visible effect. Operations on state that sub-cores share
/// happen at the cycle of the whole SM (SmCore::compute), in the order of the sub-cores: an instruction for the load/store
/// unit, a barrier, the end of a warp, a unit of shared work. So step_sub_core() continues past its first cycle only while
/// no warp that could issue, or that wakes, has such an operation next. Nothing affects a sub-core at a cycle that it has
/// already computed:
/// - new blocks, replies, commands, long waits, and results of the load/store unit come at outside_next() at the earliest,
///   which is the horizon. Instructions that the unit takes from other sub-cores meanwhile concern the warps there, except
///   for slots in the unit's queue; a sub-core with a warp that needs a slot does not run ahead;
/// - warps of other sub-cores wake a warp at a barrier: a sub-core with such a warp does not run ahead either. So shared
///   state is touched in the order of cycles, for every horizon.
#include <algorithm>
#include <functional>

#include "models/sm/sm_core.h"

namespace gputlm {
namespace {

constexpr auto kMemory = static_cast<unsigned>(Pipe::kLoadStore);

/// Whether the warp's next instruction touches state that it shares with others.
[[gnu::always_inline]] inline bool touches_shared(const Warp& warp) {
  if (warp.next->op != Op::kArithmetic) return true;  // some of these do not, but they are rare
  if (!warp.shares_work) return false;
  for (const Instruction* in = warp.next + 1; in->op == Op::kLoopEnd; ++in) {
    if (warp.loops[in->operand].iterations == LoopInfo::kAsk) return true;
  }
  return false;
}

/// Whether the warp has taken a branch: `in`, which it issued last, ends the body of a loop that it repeats, or a trace
/// continues elsewhere.
[[gnu::always_inline]] inline bool branched(const Instruction& in, const Warp& warp) {
  return in.pipe == Pipe::kControl && in.op == Op::kArithmetic && (warp.next <= &in || in.operand == kBranchTaken);
}

}  // namespace

void Warp::leave_loop() {
  while (true) {
    const LoopInfo& loop = loops[next->operand];
    std::uint32_t& done = position.loop[loop.depth];
    const bool asks = loop.iterations == LoopInfo::kAsk;
    if (done < (asks ? launch->code->loop(next->operand).iterations : loop.iterations)) {
      next = code + loop.start;
      return;
    }
    done = 0;
    if ((++next)->op != Op::kLoopEnd) return;
    ++position.loop[loops[next->operand].depth];
  }
}

/// Cycle until which the last sub-core at `now` is the only active part of the SM.
inline Cycle SmCore::others_idle_until(Cycle now, Cycle horizon) const {
  if (!runs_ahead_) return now + 1;
  const Cycle other = std::min({horizon, sub_cores_next_, load_store_.next()});
  return far_.empty() ? other : std::min(other, far_.front().at);
}

void SmCore::step_sub_cores(Cycle now, Cycle horizon) {
  const unsigned count = config_.sub_cores;
  sub_cores_next_ = kNever;
  for (unsigned left = count, i = memory_turn_; left > 0; --left, i = i + 1 == count ? 0 : i + 1) {
    SubCore& sub = sub_cores_[i];
    if (sub.next <= now) step_sub_core(sub, i, now, left > 1 ? now + 1 : others_idle_until(now, horizon), horizon);
    sub_cores_next_ = std::min(sub_cores_next_, sub.next);  // a later wake lowers it
  }
}

/// If some candidates touch shared state: the warp that issues regardless of other sub-cores. kNoWarp if it touches shared
/// state itself, or if the choice depends on whether the load/store unit is full.
inline unsigned SmCore::pick_ahead(const SubCore& sub, std::uint64_t candidates) {
  const unsigned slot = sub.scheduler->pick(candidates);
  if (slot == kNoWarp || sub.touch_shared >> slot & 1) return kNoWarp;
  const std::uint64_t memory = candidates & sub.wants[kMemory];
  return memory && sub.scheduler->pick(candidates & ~memory) != slot ? kNoWarp : slot;
}

void SmCore::step_sub_core(SubCore& sub, unsigned index, const Cycle first, const Cycle others_idle_until,
                           Cycle horizon) {
  if (sub.at_barriers > 0) horizon = first + 1;
  sub.queue_full = false;
  WarpScheduler& scheduler = *sub.scheduler;
  Cycle now = first;
  do {
    if (const std::uint64_t done = sub.wheel.at(now) & sub.exiting) {
      if (now >= others_idle_until) break;
      for (std::uint64_t left = done; left; left &= left - 1) {
        finish_warp(index * slots_ + static_cast<unsigned>(__builtin_ctzll(left)), now);
      }
      sub.ready |= sub.wheel.take(now) & ~done;
    } else {
      sub.ready |= sub.wheel.take(now);
    }
    std::uint64_t candidates = sub.candidates(now);
    unsigned slot = kNoWarp;
    if (candidates & sub.touch_shared) {
      if (now >= others_idle_until) {
        slot = pick_ahead(sub, candidates);
        if (slot == kNoWarp) break;
      } else if (load_store_.full() && candidates & sub.wants[kMemory]) {
        candidates &= ~sub.wants[kMemory];
        sub.queue_full = true;  // step_load_store() wakes them
        horizon = 0;
      }
    }
    if (slot == kNoWarp && candidates) slot = scheduler.pick(candidates);
    if (slot == kNoWarp) {  // no issue until another warp wakes or leaves, or a pipeline is free
      now = sub.next_candidates(now);
      continue;
    }
    Warp& warp = sub.warps[slot];
    const Instruction& in = *warp.next;
    if (sorters.watched()) {
      sorters.note({now, SorterEvent::Kind::kIssues, static_cast<std::uint8_t>(index), static_cast<std::uint8_t>(slot),
                    0, candidates});
    }
    scheduler.issued(slot);
    const PipeTiming timing = timing_of(in);
    book_issue(sub, slot, warp, timing, now);
    bool goes_on = true, at_once = false;
    if (in.op == Op::kArithmetic) {
      warp.write(in, stamp(now, WaitKind::kExecution) + timing.latency);
    } else {
      goes_on = issue_shared(sub, index, slot, now);
      horizon = 0;
    }
    if (goes_on) {
      warp.advance();
      if (branched(in, warp)) warp.held = std::max(warp.held, branch_ + stamp(now, {}));
      const Cycle at = dependences_met(sub, slot, warp, now);
      if (at == now + 1) {  // without the wheel: the host's next pick would depend on all of this cycle
        sub.ready |= std::uint64_t{1} << slot;
        at_once = sub.pipe_free[timing_of(*warp.next).pipe] <= at;
      } else if (at - now < WakeWheel::kSpan) {
        sub.wheel.add(at, std::uint64_t{1} << slot);
      } else if (at != kNever) {
        wake_later(sub, slot, at);
        horizon = std::min(horizon, at);
      }
    }
    scheduler.goes_on(at_once);
    now = sub.ready ? now + 1 : sub.wheel.next_after(now);
  } while (now < horizon);
  sub.next = now;
}

/// Counts the issue of the warp's next instruction and takes its pipeline.
[[gnu::always_inline]] inline void SmCore::book_issue(SubCore& sub, unsigned slot, Warp& warp, PipeTiming timing,
                                                      Cycle now) {
  const Instruction& in = *warp.next;
  const Cycle ready_at = cycle_of(warp.ready);
  BlockCounters& count = warp.launch->counters;
  ++count.instructions;
  count.thread_instructions += in.mask == ~0u ? kWarpSize : static_cast<unsigned>(__builtin_popcount(in.mask));
  count.stall[static_cast<unsigned>(stall_of(warp.ready))] += ready_at - warp.last_issue - 1;
  count.stall[static_cast<unsigned>(Stall::kNotSelected)] += now - ready_at;
  ++sub.issued;
  warp.last_issue = now;

  const std::uint64_t others = ~(std::uint64_t{1} << slot);
  sub.ready &= others;
  sub.wants[timing.pipe] &= others;
  sub.touch_shared &= others;
  sub.take_pipe(timing.pipe, now, now + timing.interval);
}

/// Issues an instruction that may touch shared state. Returns whether the warp proceeds to the next one by itself.
bool SmCore::issue_shared(SubCore& sub, unsigned index, unsigned slot, Cycle now) {
  Warp& warp = sub.warps[slot];
  const Instruction& in = *warp.next;
  const unsigned warp_index = index * slots_ + slot;
  BlockLaunch& launch = *warp.launch;
  switch (in.op) {
    case Op::kAsyncLoad: warp.copies.issue(); [[fallthrough]];
    case Op::kLoad:
    case Op::kAtomic:
    case Op::kStore:
      warp.write(in, kNever);
      memory_turn_ = index + 1 == config_.sub_cores ? 0 : index + 1;
      load_store_.issue(now, {warp_index, &in, &launch, warp.position});
      break;
    case Op::kBarrier:
      warp.advance();
      sub.scheduler->blocked(slot);
      arrive_at_barrier(sub, warp, in.operand % kBarriers, now);
      return false;
    case Op::kSpin:
      warp.hold(
          clock_.at_or_after(later(clock_.edge(launch.start + launch.preempted), launch.code->spin(in.operand, id_))),
          WaitKind::kHeldBySpin);
      sub.scheduler->blocked(slot);
      break;
    case Op::kMatrix: {
      const PipeTiming& timing = timing_of(in);
      const Cycle held = Cycle{timing.interval} * in.operand;
      sub.take_pipe(timing.pipe, now, now + held);
      warp.write(in, stamp(now, WaitKind::kExecution) + std::max(timing.latency, held << 2));
      break;
    }
    case Op::kCommitCopies: warp.copies.commit(); break;
    case Op::kAwaitCopies:
      if (const Cycle ready = warp.copies.await(in.operand); ready != kNever) {
        warp.hold(ready, WaitKind::kHeldByMemory);
        break;
      }
      warp.advance();
      warp.ready = kNever;
      sub.scheduler->blocked(slot);
      return false;
    case Op::kFence: return pass_fence(sub, warp_index, slot, now);
    case Op::kLaunchDependents:
      if (signals_ && !launch.let_go) {
        launch.let_go = true;
        signals_->send(launch.identity.kernel, now);
      }
      break;
    case Op::kGridDependencyWait:
      if (!launch.waits_for_grid) break;
      warp.advance();
      sub.scheduler->blocked(slot);
      wait_at(sub, warp, kGridDependency);
      return false;
    case Op::kExit:
      sub.scheduler->blocked(slot);
      exit_warp(warp_index, warp, now);
      return false;
    case Op::kClusterArrive:
    case Op::kClusterWait:
    case Op::kMbarrierInit:
    case Op::kMbarrierArrive:
    case Op::kMbarrierByCopies:
    case Op::kMbarrierWait:
    case Op::kBulkCopy:
    case Op::kAsyncStore: return issue_async(sub, warp_index, slot, now);
    case Op::kArithmetic:
    case Op::kLoopEnd: break;  // never here; Warp::advance() steps over ends of loops
  }
  return true;
}

/// Cycle in which the dependences of the warp's next instruction are met; also records in the sub-core what the instruction
/// will need. kNever: it waits for an outstanding load, and loaded() wakes it.
[[gnu::always_inline]] inline Cycle SmCore::dependences_met(SubCore& sub, unsigned slot, Warp& warp, Cycle now) {
  const Instruction& in = *warp.next;
  const Stamp met = warp.ready = warp.met(in, now);
  if (met == kNever) {
    sub.scheduler->blocked(slot);
    return kNever;
  }
  const std::uint64_t bit = std::uint64_t{1} << slot;
  sub.wants[timing_of(in).pipe] |= bit;
  if (touches_shared(warp)) sub.touch_shared |= bit;
  return cycle_of(met);
}

void SmCore::schedule(SubCore& sub, unsigned slot, Cycle now) {
  const Cycle at = dependences_met(sub, slot, sub.warps[slot], now);
  if (at != kNever) wake_at(sub, slot, at, now);
}

void SmCore::wake_at(SubCore& sub, unsigned slot, Cycle at, Cycle now) {
  if (at - now >= WakeWheel::kSpan) {
    wake_later(sub, slot, at);
    return;
  }
  sub.wheel.add(at, std::uint64_t{1} << slot);
  sub.next = std::min(sub.next, at);
  sub_cores_next_ = std::min(sub_cores_next_, at);
}

void SmCore::wake_later(const SubCore& sub, unsigned slot, Cycle at) {
  far_.push_back({at, static_cast<std::uint16_t>(warp_of(sub, slot))});
  std::push_heap(far_.begin(), far_.end(), std::greater<>());
}

}  // namespace gputlm
