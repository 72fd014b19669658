#include "models/sm/sm_core.h"

#include <algorithm>
#include <functional>

#include "models/kernel/shared_work.h"
#include "tlm/counter_table.h"

namespace gputlm {
SmCore::SmCore(const SmConfig& config, SmId id, const Clock& clock, const NetworkInterface& network,
               AccessSource& accesses, std::unique_ptr<SmTlb> tlb)
    : config_(config), id_(id), extended_(tlb != nullptr), runs_ahead_(tlb == nullptr), clock_(clock),
      slots_(config.warps / config.sub_cores), by_slots_(slots_), sub_cores_(config.sub_cores), blocks_(config.blocks),
      launches_(config.blocks), completions_(1, config.blocks), ended_(config.blocks),
      replies_(network.link.response.queue), accesses_(accesses), l1_(config.l1, config.options, network, accesses),
      tlb_(std::move(tlb)), load_store_(config, l1_, tlb_.get(), config.warps), network_(network) {
  const std::array<PipeConfig, kPipes> pipes{config.fp32,   config.integer,    config.fp64,   config.sfu,
                                             config.tensor, config.load_store, config.control};
  branch_ = stamp(config.branch_latency, WaitKind::kExecution);
  for (unsigned p = 0; p < kPipes; ++p) timings_[p] = {Stamp{pipes[p].latency} << 2, pipes[p].interval, p};
  if (config.fp_int_shared) timings_[static_cast<unsigned>(Pipe::kInt)].pipe = static_cast<unsigned>(Pipe::kFp32);
  for (SubCore& sub : sub_cores_) {
    sub.warps.resize(slots_);
    sub.free = slots_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << slots_) - 1;
    const auto index = static_cast<unsigned>(&sub - sub_cores_.data());
    sub.scheduler = make_warp_scheduler(
        config.warp_scheduler, {slots_, config.options, [this, index]() -> const WarpView& { return view_of(index); }});
  }
}

PolicyTally SmCore::policies() const {
  PolicyTally tally;
  PolicyCounts& counts = tally.of(warp_schedulers(), config_.warp_scheduler);
  for (const SubCore& sub : sub_cores_) sub.scheduler->count(counts);
  return tally;
}

Cycle SmCore::advance(Cycle until) { return extended_ ? compute<true>(until) : compute<false>(until); }

template <bool kExtended>
Cycle SmCore::compute(Cycle until) {
  load_store_.refresh();
  if (kExtended && async_) {
    load_store_.refresh_cluster();
    async_->tma.refresh();
  }
  arrivals_ = std::min(launches_.next(), replies_.next());
  Cycle next = kNever;
  while (true) {
    Cycle outside = outside_next<kExtended>();
    next = std::min(outside, sub_cores_next_);
    if (next >= until) break;
    if (outside <= next) {
      step_outside<kExtended>(next, until);
      if (sub_cores_next_ <= next) outside = outside_next<kExtended>();
    }
    if (sub_cores_next_ <= next) step_sub_cores(next, std::min(until, outside));
    if (kExtended && preemption_) step_preemption(next);
  }
  l1_.drain(until);
  send_completions(until);
  next = std::min(next, l1_.drain_next());
  if (kExtended && async_ && async_->port) next = std::min(next, async_->port->drain(until));
  return ended_.empty() ? next : std::min(next, completions_.ready_at());
}

template <bool kExtended>
Cycle SmCore::outside_next() const {
  Cycle next = std::min(arrivals_, load_store_.next());
  if (kExtended && tlb_) next = std::min(next, tlb_->next());
  if (kExtended && preemption_) next = std::min(next, preemption_next());
  if (kExtended && signals_) next = std::min(next, signals_->next());
  if (kExtended && async_) next = std::min(next, async_next());
  return far_.empty() ? next : std::min(next, far_.front().at);
}

template <bool kExtended>
void SmCore::take_arrivals(Cycle now) {
  while (launches_.ready(now)) start_block(launches_.pop(now), now);
  while (replies_.ready(now)) {
    Access& reply = replies_.pop(now);
    if (kExtended && reply.slot == StateTransfer::kSlot) {
      preemption_->transfer.reply();
    } else if (kExtended && reply.slot == kTmaSlot) {
      take_bulk_reply(reply, now);
    } else {
      load_store_.reply(now, reply);
    }
    accesses_.release(reply);
  }
  take_memory_results(now);
  arrivals_ = std::min(launches_.next(), replies_.next());
}

template <bool kExtended>
void SmCore::step_outside(Cycle now, Cycle until) {
  if (arrivals_ <= now) take_arrivals<kExtended>(now);
  if (kExtended && signals_ && signals_->next() <= now) take_signals(now);
  if (kExtended && async_ && async_next() <= now) step_async(now);
  if (kExtended && tlb_ && tlb_->next() <= now) {
    tlb_->step(now);
    load_store_.translated(now);
    if (async_) async_->tma.translated(now);
  }
  while (!far_.empty() && far_.front().at <= now) {
    const unsigned warp = far_.front().warp;
    std::pop_heap(far_.begin(), far_.end(), std::greater<>());
    far_.pop_back();
    wake_at(sub_core_of(warp), slot_of(warp), now, now);
  }
  if (load_store_.next() <= now) {
    const Cycle signal = kExtended && signals_ ? signals_->next() : kNever;
    step_load_store(now, kExtended && (preemption_ || async_) ? now + 1 : std::min({until, arrivals_, signal}));
    if (kExtended && tlb_ && async_) async_->tma.translated(now);
  }
}

/// Cycle in which code and parameters of the block's kernel are in the SM's caches. Each launch has its own parameters, so
/// its first block on an SM finds neither; blocks that arrive meanwhile wait with it.
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
  // L1s are not coherent: a kernel must see the writes of earlier kernels (CUDA C++ Programming Guide, memory model).
  l1_.divide(launch.carveout);
  if (launch.first_on_sm && config_.l1.invalidate_at_kernel_start) l1_.invalidate();
  launch.start = now;
  const Cycle fetched = fetch(launch, now);
  const auto free_block = std::find_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return !b.launch; });
  assert(free_block != blocks_.end());
  auto* const work = dynamic_cast<SharedWork*>(launch.code.get());
  if (work) {
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
  block.cluster = {};
  block.mbarriers.clear();
  block.by_copies.clear();
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
    const WarpCode code = launch.code->warp(w);
    warp = Warp();  // results of the slot's last warp may still be in flight
    warp.next = warp.code = code.code;
    warp.loops = code.loops;
    warp.shares_work = work != nullptr;
    warp.launch = &launch;
    warp.block = launch.slot;
    warp.position = {launch.identity.block, w, {}};
    warp.last_issue = now;  // it cannot issue before the next cycle
    warp.hold(fetched, WaitKind::kHeldByMemory);
    block.warps.push_back(static_cast<std::uint16_t>(warp_index));
    if (warps.watched()) note(warp_index, warp, BlockOnSm::Event::kStarted, now);
    assign(sub, slot, launch.budget, now);
    schedule(sub, slot, now);
  }
}

/// Assigns a warp to a slot of the sub-core.
void SmCore::assign(SubCore& sub, unsigned slot, unsigned budget, Cycle now) {
  if (sorters.watched()) {
    sorters.note({now, SorterEvent::Kind::kAssigned, static_cast<std::uint8_t>(&sub - sub_cores_.data()),
                  static_cast<std::uint8_t>(slot), budget, 0});
  }
  sub.scheduler->assigned(slot, budget);
}

void SmCore::release(SubCore& sub, unsigned slot, Cycle now) {
  if (sorters.watched()) {
    sorters.note({now, SorterEvent::Kind::kReleased, static_cast<std::uint8_t>(&sub - sub_cores_.data()),
                  static_cast<std::uint8_t>(slot), 0, 0});
  }
  sub.scheduler->released(slot);
}

void SmCore::arrive_at_barrier(SubCore& sub, Warp& warp, unsigned barrier, Cycle now) {
  Block& block = blocks_[warp.block];
  wait_at(sub, warp, barrier);
  if (++block.arrived[barrier] == block.live) release_barrier(block, barrier, now);
}

void SmCore::wait_at(SubCore& sub, Warp& warp, unsigned barrier) {
  ++sub.at_barriers;
  warp.at_barrier = true;
  warp.barrier = static_cast<std::uint8_t>(barrier);
}

/// The end of a kernel concerns dependent blocks, including preempted ones.
void SmCore::take_signals(Cycle now) {
  while (signals_->let_go_heard.ready(now)) signals_->source.release(signals_->let_go_heard.pop(now));
  while (signals_->ended.ready(now)) {
    GridSignal& signal = signals_->ended.pop(now);
    for (Block& block : blocks_) {
      if (!block.launch || block.launch->identity.kernel != signal.kernel) continue;
      block.launch->waits_for_grid = false;
      release_barrier(block, kGridDependency, now);
    }
    if (preemption_) {
      for (Off& off : preemption_->off) {
        const auto is_ours = [&](const BlockLaunch& launch) { return launch.identity.kernel == signal.kernel; };
        for (auto& [place, block] : off.blocks) block.launch->waits_for_grid &= !is_ours(*block.launch);
        for (auto& [index, warp] : off.warps) {
          if (is_ours(*warp.launch)) warp.at_barrier &= warp.barrier != kGridDependency;
        }
      }
    }
    signals_->ended_heard.send(std::max(now, signals_->ended_heard.ready_at()), signal);
  }
}

void SmCore::release_barrier(Block& block, unsigned barrier, Cycle now) {
  block.arrived[barrier] = 0;
  for (const unsigned index : block.warps) {
    SubCore& sub = sub_core_of(index);
    const unsigned slot = slot_of(index);
    Warp& warp = sub.warps[slot];
    // The slot of a finished warp may already hold a warp of another block.
    if (&blocks_[warp.block] != &block || !warp.at_barrier || warp.barrier != barrier) continue;
    --sub.at_barriers;
    warp.at_barrier = false;
    // The wait ends here; what follows counts as any other dependence.
    block.launch->counters.stall[static_cast<unsigned>(Stall::kBarrier)] += now - warp.last_issue;
    warp.last_issue = now;
    schedule(sub, slot, now);
  }
}

void SmCore::exit_warp(unsigned warp_index, Warp& warp, Cycle now) {
  SubCore& sub = sub_core_of(warp_index);
  const unsigned slot = slot_of(warp_index);
  sub.exiting |= std::uint64_t{1} << slot;
  Block& block = blocks_[warp.block];
  --block.live;
  for (unsigned b = 0; b < kBarriers && block.live > 0; ++b) {
    if (block.arrived[b] == block.live) release_barrier(block, b, now);
  }
  if (async_) all_arrived_in_cluster(block, now);
  if (const Cycle settled = load_store_.settled(warp_index); settled != kNever) {
    wake_at(sub, slot, std::max(now + 1, settled), now);
  } else {
    sub.draining |= std::uint64_t{1} << slot;
  }
}

void SmCore::finish_warp(unsigned warp_index, Cycle now) {
  SubCore& sub = sub_core_of(warp_index);
  const unsigned slot = slot_of(warp_index);
  sub.exiting &= ~(std::uint64_t{1} << slot);
  sub.free |= std::uint64_t{1} << slot;
  release(sub, slot, now);
  const Warp& warp = sub.warps[slot];
  Block& block = blocks_[warp.block];
  if (warps.watched()) note(warp_index, warp, BlockOnSm::Event::kEnded, now);
  block.launch->counters.stall[static_cast<unsigned>(Stall::kDrain)] += now - warp.last_issue - 1;
  if (--block.present > 0) return;
  BlockLaunch& launch = *block.launch;
  launch.end = now;
  if (blocks.watched()) note(block, BlockOnSm::Event::kEnded, now);
  add_block(launch, now, applications_);
  if (in_cluster(launch)) send_to_network(launch, ClusterPacket::Kind::kLeave, now);
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

void SmCore::step_load_store(Cycle now, Cycle horizon) {
  const bool was_full = load_store_.full();
  load_store_.step(now, horizon);
  if (was_full && !load_store_.full()) {
    for (SubCore& sub : sub_cores_) {
      if (!sub.queue_full) continue;
      sub.next = std::min(sub.next, now);
      sub_cores_next_ = std::min(sub_cores_next_, now);
    }
  }
  take_memory_results(now);
}

void SmCore::take_memory_results(Cycle now) {
  for (const MemoryResults::Load& load : load_store_.results().loads) loaded(load, now);
  for (const unsigned warp : load_store_.results().settled) {
    SubCore& sub = sub_core_of(warp);
    if (sub.draining >> slot_of(warp) & 1) has_drained(sub, warp, now);
  }
  load_store_.clear_results();
}

/// Called when all accesses of a warp at its end, or at a fence, have ended.
void SmCore::has_drained(SubCore& sub, unsigned warp_index, Cycle now) {
  const unsigned slot = slot_of(warp_index);
  sub.draining &= ~(std::uint64_t{1} << slot);
  const Cycle settled = load_store_.settled(warp_index);
  if (sub.exiting >> slot & 1) {
    wake_at(sub, slot, std::max(now + 1, settled), now);
  } else {
    Warp& warp = sub.warps[slot];
    warp.hold(std::max({settled, warp.last_issue + config_.fence_latency, now + 1}), WaitKind::kLoad);
    schedule(sub, slot, now);
  }
}

inline void SmCore::loaded(const MemoryResults::Load& load, Cycle now) {
  SubCore& sub = sub_core_of(load.slot);
  const unsigned slot = slot_of(load.slot);
  Warp& warp = sub.warps[slot];
  const Instruction& in = *load.instruction;
  warp.write(in, stamp(load.at, WaitKind::kLoad));
  if (in.op == Op::kAsyncLoad) {
    if (warp.copies.end(load.at)) warp.hold(warp.copies.ready(), WaitKind::kHeldByMemory);
    if (async_) arrive_by_copies(warp, now);
  }
  if (warp.waits_for_load() && !warp.copies.awaits()) schedule(sub, slot, now);
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
  add_counter_table<SmStatistics>("SM", {"", "sms"});
  sm_models().add(
      {{"warps", 1}, "Warps, instruction by instruction, with their L1 and their accesses", "docs/speed.md"},
      [](SmModelSetup setup) {
        return std::make_unique<SmCore>(setup.config, setup.id, setup.clock, setup.network, setup.accesses,
                                        std::move(setup.tlb));
      });
}

}  // namespace gputlm
