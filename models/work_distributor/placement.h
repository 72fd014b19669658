/// Placement: which SM gets the next block.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/launch.h"
#include "models/policy/policy.h"
#include "models/work_distributor/resources.h"

namespace gputlm {

/// The policy. It is asked for each block and sees the SMs as they are then. Each set of SMs to which applications are
/// confined has its own policy, so that the policy's state does not depend on what runs on other SMs.
class Placement : public PolicyObject {
 public:
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<Placement> guarded(std::unique_ptr<Placement> policy, const PolicySeam& seam);
  /// SM for a block, out of those in `allowed`; none if it fits on none of them. Changes nothing.
  virtual std::optional<SmId> choose(const BlockDemand& demand, const std::vector<Resources>& free,
                                     const SmSet& allowed) const = 0;
  /// The choice was carried out.
  virtual void placed(SmId sm) = 0;
  /// No kernel is in flight: nothing has run since the last one on these SMs ended.
  virtual void idle() = 0;
};

/// Orders in which SMs are preferred among equals (most-room, section 4.3); each takes the number of SMs.
Decision<std::vector<SmId> (*)(unsigned)>& sm_orders();
/// The order called `name`. Throws InputError if there is none.
std::vector<SmId> sm_order(const std::string& name, unsigned sms);

/// The parameters of a policy.
struct PlacementSetup {
  std::vector<SmId> order;             ///< the SMs, in order of preference
  PolicyOptions options = {};          ///< WorkDistributorConfig::options
  Resources sm = kUnlimitedResources;  ///< upper bound of the free resources of any SM
};

/// All policies.
ObjectDecision<Placement, PlacementSetup>& placements();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<Placement> make_placement(const std::string& name, const PlacementSetup& setup);

}  // namespace gputlm
