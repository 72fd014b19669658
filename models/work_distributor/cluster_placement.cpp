#include "models/work_distributor/cluster_placement.h"

#include <algorithm>
#include <tuple>

namespace gputlm {
namespace {

class GuardedClusterPlacement final : public ClusterPlacement {
 public:
  GuardedClusterPlacement(std::unique_ptr<ClusterPlacement> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  std::size_t choose(const std::vector<GpcRoom>& gpcs) const override {
    const std::size_t index = seam_.call("choose()", [&] { return policy_->choose(gpcs); });
    if (index < gpcs.size()) return index;
    seam_.refuse("choose()", "index " + std::to_string(index),
                 numbers_below(gpcs.size()) + ", GPCs with room for a cluster");
  }
  void placed(unsigned gpc) override {
    seam_.call("placed()", [&] { policy_->placed(gpc); });
  }
  void idle() override {
    seam_.call("idle()", [&] { policy_->idle(); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<ClusterPlacement> policy_;
  PolicySeam seam_;
};

/// The GPC that can hold the most further clusters of this kernel; ties go to the one with more room for its blocks, then
/// to the first. most_room chooses SMs for blocks this way (most-room, section 4); that GPCs are chosen so is assumed.
class MostRoomByGpc final : public ClusterPlacement {
 public:
  std::size_t choose(const std::vector<GpcRoom>& gpcs) const override {
    const auto less = [](const GpcRoom& a, const GpcRoom& b) {
      return std::tie(a.clusters, a.blocks) < std::tie(b.clusters, b.blocks);
    };
    return static_cast<std::size_t>(std::max_element(gpcs.begin(), gpcs.end(), less) - gpcs.begin());
  }
};

/// The GPC with the least room left: large gaps stay free for larger clusters (best fit: Knuth, The Art of
/// Computer Programming, volume 1, section 2.5).
class LeastRoomByGpc final : public ClusterPlacement {
 public:
  std::size_t choose(const std::vector<GpcRoom>& gpcs) const override {
    const auto less = [](const GpcRoom& a, const GpcRoom& b) { return a.blocks < b.blocks; };
    return static_cast<std::size_t>(std::min_element(gpcs.begin(), gpcs.end(), less) - gpcs.begin());
  }
};

/// The GPC with the most empty SMs, if each block of the cluster can have one of them; if no GPC has enough, the first with
/// room. Observed on an H100 with a kernel that ends at once and whose blocks fit 32 to an SM: 17 clusters of 8 were on 120 of
/// 132 SMs, the last two on SMs that already had a block, and the 7th and the 16th on the same SMs of a
/// GPC of 16 SMs (W. An, accel-sim/gpu-app-collection, pull request 87, 2026). With most_room the GPCs of 18 SMs would have
/// got all of them.
class MostIdleByGpc final : public ClusterPlacement {
 public:
  std::size_t choose(const std::vector<GpcRoom>& gpcs) const override {
    const auto less = [](const GpcRoom& a, const GpcRoom& b) { return a.idle < b.idle; };
    const auto most = std::max_element(gpcs.begin(), gpcs.end(), less);
    return most->idle >= most->cluster ? static_cast<std::size_t>(most - gpcs.begin()) : 0;
  }
};

/// The next GPC after that of the last cluster in which the cluster fits. Begins again with the first when the GPU was
/// idle.
class RoundRobinByGpc final : public ClusterPlacement {
 public:
  std::size_t choose(const std::vector<GpcRoom>& gpcs) const override {
    const auto next = std::find_if(gpcs.begin(), gpcs.end(), [&](const GpcRoom& g) { return g.gpc >= next_; });
    return next == gpcs.end() ? 0 : static_cast<std::size_t>(next - gpcs.begin());
  }
  void placed(unsigned gpc) override { next_ = gpc + 1; }
  void idle() override { next_ = 0; }

 private:
  unsigned next_ = 0;
};

}  // namespace

std::unique_ptr<ClusterPlacement> ClusterPlacement::guarded(std::unique_ptr<ClusterPlacement> policy,
                                                            const PolicySeam& seam) {
  return std::make_unique<GuardedClusterPlacement>(std::move(policy), seam);
}

GPUTLM_REGISTER {
  cluster_placements().add<MostRoomByGpc>({{"most_room", 1},
                                           "The GPC that can hold the most further clusters of this kernel",
                                           "assumed: as most-room, section 4, for blocks",
                                           {Property::kRepeats}});
  cluster_placements().add<LeastRoomByGpc>({{"least_room", 2},
                                            "The GPC with the least room for blocks of this kernel that fits a cluster",
                                            "best fit: Knuth, volume 1, section 2.5",
                                            {Property::kRepeats}});
  cluster_placements().add<MostIdleByGpc>({{"most_idle", 4},
                                           "The GPC with the most idle SMs, if they are enough for a cluster; else the "
                                           "first with room",
                                           "W. An, accel-sim/gpu-app-collection, pull request 87",
                                           {Property::kRepeats}});
  cluster_placements().add<RoundRobinByGpc>({{"round_robin", 3},
                                             "The next GPC in turn that has room for a cluster",
                                             "assumed: as GPGPU-Sim places blocks",
                                             {Property::kRepeats}});
}

ObjectDecision<ClusterPlacement, ClusterPlacementSetup>& cluster_placements() {
  static ObjectDecision<ClusterPlacement, ClusterPlacementSetup> all("cluster placement", 13,
                                                                     "work_distributor.cluster_placement");
  return all;
}

std::unique_ptr<ClusterPlacement> make_cluster_placement(const std::string& name, const ClusterPlacementSetup& setup) {
  return cluster_placements().at(name).make(setup);
}

}  // namespace gputlm
