/// Clusters of blocks: a cluster is placed as a whole, on SMs of one GPC, as soon as all its blocks fit there (CUDA C++
/// Programming Guide, "Thread Block Clusters"). The cluster placement says which GPC, and the placement, block by block, which
/// of its SMs. Room is taken for all blocks at once, and they are sent as fast as others are, by rank.
#include <algorithm>
#include <string>

#include "models/work_distributor/carveout.h"
#include "models/work_distributor/context.h"
#include "models/work_distributor/gpcs.h"
#include "tlm/base/error.h"

namespace gputlm {

void Context::begin_clusters(KernelState& kernel, ClusterPlacement& placement) const {
  kernel.cluster_placement = &placement;
  kernel.least_residency = least_residency(kernel.cluster, gpcs_, kernel.sms & all_sms(sms_));
  const CarveoutSizes& sizes = carveouts().at(limits_.carveout).make;
  if (sizes.array > 0)
    kernel.carveout_wanted = wanted_carveout(sizes, *kernel.launch, kernel.demand, capacity(limits_));
}

/// Number of SMs that the kernel's blocks fill when it runs alone; fewer if its clusters leave places empty.
unsigned Context::sms_in_use(const KernelState& kernel) const {
  const SmSet sms = kernel.sms & all_sms(sms_);
  if (kernel.cluster == 1) return static_cast<unsigned>(sms.count());
  const unsigned of_sm = std::max(1u, residency(kernel.demand, capacity(limits_)));
  const std::uint64_t blocks = resident_clusters(kernel.cluster, of_sm, gpcs_, sms) * kernel.cluster;
  return std::max(1u, static_cast<unsigned>((blocks + of_sm - 1) / of_sm));
}

bool Context::has_unsent() const {
  return std::any_of(kernels_.begin(), kernels_.end(), [](const KernelState& k) { return !k.all_dispatched(); });
}

std::optional<Context::Choice> Context::next_of_cluster(const SmSet& taken) const {
  if (taken[cluster_.front()]) return std::nullopt;
  const auto of = std::find_if(kernels_.begin(), kernels_.end(),
                               [&](const KernelState& k) { return k.launch->identity.kernel == cluster_of_; });
  return Choice{static_cast<std::size_t>(of - kernels_.begin()), cluster_.front(), true};
}

/// The room for a kernel with clusters on an SM with these free resources; an empty SM is divided as by its first block.
Resources Context::room_for_cluster(const KernelState& kernel, const Resources& free) const {
  Resources room = free;
  if (kernel.carveout_wanted && free.blocks == limits_.blocks) room.shared_memory = *kernel.carveout_wanted;
  return room;
}

/// The first block goes to none of the SMs `taken`, because it is sent at once.
bool Context::place_cluster(const Offer& offer, const std::vector<Resources>& free, const SmSet& closed,
                            const SmSet& taken) {
  KernelState& kernel = kernels_[offer.kernel];
  const SmSet sms = offer.sms & all_sms(sms_) & ~closed;
  const unsigned limit = std::max(offer.residency_limit, kernel.least_residency);
  room_of_gpc_ = has_a_limit_ ? within_limit(free) : free;
  rooms_.clear();
  for (unsigned gpc = 0; gpc < gpcs_.size(); ++gpc) {
    const SmSet here = sms & gpcs_[gpc];
    GpcRoom room;
    room.gpc = gpc;
    room.cluster = kernel.cluster;
    for (std::size_t sm = here._Find_first(); sm < here.size(); sm = here._Find_next(sm)) {
      room.idle += room_of_gpc_[sm].blocks == limits_.blocks;
      room_of_gpc_[sm] = room_for_cluster(kernel, room_of_gpc_[sm]);
      if (kernel.resident[sm] >= limit) continue;
      room.blocks += std::min(residency(kernel.demand, room_of_gpc_[sm]), limit - kernel.resident[sm]);
    }
    room.clusters = room.blocks / kernel.cluster;
    if (room.clusters > 0) rooms_.push_back(room);
  }
  if (rooms_.empty()) return false;
  const unsigned gpc = rooms_[kernel.cluster_placement->choose(rooms_)].gpc;
  SmSet here = sms & gpcs_[gpc];
  of_cluster_.assign(sms_, 0);
  const auto placed = std::make_shared<PlacedCluster>();
  for (unsigned rank = 0; rank < kernel.cluster; ++rank) {
    for (std::size_t sm = here._Find_first(); sm < here.size(); sm = here._Find_next(sm)) {
      if (kernel.resident[sm] + of_cluster_[sm] >= limit) here.reset(sm);
    }
    const SmSet from = rank == 0 ? here & ~taken : here;
    const std::optional<SmId> sm = kernel.placement->choose(kernel.demand, room_of_gpc_, from);
    if (!sm && rank == 0 && taken.any()) return false;
    if (!sm) {
      throw InputError("work_distributor.placement=" + config_.placement + ": no SM for block " + std::to_string(rank) +
                       " of a cluster, though GPC " + std::to_string(gpc) + " has room for it");
    }
    kernel.placement->placed(*sm);
    room_of_gpc_[*sm] -= kernel.demand.takes;
    ++of_cluster_[*sm];
    cluster_.push_back(*sm);
    const auto number = kernel.launch->kernel->block_at(kernel.dispatched + rank);
    placed->members.push_back({static_cast<std::uint32_t>(number), *sm});
  }
  placed_ = placed;
  kernel.cluster_placement->placed(gpc);
  cluster_of_ = kernel.launch->identity.kernel;
  kept_.reset();
  return true;
}

/// The room of a GPC is the sum over its SMs, so single blocks would take every place that becomes free before there are enough
/// for a cluster. That a GPC is kept for it, and which, is assumed: the one with the most room for its blocks, until
/// it is placed. No GPC is kept while the cluster waits only for blocks of its own kernel, because policies limit them.
SmSet Context::keep_gpc(const Offer& offer, const std::vector<Resources>& free, const SmSet& closed) {
  const KernelState& kernel = kernels_[offer.kernel];
  const KernelId id = kernel.launch->identity.kernel;
  const std::optional<Kept> before = kept_;
  kept_.reset();
  if (!config_.clusters_keep_gpc) return {};
  const SmSet sms = offer.sms & all_sms(sms_) & ~closed;
  const std::vector<Resources>& seen = has_a_limit_ ? within_limit(free) : free;
  const unsigned when_empty = residency(kernel.demand, room_for_cluster(kernel, capacity(limits_)));
  std::optional<unsigned> most;
  for (const SmSet& gpc : gpcs_) {
    const SmSet here = sms & gpc;
    unsigned blocks = 0;
    for (std::size_t sm = here._Find_first(); sm < here.size(); sm = here._Find_next(sm))
      blocks += residency(kernel.demand, room_for_cluster(kernel, seen[sm]));
    if (blocks >= kernel.cluster) {
      kept_.reset();
      return {};
    }
    if (here.count() * when_empty < kernel.cluster) continue;
    const bool is_kept = before && before->kernel == id && before->sms == here;
    if (!is_kept && most && blocks <= *most) continue;
    most = is_kept ? kernel.cluster : blocks;  // no other GPC has room for this number
    kept_ = Kept{id, here, level(kernel)};
  }
  return kept_ ? kept_->sms : SmSet();
}

}  // namespace gputlm
