/// Accesses to the shared memory of other blocks of a cluster: a request for each run of 128 bytes, one per cycle, to the
/// SM that has the block (Hopper Tuning Guide, 1.4.1.3: they should be coalesced, and aligned to 32 bytes). Each takes
/// the banks of that SM for a cycle. Accesses of that SM are assumed not to wait for it: the network has an eighth of the
/// bandwidth of the banks.
#include "models/sm/load_store_unit.h"

namespace gputlm {
namespace {

/// A block that reaches its own shared memory as a member of its cluster takes 33 cycles, otherwise 29 (H800; Luo et al.,
/// arXiv:2501.12084, section 7.1).
constexpr Cycle kOwnDetour = 4;

}  // namespace

void LoadStoreUnit::begin_outside(unsigned index, BlockLaunch& block) {
  Slot& slot = slots_[index];
  ++slot.under_way;
  slot.counters = &block.counters;
}

void LoadStoreUnit::start_cluster(Cycle now) {
  const Instruction& in = *head_.instruction;
  head_.block->code->addresses(in, head_.position, addresses_);
  lines_ = static_cast<unsigned>(coalescer_.coalesce(addresses_, in.mask, in.width));
  line_ = 0;
  ++head_.block->counters.shared_accesses;
  if (in.op != Op::kStore) requester_.load = new_load();
  reaches_cluster_ = special_ = true;
  step_cluster(now);
}

/// Sends the request for one line.
void LoadStoreUnit::step_cluster(Cycle now) {
  if (cluster_port_ && !cluster_port_->has_room(now)) {
    next_ = cluster_port_->next_free();
    return;
  }
  reach(now, coalescer_.lines()[line_]);
  ++statistics_.busy_cycles;
  next_ = busy_until_ = now + 1;
  if (++line_ < lines_) return;
  reaches_cluster_ = false;
  special_ = tlb_ != nullptr;
  if (head_.instruction->op == Op::kStore) {
    ended(head_.slot, now);
  } else {
    part_done(requester_.load, 0);
  }
  if (queue_.empty()) next_ = kNever;
}

void LoadStoreUnit::reach(Cycle now, const LineAccess& line) {
  const Instruction& in = *head_.instruction;
  const BlockLaunch& block = *head_.block;
  const auto rank = static_cast<std::uint32_t>(line.line * kLineBytes >> kClusterRankBit);
  const bool own = !cluster_port_ || !block.cluster || rank == block.rank || rank >= block.cluster->members.size();
  if (own) {
    const Cycle ready = now - 1 + config_.shared_latency + kOwnDetour;
    if (in.op != Op::kStore) loads_[requester_.load].ready = std::max(loads_[requester_.load].ready, ready);
    return;
  }
  ClusterPacket& packet = cluster_port_->packet_to(block, rank);
  packet.kind = in.op == Op::kStore    ? ClusterPacket::Kind::kStore
                : in.op == Op::kAtomic ? ClusterPacket::Kind::kAtomic
                                       : ClusterPacket::Kind::kLoad;
  packet.bytes = sector_bytes(line.sectors);
  packet.slot = head_.slot;
  if (in.op == Op::kStore) {
    ++slots_[head_.slot].under_way;
  } else {
    packet.tag = requester_.load;
    ++loads_[requester_.load].parts;
  }
  if (in.op != Op::kLoad) packet.flits = cluster_port_->flits(packet.bytes);
  if (in.op != Op::kStore) packet.answer_flits = cluster_port_->flits(packet.bytes);
  cluster_port_->send(now, packet);
}

void LoadStoreUnit::answered(Cycle now, const ClusterPacket& packet) {
  if (packet.kind == ClusterPacket::Kind::kStore) {
    ended(packet.slot, now);
  } else {
    part_done(packet.tag, now);
  }
}

}  // namespace gputlm
