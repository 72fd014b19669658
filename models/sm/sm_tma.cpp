/// TMA copies: from a warp's instruction to the mbarriers at which their bytes count.
#include <algorithm>

#include "models/sm/sm_core.h"

namespace gputlm {

void SmCore::begin_bulk_copy(unsigned warp_index, const Warp& warp, Cycle now) {
  BlockLaunch& launch = *warp.launch;
  const Instruction& in = *warp.next;
  const bool clustered = in_cluster(launch);
  BulkCopy what = launch.code->bulk_copy(in, warp.position, clustered);
  // In a trace, the parts that other blocks would deliver are as large as the block's own part.
  const auto sharing = static_cast<unsigned>(std::max(1, __builtin_popcountll(what.ranks)));
  const std::uint64_t repetitions = clustered ? 0 : sharing - 1;
  if (!clustered) what.bytes *= sharing, what.ranks = 0;
  if (what.rows == 0) {
    if (!what.write) bring(launch, what, 0, what.bytes, now);
    return;
  }
  load_store_.begin_outside(warp_index, launch);
  ++(what.write ? launch.counters.global_stores : launch.counters.global_loads);
  async_->tma.issue(now, {warp_index, &in, &launch, warp.position}, what, repetitions);
}

void SmCore::take_bulk_reply(const Access& reply, Cycle now) {
  const TmaUnit::Copy copy = async_->tma.copy_of(reply);
  const bool last = async_->tma.ended(reply);
  BlockLaunch& launch = *copy.of.block;
  count_reply(now, reply, launch.counters);
  if (!copy.what.write) bring(launch, copy.what, reply.bytes, last ? copy.what.bytes : 0, now);
  if (last) load_store_.end_outside(copy.of.slot, now);
}

/// Delivers bytes of a copy that have arrived; with a multicast, other blocks get them over the network. `counts` bytes
/// count at the mbarriers when all have arrived.
void SmCore::bring(const BlockLaunch& launch, const BulkCopy& what, Bytes bytes, Bytes counts, Cycle now) {
  if (what.ranks == 0 || what.ranks >> launch.rank & 1) {
    if (counts > 0) complete(*find_block(launch.identity.kernel, launch.identity.block), what.barrier, counts, now);
  }
  for (std::uint64_t left = what.ranks; left; left &= left - 1) {
    const auto rank = static_cast<std::uint32_t>(__builtin_ctzll(left));
    if (rank == launch.rank || rank >= launch.cluster->members.size()) continue;
    ClusterPacket& packet = async_->port->packet_to(launch, rank);
    packet.kind = ClusterPacket::Kind::kBytes;
    packet.bytes = bytes;
    packet.barrier = what.barrier;
    packet.counts = counts;
    packet.flits = async_->port->multicast_flits(bytes);
    async_->port->send(now, packet);
  }
}

}  // namespace gputlm
