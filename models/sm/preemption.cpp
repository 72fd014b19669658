/// Preemption at instruction boundaries (cuda-hierarchy, section III-A): the SM stops issuing and lets accesses end; their
/// results go to registers. The blocks' state, which includes barriers, loop positions and the scoreboard, is written to
/// memory, and read back before they continue in the same slots. The contents of the L1 are lost: the other application's
/// addresses are different.
#include <algorithm>
#include <cassert>

#include "models/sm/sm_core.h"

namespace gputlm {

void SmCore::allow_preemption() {
  preemption_ = std::make_unique<Preemption>(network_, accesses_, l1_.port());
  extended_ = true;
  runs_ahead_ = false;
}

Cycle SmCore::preemption_next() const {
  return preemption_->command ? preemption_->transfer.next() : preemption_->commands.next();
}

/// Called after everything else in cycle `now`.
void SmCore::step_preemption(Cycle now) {
  Preemption& p = *preemption_;
  if (!p.command) {
    if (!p.commands.ready(now)) return;
    begin_switch(now);
  }
  if (p.stopping) {
    if (!drained()) return;
    p.stopping = false;
    take_off(now);
  }
  p.transfer.step(now);
  if (p.transfer.active()) return;
  if (p.command->brings_back) {
    bring_back(now);
  } else if (!p.off.empty() && p.off.back().application == p.command->application) {
    p.command->stuck = p.off.back().stuck;
    end_switch(now, static_cast<unsigned>(p.off.back().blocks.size()), p.off.back().bytes);
  } else {
    end_switch(now, 0, 0);
  }
}

void SmCore::begin_switch(Cycle now) {
  Preemption& p = *preemption_;
  p.command = &p.commands.pop(now);
  if (!p.command->brings_back) {
    p.stopping = true;
    p.since = now + 1;
    for (SubCore& sub : sub_cores_) {  // no pipeline issues
      sub.pipe_free.fill(kNever);
      sub.busy = (1u << kPipes) - 1;
    }
    return;
  }
  assert(resident_ == 0);
  const auto off =
      std::find_if(p.off.begin(), p.off.end(), [&](const Off& o) { return o.application == p.command->application; });
  assert(off != p.off.end());
  std::rotate(off, off + 1, p.off.end());  // to the back
  Identity who;
  who.application = p.command->application;
  who.sm = id_;
  p.transfer.begin(now + 1, save_area(config_, p.command->application, id_), p.off.back().bytes, false, who);
}

/// Whether nothing in flight can still change the state of the resident blocks.
bool SmCore::drained() const {
  return l1_.mshrs_in_use() == 0 && load_store_.idle() && (!async_ || async_->tma.idle()) &&
         std::none_of(sub_cores_.begin(), sub_cores_.end(), [](const SubCore& sub) { return sub.exiting != 0; });
}

void SmCore::take_off(Cycle now) {
  Preemption& p = *preemption_;
  for (SubCore& sub : sub_cores_) sub.pipe_free.fill(0);
  if (resident_ == 0) return;
  Off off{p.command->application, p.since, 0, true, {}, {}};
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (!blocks_[b].launch) continue;
    assert(blocks_[b].launch->identity.application == off.application);
    off.bytes += state_of_block(*blocks_[b].launch->kernel, blocks_[b].live);
    off.blocks.emplace_back(b, blocks_[b]);
  }
  std::sort(off.blocks.begin(), off.blocks.end(),
            [](const auto& a, const auto& b) { return a.second.number < b.second.number; });
  Cycle settled = now + 1;
  for (const auto& [place, block] : off.blocks) {
    for (const unsigned index : block.warps) {
      SubCore& sub = sub_core_of(index);
      const unsigned slot = slot_of(index);
      Warp& warp = sub.warps[slot];
      if (sub.free >> slot & 1 || warp.block != place) continue;
      add_wait(warp, off.since, blocks_[place].launch->counters);
      settled = std::max(settled, cycle_of(*std::max_element(warp.registers.begin(), warp.registers.end())));
      off.stuck = off.stuck && warp.at_barrier && warp.barrier <= kGridDependency;
      off.warps.emplace_back(index, warp);
      if (warps.watched()) note(index, warp, BlockOnSm::Event::kTakenOff, now);
      warp.at_barrier = false;
      sub.free |= std::uint64_t{1} << slot;
      release(sub, slot, now);
    }
    if (blocks.watched()) note(block, BlockOnSm::Event::kTakenOff, now);
    blocks_[place].launch = nullptr;
  }
  for (SubCore& sub : sub_cores_) {
    sub.ready = 0;
    sub.wants.fill(0);
    sub.touch_shared = 0;
    sub.at_barriers = 0;
    sub.queue_full = false;
    sub.wheel = WakeWheel();
    sub.next = kNever;
  }
  sub_cores_next_ = kNever;
  far_.clear();
  resident_ = 0;
  statistics_.active_cycles += now - active_since_;
  l1_.invalidate();
  Identity who;
  who.application = off.application;
  who.sm = id_;
  p.off.push_back(std::move(off));
  p.transfer.begin(settled, save_area(config_, p.command->application, id_), p.off.back().bytes, true, who);
}

void SmCore::bring_back(Cycle now) {
  Preemption& p = *preemption_;
  const Off off = std::move(p.off.back());
  p.off.pop_back();
  const Cycle away = now + 1 - off.since;
  active_since_ = now;
  resident_ = static_cast<unsigned>(off.blocks.size());
  l1_.divide(off.blocks.front().second.launch->carveout);
  for (const auto& [place, block] : off.blocks) {
    blocks_[place] = block;
    block.launch->preempted += away;
    if (blocks.watched()) note(block, BlockOnSm::Event::kBack, now);
  }
  for (const auto& [index, saved] : off.warps) {
    SubCore& sub = sub_core_of(index);
    const unsigned slot = slot_of(index);
    Warp& warp = sub.warps[slot] = saved;
    BlockLaunch& launch = *blocks_[warp.block].launch;
    launch.counters.stall[static_cast<unsigned>(Stall::kPreempted)] += away;
    if (warps.watched()) note(index, warp, BlockOnSm::Event::kBack, now);
    warp.last_issue = now;
    warp.pause(off.since, away);
    sub.free &= ~(std::uint64_t{1} << slot);
    assign(sub, slot, launch.budget, now);
    if (warp.at_barrier) {
      ++sub.at_barriers;
      sub.scheduler->blocked(slot);
    } else {
      schedule(sub, slot, now);
    }
  }
  end_switch(now, resident_, off.bytes);
}

void SmCore::end_switch(Cycle now, unsigned moved, Bytes bytes) {
  Preemption& p = *preemption_;
  p.command->blocks = moved;
  p.command->bytes = bytes;
  p.done.send(std::max(now, p.done.ready_at()), *p.command);
  p.command = nullptr;
}

}  // namespace gputlm
