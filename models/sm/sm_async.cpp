/// Synchronisation within a cluster: cluster barriers, barriers in shared memory and stores that count there. TMA copies:
/// sm_tma.cpp.
///
/// The network implements cluster barriers: a block whose warps have all arrived reports it, and is told the end of the
/// phase. A block without a cluster is alone at its barrier. A warp that arrives with .release, the default (PTX ISA,
/// barrier.cluster), has passed a fence, since compilers put MEMBAR.ALL.GPU before UCGABAR_ARV. So a waiting block stays
/// until all stores that the others sent to it before they arrived have come. An operation on a barrier in shared memory
/// takes effect when it issues, or when it arrives from another SM; the warp continues after the latency of a shared-memory
/// access.
#include <algorithm>
#include <string>

#include "models/sm/sm_core.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

std::string name_of(const BlockLaunch& launch) {
  return "block " + std::to_string(launch.identity.block) + " of kernel " + launch.kernel->name;
}

}  // namespace

ClusterPort* SmCore::allow_asynchronous(ItemSource<ClusterPacket>& packets, const ClusterNetworkConfig& config,
                                        const std::optional<Link>& link) {
  async_ = std::make_unique<Async>(config_, l1_, tlb_.get());
  extended_ = true;
  runs_ahead_ = false;
  if (!link) return nullptr;
  async_->port.emplace(packets, config, *link);
  load_store_.reach_clusters(*async_->port);
  return &*async_->port;
}

Cycle SmCore::async_next() const {
  const Cycle next = async_->tma.next();
  return async_->port ? std::min(next, async_->port->next_arrival()) : next;
}

void SmCore::step_async(Cycle now) {
  if (async_->port) {
    ClusterPort& port = *async_->port;
    while (port.arrivals.ready(now)) take_packet(port.arrivals.pop(now), now);
    while (port.answers.ready(now)) take_answer(port.answers.pop(now), now);
  }
  if (async_->tma.next() <= now) async_->tma.step(now);
  take_memory_results(now);
}

bool SmCore::in_cluster(const BlockLaunch& launch) const {
  return launch.cluster && async_ && async_->port && launch.cluster->members.size() > 1;
}

/// Whether this rank in the cluster is the block's own.
bool SmCore::is_own(const BlockLaunch& launch, std::uint32_t rank) const {
  return rank == kOwnRank || rank == launch.rank || !in_cluster(launch) || rank >= launch.cluster->members.size();
}

/// Searches all blocks here, including preempted ones.
SmCore::Block* SmCore::find_block(KernelId kernel, std::uint32_t block) {
  const auto is_it = [&](const Block& b) {
    return b.launch && b.launch->identity.kernel == kernel && b.launch->identity.block == block;
  };
  const auto here = std::find_if(blocks_.begin(), blocks_.end(), is_it);
  if (here != blocks_.end()) return &*here;
  if (!preemption_) return nullptr;
  for (Off& off : preemption_->off) {
    for (auto& [place, away] : off.blocks) {
      if (is_it(away)) return &away;
    }
  }
  return nullptr;
}

/// Handles a request of another SM.
void SmCore::take_packet(ClusterPacket& packet, Cycle now) {
  using Kind = ClusterPacket::Kind;
  Block* const block = find_block(packet.identity.kernel, packet.block);
  // CUDA-GDB, CUDA_EXCEPTION_17: "Cluster target block not present".
  if (!block) {
    throw InputError("block " + std::to_string(packet.identity.block) + " reaches the shared memory of block " +
                     std::to_string(packet.block) +
                     " of its cluster, which has ended; a cluster_barrier before the end keeps it there");
  }
  Cycle done = now;
  if (packet.kind == Kind::kArrive) {
    if (packet.arrivals > 0 || packet.bytes > 0) arrive(*block, packet.barrier, packet.arrivals, packet.bytes, now);
  } else if (packet.kind != Kind::kBytes) {
    done = now + config_.shared_latency;
  }
  if (packet.counts > 0) complete(*block, packet.barrier, packet.counts, now);
  async_->port->reply(done, packet);
}

/// Handles an answer of another SM or of the network.
void SmCore::take_answer(ClusterPacket& packet, Cycle now) {
  using Kind = ClusterPacket::Kind;
  switch (packet.kind) {
    case Kind::kLoad:
    case Kind::kStore:
    case Kind::kAtomic: load_store_.answered(now, packet); break;
    case Kind::kBarrier:  // the block may have ended without waiting
      if (Block* const block = find_block(packet.identity.kernel, packet.identity.block))
        end_cluster_phase(*block, now);
      break;
    case Kind::kArrive:
    case Kind::kBytes:
    case Kind::kLeave: break;
  }
  async_->port->release(packet);
}

void SmCore::send_to_network(const BlockLaunch& launch, ClusterPacket::Kind kind, Cycle now) {
  ClusterPacket& packet = async_->port->packet_to(launch, launch.rank);
  packet.kind = kind;
  async_->port->send(now, packet);
}

// --- Barriers of clusters ---

void SmCore::arrive_in_cluster(Block& block, std::uint32_t warp, Cycle now) {
  block.cluster.parity ^= std::uint32_t{1} << warp;
  ++block.cluster.arrived;
  all_arrived_in_cluster(block, now);
}

void SmCore::all_arrived_in_cluster(Block& block, Cycle now) {
  if (block.cluster.told || block.live == 0 || block.cluster.arrived < block.live) return;
  if (in_cluster(*block.launch)) {
    block.cluster.told = true;
    send_to_network(*block.launch, ClusterPacket::Kind::kBarrier, now);
  } else {
    end_cluster_phase(block, now);
  }
}

void SmCore::end_cluster_phase(Block& block, Cycle now) {
  block.cluster.told = false;
  block.cluster.arrived = 0;
  block.cluster.phases ^= ~std::uint32_t{0};
  release_barrier(block, kClusterBarrier, now);
  if (!preemption_) return;
  for (Off& off : preemption_->off) {
    for (auto& [index, warp] : off.warps) {
      if (warp.launch == block.launch) warp.at_barrier &= warp.barrier != kClusterBarrier;
    }
  }
}

// --- Barriers in shared memory ---

Mbarrier& SmCore::mbarrier(Block& block, std::uint32_t number) const {
  const auto found = std::find_if(block.mbarriers.begin(), block.mbarriers.end(),
                                  [&](const Mbarrier& m) { return m.number() == number; });
  if (found == block.mbarriers.end())
    throw InputError(name_of(*block.launch) + ": mbarrier " + std::to_string(number) +
                     " is used before it has been initialised");
  return *found;
}

void SmCore::initialise(Block& block, const MbarrierUse& use) const {
  const auto found = std::find_if(block.mbarriers.begin(), block.mbarriers.end(),
                                  [&](const Mbarrier& m) { return m.number() == use.barrier; });
  if (found == block.mbarriers.end()) {
    block.mbarriers.emplace_back(use.barrier, use.arrivals);
  } else if (found->waiting()) {
    throw InputError(name_of(*block.launch) + ": mbarrier " + std::to_string(use.barrier) +
                     " is initialised while warps wait there");
  } else {
    *found = Mbarrier(use.barrier, use.arrivals);
  }
}

void SmCore::arrive(Block& block, std::uint32_t number, std::uint32_t arrivals, Bytes bytes, Cycle now) {
  Mbarrier& barrier = mbarrier(block, number);
  if (!barrier.allows(arrivals)) {
    throw InputError(name_of(*block.launch) + ": " + std::to_string(arrivals) + " arrivals at mbarrier " +
                     std::to_string(number) + ", whose phase has " + std::to_string(barrier.missing_arrivals()) +
                     " of " + std::to_string(barrier.expected_arrivals()) + " left");
  }
  if (barrier.arrive(arrivals, bytes)) end_phase(block, barrier, now);
}

/// A warp of this SM arrives at an mbarrier of its block, or of another block of the cluster.
void SmCore::arrive(Block& block, const MbarrierUse& use, Cycle now) {
  const BlockLaunch& launch = *block.launch;
  if (is_own(launch, use.rank)) {
    if (use.arrivals > 0 || use.bytes > 0) arrive(block, use.barrier, use.arrivals, use.bytes, now);
    if (use.completes > 0) complete(block, use.barrier, use.completes, now);
    return;
  }
  ClusterPacket& packet = async_->port->packet_to(launch, use.rank);
  packet.kind = ClusterPacket::Kind::kArrive;
  packet.barrier = use.barrier;
  packet.arrivals = use.arrivals;
  packet.bytes = use.bytes;
  packet.counts = use.completes;
  async_->port->send(now, packet);
}

/// Arrives for the warp's copies that have ended.
void SmCore::arrive_by_copies(const Warp& warp, Cycle now) {
  Block& block = blocks_[warp.block];
  const auto due = [&](const Block::ByCopies& b) {
    return b.warp == warp.position.warp && b.copies <= warp.copies.ended();
  };
  for (auto it = block.by_copies.begin(); it != block.by_copies.end();) {
    if (due(*it)) {
      const MbarrierUse use = it->use;
      it = block.by_copies.erase(it);
      arrive(block, use, now);
    } else {
      ++it;
    }
  }
}

/// Ignores an mbarrier that was not initialised, as in a trace that does not name it: no warp waits there.
void SmCore::complete(Block& block, std::uint32_t number, Bytes bytes, Cycle now) {
  const auto found = std::find_if(block.mbarriers.begin(), block.mbarriers.end(),
                                  [&](const Mbarrier& m) { return m.number() == number; });
  if (found != block.mbarriers.end() && found->complete(bytes)) end_phase(block, *found, now);
}

void SmCore::end_phase(Block& block, Mbarrier& barrier, Cycle now) {
  for (std::uint32_t left = barrier.release(); left; left &= left - 1)
    end_wait(block, static_cast<unsigned>(__builtin_ctz(left)), now);
}

/// Ends the wait of a warp of the block, by number, at a barrier in shared memory.
void SmCore::end_wait(Block& block, unsigned number, Cycle now) {
  const unsigned index = block.warps[number];
  if (preemption_) {
    for (Off& off : preemption_->off) {
      for (auto& [at, away] : off.warps) {
        if (at != index || away.launch != block.launch) continue;
        away.at_barrier = false;
        return;
      }
    }
  }
  SubCore& sub = sub_core_of(index);
  Warp& warp = sub.warps[slot_of(index)];
  --sub.at_barriers;
  warp.at_barrier = false;
  block.launch->counters.stall[static_cast<unsigned>(Stall::kBarrier)] += now - warp.last_issue;
  warp.last_issue = now;
  warp.hold(now + config_.shared_latency, WaitKind::kExecution);
  schedule(sub, slot_of(index), now);
}

// --- Stores that count at a barrier in shared memory ---

/// Executes a part of such a store. Bytes for another block travel like bytes of other stores, and count when they arrive.
void SmCore::store_asynchronously(unsigned warp_index, Block& block, const MbarrierUse& part, Cycle now) {
  BlockLaunch& launch = *block.launch;
  if (is_own(launch, part.rank)) return complete(block, part.barrier, part.completes, now);
  ClusterPacket& packet = async_->port->packet_to(launch, part.rank);
  packet.kind = ClusterPacket::Kind::kStore;
  packet.bytes = packet.counts = part.completes;
  packet.barrier = part.barrier;
  packet.slot = warp_index;
  packet.flits = async_->port->flits(packet.bytes);
  load_store_.begin_outside(warp_index, launch);
  async_->port->send(now, packet);
}

// --- Instructions ---

/// A fence is answered after the warp's accesses before it. Returns whether that time is known yet.
bool SmCore::pass_fence(SubCore& sub, unsigned warp_index, unsigned slot, Cycle now) {
  Warp& warp = sub.warps[slot];
  if (const Cycle settled = load_store_.settled(warp_index); settled != kNever) {
    warp.hold(std::max(settled, now + config_.fence_latency), WaitKind::kLoad);
    return true;
  }
  warp.advance();
  warp.ready = warp.held = kNever;
  sub.draining |= std::uint64_t{1} << slot;
  sub.scheduler->blocked(slot);
  return false;
}

/// Returns whether the warp proceeds to the next instruction by itself.
bool SmCore::issue_async(SubCore& sub, unsigned warp_index, unsigned slot, Cycle now) {
  Warp& warp = sub.warps[slot];
  const Instruction& in = *warp.next;
  BlockLaunch& launch = *warp.launch;
  Block& block = blocks_[warp.block];
  const std::uint32_t number = warp.position.warp;
  if (in.mask == 0) return true;
  warp.write(in, stamp(now + config_.shared_latency, WaitKind::kExecution));
  switch (in.op) {
    case Op::kClusterArrive: arrive_in_cluster(block, number, now); return true;
    case Op::kClusterWait:
      if (((block.cluster.phases ^ block.cluster.parity) >> number & 1) == 0) return true;
      warp.advance();
      sub.scheduler->blocked(slot);
      wait_at(sub, warp, kClusterBarrier);
      return false;
    case Op::kMbarrierInit:
      for (unsigned i = 0; i < in.width; ++i) initialise(block, launch.code->mbarrier(in, warp.position, i));
      return true;
    case Op::kMbarrierArrive:
      for (unsigned i = 0; i < in.width; ++i) arrive(block, launch.code->mbarrier(in, warp.position, i), now);
      return true;
    case Op::kMbarrierByCopies:
      for (unsigned i = 0; i < in.width; ++i)
        block.by_copies.push_back({number, warp.copies.issued(), launch.code->mbarrier(in, warp.position, i)});
      arrive_by_copies(warp, now);
      return true;
    case Op::kMbarrierWait: {
      const MbarrierUse use = launch.code->mbarrier(in, warp.position, 0);
      Mbarrier& barrier = mbarrier(block, use.barrier);
      const std::uint32_t parity = use.alternates ? barrier.next_parity(number, use.parity) : use.parity;
      if (barrier.has_passed(parity)) {
        warp.hold(now + config_.shared_latency, WaitKind::kExecution);
        return true;
      }
      barrier.wait(number, parity);
      warp.advance();
      sub.scheduler->blocked(slot);
      wait_at(sub, warp, kMbarrier);
      return false;
    }
    case Op::kAsyncStore:
      ++launch.counters.shared_accesses;
      for (unsigned i = 0; i < in.width; ++i)
        store_asynchronously(warp_index, block, launch.code->mbarrier(in, warp.position, i), now);
      return true;
    default: begin_bulk_copy(warp_index, warp, now); return true;
  }
}

}  // namespace gputlm
