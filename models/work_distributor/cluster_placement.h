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

/// The room of a GPC.
struct GpcRoom {
  unsigned gpc = 0;       ///< number of the GPC
  unsigned clusters = 0;  ///< clusters of the kernel that fit, one or more
  unsigned blocks = 0;    ///< blocks of the kernel that fit
  unsigned cluster = 1;   ///< blocks of a cluster
  unsigned idle = 0;      ///< SMs without a block, of those that the kernel may use
};

/// The policy. Each set of SMs to which applications are confined has its own, as it has its own placement.
class ClusterPlacement : public PolicyObject {
 public:
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<ClusterPlacement> guarded(std::unique_ptr<ClusterPlacement> policy, const PolicySeam& seam);
  /// Index in `gpcs`, which are those with room for a cluster, in ascending order; never empty. Changes nothing.
  virtual std::size_t choose(const std::vector<GpcRoom>& gpcs) const = 0;
  /// The choice was carried out.
  virtual void placed(unsigned /*gpc*/) {}
  /// No kernel is in flight on these SMs.
  virtual void idle() {}
};

/// The parameters of a policy.
struct ClusterPlacementSetup {
  unsigned gpcs = 1;           ///< number of GPCs of the GPU
  PolicyOptions options = {};  ///< WorkDistributorConfig::options
};

/// All policies.
ObjectDecision<ClusterPlacement, ClusterPlacementSetup>& cluster_placements();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<ClusterPlacement> make_cluster_placement(const std::string& name, const ClusterPlacementSetup& setup);

}  // namespace gputlm
