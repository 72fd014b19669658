/// An SM's statistics for each application: stored for blocks that have ended, and computed on request for those that are
/// resident or preempted.
#include <algorithm>

#include "models/sm/sm_core.h"
#include "tlm/counter_table.h"

namespace gputlm {

void add_wait(const Warp& warp, Cycle until, BlockCounters& counters) {
  const auto stall = [&](Stall reason) -> std::uint64_t& { return counters.stall[static_cast<unsigned>(reason)]; };
  const Cycle waited = until - 1 - warp.last_issue;
  if (warp.at_barrier) {
    stall(Stall::kBarrier) += waited;
  } else if (warp.waits_for_load()) {
    stall(Stall::kMemory) += waited;
  } else {
    const Cycle ready = std::min(cycle_of(warp.ready), until);
    stall(stall_of(warp.ready)) += ready - 1 - warp.last_issue;
    stall(Stall::kNotSelected) += until - ready;
  }
}

void add_block(const BlockLaunch& launch, Cycle end, SmApplications& to) {
  auto& [counters, occupancy] = to[launch.identity.application];
  counters += launch.counters;
  const Cycle resident = end - launch.start - launch.preempted;
  occupancy.block_cycles += resident;
  occupancy.warp_cycles += resident * launch.kernel->warps_per_block();
  occupancy.thread_cycles += resident * launch.kernel->threads_per_block();
}

SmApplications SmCore::applications(Cycle now) const {
  SmApplications all = applications_;
  // Blocks count as preempted from the cycle in which nothing was issued any more.
  const Cycle until = preemption_ && preemption_->stopping ? std::min(now, preemption_->since) : now;
  for (const Block& block : blocks_) {
    if (block.launch) add_block(*block.launch, until, all);
  }
  for (const SubCore& sub : sub_cores_) {
    for (unsigned slot = 0; slot < slots_; ++slot) {
      if (sub.free >> slot & 1) continue;
      const Warp& warp = sub.warps[slot];
      BlockCounters& counters = all[blocks_[warp.block].launch->identity.application].counters;
      if (sub.exiting >> slot & 1) {
        counters.stall[static_cast<unsigned>(Stall::kDrain)] += now - 1 - warp.last_issue;
      } else {
        add_wait(warp, until, counters);
        counters.stall[static_cast<unsigned>(Stall::kPreempted)] += now - until;
      }
    }
  }
  if (!preemption_) return all;
  for (const Off& off : preemption_->off) {
    for (const auto& [place, block] : off.blocks) add_block(*block.launch, off.since, all);
    if (off.blocks.empty()) continue;
    all[off.application].counters.stall[static_cast<unsigned>(Stall::kPreempted)] +=
        (now - off.since) * off.warps.size();
  }
  return all;
}

GPUTLM_REGISTER { add_counter_table<OccupancyStatistics>("occupancy", {"", "", "", "series.csv"}); }

}  // namespace gputlm
