#include "models/sm/sm_warp_view.h"

#include "tlm/base/error.h"

namespace gputlm {

/// A warp wakes in the cycle in which its dependences are met, so the stamp of a warp that is not ready says why it waits.
Stall SmCore::SubCoreView::waits_for(unsigned slot) const {
  const Warp& warp = sub_.warps[slot];
  if (sub_.exiting >> slot & 1) return Stall::kDrain;
  if (warp.at_barrier) return Stall::kBarrier;
  if (sub_.ready >> slot & 1) return Stall::kNotSelected;
  return warp.waits_for_load() ? Stall::kMemory : stall_of(warp.ready);
}

std::uint64_t SmCore::SubCoreView::age(unsigned slot) const {
  constexpr std::uint64_t kMostWarps = 64;  // more than a block has: 1024 threads are 32 warps
  const Warp& warp = sub_.warps[slot];
  return sm_.blocks_[warp.block].number * kMostWarps + warp.position.warp;
}

Identity SmCore::SubCoreView::identity(unsigned slot) const {
  const Warp& warp = sub_.warps[slot];
  Identity identity = warp.launch->identity;
  identity.sm = sm_.id_;
  identity.warp = static_cast<std::uint16_t>(warp.position.warp);
  return identity;
}

const WarpView& SmCore::view_of(unsigned sub_core) {
  return *views_.emplace_back(std::make_unique<SubCoreView>(*this, sub_core));
}

const WarpView& warps_of(const WarpSchedulerSetup& setup) {
  if (!setup.warps)
    throw InputError("sm.warp_scheduler: a policy that looks at warps decides only on an SM that runs some");
  return setup.warps();
}

}  // namespace gputlm
