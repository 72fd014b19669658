#include "models/sm/sm_core.h"

#include <algorithm>
#include <functional>

#include "models/kernel/shared_work.h"
#include "tlm/counter_table.h"

namespace gputlm {
namespace {

/// The warp's next instruction does not issue before `until`.
void hold(Warp& warp, Cycle until, Stall reason) {
  warp.held_until = until;
  warp.held_by = reason;
}

constexpr RegisterStamp stamp(Cycle at, bool from_memory) { return at * 2 + (from_memory ? 1 : 0); }

/// The warp has come to the end of a loop: it goes on at its start, or behind it.
void end_loop(Warp& warp, const BlockCode& code) {
  do {
    const LoopInfo loop = code.loop(warp.code[warp.pc].operand);
    std::uint32_t& done = warp.position.loop[loop.depth];
    if (++done < loop.iterations) {
      warp.pc = loop.start;
      return;
    }
    done = 0;
    ++warp.pc;
  } while (warp.code[warp.pc].op == Op::kLoopEnd);
}

}  // namespace

SmCore::SmCore(const SmConfig& config, SmId id, const Clock& clock, const NetworkInterface& network,
               AccessSource& accesses, std::unique_ptr<SmTlb> tlb)
    : config_(config), id_(id), clock_(clock), slots_(config.warps / config.sub_cores), sub_cores_(config.sub_cores),
      blocks_(config.blocks), launches_(config.blocks), completions_(1, config.blocks), ended_(config.blocks),
      replies_(network.link.response.queue), accesses_(accesses), l1_(config.l1, network, accesses),
      tlb_(std::move(tlb)), load_store_(config, l1_, tlb_.get(), *this), network_(network) {
  pipes_ = {config.fp32, config.integer, config.fp64, config.sfu, config.tensor, config.load_store, config.control};
  for (unsigned p = 0; p < kPipes; ++p) pipe_index_[p] = p;
  if (config.fp_int_shared) pipe_index_[static_cast<unsigned>(Pipe::kInt)] = static_cast<unsigned>(Pipe::kFp32);
  for (SubCore& sub : sub_cores_) {
    sub.warps.resize(slots_);
    sub.free = slots_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << slots_) - 1;
    sub.scheduler = make_warp_scheduler(config.warp_scheduler, {slots_, config.options});
  }
}

PolicyTally SmCore::policies() const {
  PolicyTally tally;
  PolicyCounts& counts = tally.of(warp_schedulers(), config_.warp_scheduler);
  for (const SubCore& sub : sub_cores_) sub.scheduler->count(counts);
  return tally;
}

Cycle SmCore::advance(Cycle until) { return preemption_ || tlb_ ? compute<true>(until) : compute<false>(until); }

template <bool kExtended>
Cycle SmCore::compute(Cycle until) {
  load_store_.refresh();
  Cycle next = kNever;
  while (true) {
    const Cycle outside = outside_next<kExtended>();
    next = outside;
    for (const SubCore& sub : sub_cores_) next = std::min(next, sub.next);
    if (next >= until) break;
    now_ = next;
    if (outside <= next) step_outside<kExtended>(next);
    const auto count = static_cast<unsigned>(sub_cores_.size());
    for (unsigned k = 0, i = memory_turn_; k < count; ++k, i = i + 1 == count ? 0 : i + 1) {
      if (sub_cores_[i].next <= next) step(sub_cores_[i], i, next);
    }
    if (kExtended && preemption_) step_preemption(next);
  }
  l1_.drain(until);
  send_completions(until);
  next = std::min(next, l1_.drain_next());
  return ended_.empty() ? next : std::min(next, completions_.ready_at());
}

template <bool kExtended>
Cycle SmCore::outside_next() const {
  Cycle next = std::min(std::min(launches_.next(), replies_.next()), load_store_.next());
  if (kExtended && tlb_) next = std::min(next, tlb_->next());
  if (kExtended && preemption_) next = std::min(next, preemption_next());
  return far_.empty() ? next : std::min(next, far_.front().at);
}

template <bool kExtended>
void SmCore::step_outside(Cycle now) {
  while (launches_.ready(now)) start_block(launches_.pop(now), now);
  while (replies_.ready(now)) {
    Access& reply = replies_.pop(now);
    if (kExtended && reply.slot == StateTransfer::kSlot) {
      preemption_->transfer.reply();
    } else {
      load_store_.reply(now, reply);
    }
    accesses_.release(reply);
  }
  if (kExtended && tlb_ && tlb_->next() <= now) {
    tlb_->step(now);
    load_store_.translated(now);
  }
  while (!far_.empty() && far_.front().at <= now) {
    const unsigned warp = far_.front().warp;
    std::pop_heap(far_.begin(), far_.end(), std::greater<>());
    far_.pop_back();
    wake_at(warp, now, now);
  }
  if (load_store_.next() <= now) load_store_.step(now);
}

void SmCore::step(SubCore& sub, unsigned index, Cycle now) {
  std::uint64_t woken = sub.wheel.take(now);
  if (std::uint64_t done = woken & sub.exiting) {
    woken &= ~done;
    for (; done; done &= done - 1) finish_warp(index * slots_ + static_cast<unsigned>(__builtin_ctzll(done)), now);
  }
  sub.ready |= woken;
  sub.next = sub.wheel.next_after(now);
  std::uint64_t candidates = sub.ready;
  if (!candidates) return;
  for (unsigned left = sub.busy; left; left &= left - 1) {
    const auto p = static_cast<unsigned>(__builtin_ctz(left));
    if (sub.pipe_free[p] <= now) {
      sub.busy &= ~(1u << p);
    } else if (const std::uint64_t blocked = candidates & sub.wants[p]) {
      candidates &= ~blocked;
      sub.next = std::min(sub.next, sub.pipe_free[p]);
    }
  }
  constexpr auto kMemory = static_cast<unsigned>(Pipe::kLoadStore);
  if (load_store_.full()) candidates &= ~sub.wants[kMemory];  // queue_freed() wakes them
  if (!candidates) return;
  const unsigned slot = sub.scheduler->pick(candidates);
  if (slot == kNoWarp) return;  // until another warp is woken or leaves
  issue(sub, index, slot, now);
  if (sub.ready) sub.next = now + 1;
}

[[gnu::always_inline]] inline void SmCore::issue(SubCore& sub, unsigned index, unsigned slot, Cycle now) {
  Warp& warp = sub.warps[slot];
  const Instruction& in = warp.code[warp.pc];
  const unsigned pipe = pipe_of(in);
  const std::uint64_t bit = std::uint64_t{1} << slot;
  const unsigned warp_index = index * slots_ + slot;
  BlockLaunch& launch = *blocks_[warp.block].launch;

  BlockCounters& count = launch.counters;
  ++count.instructions;
  count.thread_instructions += in.mask == ~0u ? kWarpSize : static_cast<unsigned>(__builtin_popcount(in.mask));
  count.stall[static_cast<unsigned>(warp.wait)] += warp.ready_at - warp.last_issue - 1;
  count.stall[static_cast<unsigned>(Stall::kNotSelected)] += now - warp.ready_at;
  ++sub.issued;

  sub.scheduler->issued(slot);
  sub.ready &= ~bit;
  sub.wants[pipe] &= ~bit;
  if (const unsigned interval = pipes_[static_cast<unsigned>(in.pipe)].interval; interval > 1) {
    sub.pipe_free[pipe] = now + interval;
    sub.busy |= 1u << pipe;
  }
  warp.last_issue = now;

  switch (in.op) {
    case Op::kArithmetic: {
      const RegisterStamp result = stamp(now + pipes_[static_cast<unsigned>(in.pipe)].latency, false);
      for (unsigned d = 0; d < in.destinations; ++d) warp.registers[in.destination + d] = result;
      break;
    }
    case Op::kAsyncLoad: warp.copies.issue(); [[fallthrough]];
    case Op::kLoad:
    case Op::kAtomic:
    case Op::kStore:
      for (unsigned d = 0; d < in.destinations; ++d) warp.registers[in.destination + d] = kNever;
      ++warp.outstanding;
      memory_turn_ = index + 1 == sub_cores_.size() ? 0 : index + 1;
      load_store_.issue(now, {warp_index, &in, launch.code.get(), warp.position});
      break;
    case Op::kBarrier:
      advance_pc(warp, *launch.code);
      sub.scheduler->blocked(slot);
      arrive_at_barrier(warp, in.operand % kBarriers, now);
      return;
    case Op::kSpin:
      hold(warp,
           clock_.at_or_after(later(clock_.edge(launch.start + launch.preempted), launch.code->spin(in.operand, id_))),
           Stall::kSpin);
      sub.scheduler->blocked(slot);
      break;
    case Op::kMatrix: {
      const PipeConfig& config = pipes_[static_cast<unsigned>(in.pipe)];
      const Cycle held = Cycle{config.interval} * in.operand;
      sub.pipe_free[pipe] = now + held;
      sub.busy |= 1u << pipe;
      const RegisterStamp result = stamp(now + std::max<Cycle>(config.latency, held), false);
      for (unsigned d = 0; d < in.destinations; ++d) warp.registers[in.destination + d] = result;
      break;
    }
    case Op::kCommitCopies: warp.copies.commit(); break;
    case Op::kAwaitCopies:
      if (const Cycle ready = warp.copies.await(in.operand); ready != kNever) {
        hold(warp, ready, Stall::kMemory);
        break;
      }
      advance_pc(warp, *launch.code);
      warp.waits_for_load = true;
      sub.scheduler->blocked(slot);
      return;
    case Op::kExit:
      sub.scheduler->blocked(slot);
      exit_warp(warp_index, warp, now);
      return;
    case Op::kLoopEnd: break;  // never issued: advance_pc() steps over it
  }
  advance_pc(warp, *launch.code);
  schedule(sub, warp_index, slot, now);
}

[[gnu::always_inline]] inline void SmCore::advance_pc(Warp& warp, const BlockCode& code) {
  ++warp.pc;
  if (warp.code[warp.pc].op == Op::kLoopEnd) end_loop(warp, code);
}

/// Finds out when the warp's next instruction has its dependences met (in-order issue: read after write, and write
/// after write), and wakes it then. A warp that waits for an outstanding load is woken by loaded().
[[gnu::always_inline]] inline void SmCore::schedule(SubCore& sub, unsigned warp_index, unsigned slot, Cycle now) {
  Warp& warp = sub.warps[slot];
  const Instruction& in = warp.code[warp.pc];
  RegisterStamp latest = stamp(now + 1, false);
  for (unsigned s = 0; s < in.sources; ++s) latest = std::max(latest, warp.registers[in.source[s]]);
  for (unsigned d = 0; d < in.destinations; ++d) latest = std::max(latest, warp.registers[in.destination + d]);
  warp.waits_for_load = latest == kNever;
  if (warp.waits_for_load) {
    sub.scheduler->blocked(slot);
    return;
  }
  warp.ready_at = latest / 2;
  warp.wait = latest % 2 ? Stall::kMemory : Stall::kExecution;
  if (warp.held_until > warp.ready_at) {
    warp.ready_at = warp.held_until;
    warp.wait = warp.held_by;
  }
  const std::uint64_t bit = std::uint64_t{1} << slot;
  sub.wants[pipe_of(in)] |= bit;
  wake_at(sub, warp_index, bit, warp.ready_at, now);
}

void SmCore::schedule(unsigned warp_index, Cycle now) {
  SubCore& sub = sub_core_of(warp_index);
  schedule(sub, warp_index, warp_index % slots_, now);
}

void SmCore::wake_at(unsigned warp_index, Cycle at, Cycle now) {
  wake_at(sub_core_of(warp_index), warp_index, std::uint64_t{1} << (warp_index % slots_), at, now);
}

inline void SmCore::wake_at(SubCore& sub, unsigned warp_index, std::uint64_t bit, Cycle at, Cycle now) {
  if (at - now >= WakeWheel::kSpan) {
    far_.push_back({at, static_cast<std::uint16_t>(warp_index)});
    std::push_heap(far_.begin(), far_.end(), std::greater<>());
    return;
  }
  sub.wheel.add(at, bit);
  sub.next = std::min(sub.next, at);
}

/// When the code and the parameters of the block's kernel are in the SM's caches. A launch has parameters of its own, so
/// its first block on an SM finds neither there; blocks that come until they are wait with it.
Cycle SmCore::fetch(const BlockLaunch& launch, Cycle now) {
  if (config_.launch_fetch_latency == 0) return now;
  fetches_.erase(std::remove_if(fetches_.begin(), fetches_.end(), [&](const Fetch& f) { return f.done <= now; }),
                 fetches_.end());
  const KernelId kernel = launch.identity.kernel;
  if (launch.first_on_sm) fetches_.push_back({kernel, now + config_.launch_fetch_latency});
  const auto under_way =
      std::find_if(fetches_.begin(), fetches_.end(), [&](const Fetch& f) { return f.kernel == kernel; });
  return under_way == fetches_.end() ? now : under_way->done;
}

void SmCore::start_block(BlockLaunch& launch, Cycle now) {
  if (resident_++ == 0) active_since_ = now;
  ++statistics_.blocks;
  // L1s are not coherent: a kernel must see what the ones before it wrote (CUDA C++ Programming Guide, memory model).
  if (launch.first_on_sm && config_.l1.invalidate_at_kernel_start) l1_.invalidate();
  launch.start = now;
  const Cycle fetched = fetch(launch, now);
  const auto free_block = std::find_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return !b.launch; });
  assert(free_block != blocks_.end());
  if (auto* work = dynamic_cast<SharedWork*>(launch.code.get())) {
    const auto mate = std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& b) {
      return b.launch && b.launch->identity.kernel == launch.identity.kernel;
    });
    if (mate != blocks_.end()) work->share_with(*mate->launch->code);
  }
  Block& block = *free_block;
  launch.slot = static_cast<std::uint16_t>(free_block - blocks_.begin());
  block.launch = &launch;
  block.number = statistics_.blocks;
  block.warps.clear();
  block.arrived.fill(0);
  block.live = block.present = launch.kernel->warps_per_block();
  if (blocks.watched()) note(block, BlockOnSm::Event::kStarted, now);
  for (unsigned w = 0; w < block.live; ++w) {
    while (!sub_cores_[next_sub_core_].free) next_sub_core_ = (next_sub_core_ + 1) % config_.sub_cores;
    SubCore& sub = sub_cores_[next_sub_core_];
    const auto slot = static_cast<unsigned>(__builtin_ctzll(sub.free));
    sub.free &= sub.free - 1;
    const unsigned warp_index = next_sub_core_ * slots_ + slot;
    next_sub_core_ = (next_sub_core_ + 1) % config_.sub_cores;

    Warp& warp = sub.warps[slot];
    warp.code = launch.code->warp(w).code;
    warp.pc = 0;
    warp.outstanding = 0;
    warp.position = {launch.identity.block, w, {}};
    warp.last_issue = now;  // it cannot issue before the next cycle
    warp.drained_at = now;
    warp.registers.fill(0);  // results of the slot's last warp may still be under way
    warp.copies = {};
    hold(warp, fetched, Stall::kMemory);
    warp.at_barrier = false;
    warp.block = launch.slot;
    block.warps.push_back(static_cast<std::uint16_t>(warp_index));
    if (warps.watched()) note(warp_index, warp, BlockOnSm::Event::kStarted, now);
    sub.scheduler->assigned(slot, launch.budget);
    schedule(warp_index, now);
  }
}

void SmCore::arrive_at_barrier(Warp& warp, unsigned barrier, Cycle now) {
  Block& block = blocks_[warp.block];
  warp.at_barrier = true;
  warp.barrier = static_cast<std::uint8_t>(barrier);
  if (++block.arrived[barrier] == block.live) release_barrier(block, barrier, now);
}

void SmCore::release_barrier(Block& block, unsigned barrier, Cycle now) {
  block.arrived[barrier] = 0;
  for (const unsigned index : block.warps) {
    Warp& warp = warp_at(index);
    // A finished warp's slot may hold a warp of another block by now.
    if (&blocks_[warp.block] != &block || !warp.at_barrier || warp.barrier != barrier) continue;
    warp.at_barrier = false;
    // The wait ends here; what follows counts as any other dependence.
    block.launch->counters.stall[static_cast<unsigned>(Stall::kBarrier)] += now - warp.last_issue;
    warp.last_issue = now;
    schedule(index, now);
  }
}

void SmCore::exit_warp(unsigned warp_index, Warp& warp, Cycle now) {
  sub_core_of(warp_index).exiting |= std::uint64_t{1} << (warp_index % slots_);
  Block& block = blocks_[warp.block];
  --block.live;
  for (unsigned b = 0; b < kBarriers && block.live > 0; ++b) {
    if (block.arrived[b] == block.live) release_barrier(block, b, now);
  }
  if (warp.outstanding == 0) wake_at(warp_index, std::max(now + 1, warp.drained_at), now);
}

void SmCore::finish_warp(unsigned warp_index, Cycle now) {
  SubCore& sub = sub_core_of(warp_index);
  const unsigned slot = warp_index % slots_;
  sub.exiting &= ~(std::uint64_t{1} << slot);
  sub.free |= std::uint64_t{1} << slot;
  sub.scheduler->released(slot);
  const Warp& warp = sub.warps[slot];
  Block& block = blocks_[warp.block];
  if (warps.watched()) note(warp_index, warp, BlockOnSm::Event::kEnded, now);
  block.launch->counters.stall[static_cast<unsigned>(Stall::kDrain)] += now - warp.last_issue - 1;
  if (--block.present > 0) return;
  BlockLaunch& launch = *block.launch;
  launch.end = now;
  if (blocks.watched()) note(block, BlockOnSm::Event::kEnded, now);
  add_block(launch, now, applications_);
  launch.code.reset();
  ended_.push(&launch);
  block.launch = nullptr;
  if (--resident_ == 0) statistics_.active_cycles += now - active_since_;
}

void SmCore::note(const Block& block, BlockOnSm::Event event, Cycle now) {
  const BlockLaunch& launch = *block.launch;
  blocks.note({now, launch.identity, launch.command, launch.iteration, launch.slot, event});
}

void SmCore::note(unsigned warp_index, const Warp& warp, BlockOnSm::Event event, Cycle now) {
  const BlockLaunch& launch = *blocks_[warp.block].launch;
  WarpOnSm on{{now, launch.identity, launch.command, launch.iteration, static_cast<std::uint16_t>(warp_index), event}};
  on.identity.warp = static_cast<std::uint16_t>(warp.position.warp);
  warps.note(on);
}

void SmCore::send_completions(Cycle until) {
  while (!ended_.empty()) {
    const Cycle at = std::max(ended_.front()->end, completions_.ready_at());
    if (at >= until) return;
    completions_.send(at, *ended_.pop());
  }
}

void SmCore::loaded(unsigned warp_index, const Instruction& instruction, Cycle at) {
  Warp& warp = warp_at(warp_index);
  for (unsigned d = 0; d < instruction.destinations; ++d) {
    warp.registers[instruction.destination + d] = stamp(at, true);
  }
  if (instruction.op == Op::kAsyncLoad && warp.copies.end(at)) hold(warp, warp.copies.ready(), Stall::kMemory);
  if (warp.waits_for_load && !warp.copies.awaits()) schedule(warp_index, now_);
  access_done(warp_index, at);
}

void SmCore::stored(unsigned warp_index, Cycle at) { access_done(warp_index, at); }

void SmCore::access_done(unsigned warp_index, Cycle at) {
  Warp& warp = warp_at(warp_index);
  warp.drained_at = std::max(warp.drained_at, at);
  const bool exiting = sub_core_of(warp_index).exiting >> (warp_index % slots_) & 1;
  if (--warp.outstanding == 0 && exiting) wake_at(warp_index, std::max(now_ + 1, warp.drained_at), now_);
}

void SmCore::queue_freed() {
  for (SubCore& sub : sub_cores_) {
    if (sub.ready & sub.wants[static_cast<unsigned>(Pipe::kLoadStore)]) sub.next = std::min(sub.next, now_);
  }
}

SmStatistics SmCore::statistics(Cycle now) const {
  SmStatistics result = statistics_;
  if (resident_ > 0 && now > active_since_) result.active_cycles += now - active_since_;
  for (const SubCore& sub : sub_cores_) {
    result.instructions += sub.issued;
    result.issued.push_back(sub.issued);
  }
  result.load_store = load_store_.statistics(now);
  return result;
}

GPUTLM_REGISTER {
  add_counter_table<SmStatistics>("SM", "sms", 20);
  sm_models().add(
      {{"warps", 1}, "Warps, instruction by instruction, with their L1 and their accesses", "docs/speed.md"},
      [](SmModelSetup setup) {
        return std::make_unique<SmCore>(setup.config, setup.id, setup.clock, setup.network, setup.accesses,
                                        std::move(setup.tlb));
      });
}

}  // namespace gputlm
