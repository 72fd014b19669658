/// Cluster placement: which GPC gets the next cluster of blocks (CUDA C++ Programming Guide, "Thread Block Clusters": the
/// blocks of a cluster are on one GPC at the same time). Which of its SMs get the blocks is up to the placement
/// (placement.h), asked block by block. How NVIDIA's GPUs choose is not published.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/kernel/launch.h"
#include "models/policy/policy.h"

namespace gputlm {

/// What a GPC has room for.
struct GpcRoom {
  unsigned gpc = 0;       ///< its number
  unsigned clusters = 0;  ///< of the kernel that fit, one or more
  unsigned blocks = 0;    ///< of the kernel that fit
  unsigned cluster = 1;   ///< blocks of a cluster
  unsigned idle = 0;      ///< SMs on which no block is, of those that the kernel may use
};

/// The policy. Each set of SMs that applications are confined to has one of its own, as it has a placement.
class ClusterPlacement : public PolicyObject {
 public:
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<ClusterPlacement> guarded(std::unique_ptr<ClusterPlacement> policy, const PolicySeam& seam);
  /// Index into `gpcs`, those with room for a cluster, in ascending order; never empty. Changes nothing.
  virtual std::size_t choose(const std::vector<GpcRoom>& gpcs) const = 0;
  /// The choice was carried out.
  virtual void placed(unsigned /*gpc*/) {}
  /// No kernel is in flight on these SMs.
  virtual void idle() {}
};

/// What a policy is made for.
struct ClusterPlacementSetup {
  unsigned gpcs = 1;           ///< of the GPU
  PolicyOptions options = {};  ///< WorkDistributorConfig::options
};

/// All policies.
ObjectDecision<ClusterPlacement, ClusterPlacementSetup>& cluster_placements();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<ClusterPlacement> make_cluster_placement(const std::string& name, const ClusterPlacementSetup& setup);

}  // namespace gputlm
