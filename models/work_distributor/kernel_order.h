/// Kernel order: which kernel's block goes next, where it may go, and how many may be there.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/launch.h"
#include "models/policy/policy.h"
#include "models/work_distributor/cluster_placement.h"
#include "models/work_distributor/placement.h"
#include "models/work_distributor/slicing_predictor.h"

namespace gputlm {

/// SMs 0 to `sms` - 1.
inline SmSet all_sms(unsigned sms) { return SmSet().set() >> (kMaxSms - sms); }

/// A kernel in flight.
struct KernelState {
  KernelLaunch* launch = nullptr;
  int priority = 0;                ///< priority of its stream, CUDA's convention: lower is more urgent
  SmSet sms = SmSet().set();       ///< SMs of its partition: its blocks may go nowhere else
  Placement* placement = nullptr;  ///< placement of its partition
  BlockDemand demand;
  unsigned cluster = 1;  ///< blocks that are sent together, to SMs of one GPC; 1: it has no clusters
  /// Minimum residency limit that a policy may set for it on an SM: below, a cluster would not fit on any GPC.
  unsigned least_residency = 1;
  ClusterPlacement* cluster_placement = nullptr;        ///< cluster placement of its partition; null without clusters
  std::optional<Bytes> carveout_wanted = std::nullopt;  ///< carve-out of an empty SM, if it affects room for clusters
  std::uint64_t blocks = 0;                             ///< number of blocks of the grid
  std::uint64_t dispatched = 0;                         ///< number of blocks sent to SMs; the next one has this number
  std::uint64_t ended = 0;
  std::uint64_t let_go = 0;             ///< number of blocks that have ended, or have let dependents begin
  std::vector<std::uint16_t> resident;  ///< number of blocks on each SM
  SmSet visited;                        ///< SMs that have received a block
  bool all_dispatched() const { return dispatched == blocks; }
};

/// "The next block may be one of this kernel, on those of these SMs that have fewer than `residency_limit` of its blocks." For
/// a kernel with clusters: all blocks of the next cluster, on those of these SMs that are in one GPC.
struct Offer {
  static constexpr unsigned kUnlimited = std::numeric_limits<unsigned>::max();
  std::size_t kernel = 0;  ///< index in the kernels in flight
  SmSet sms;
  unsigned residency_limit = kUnlimited;
};

/// The policy. It is told of everything that happens, in order, at core cycle `now` of the work distributor.
class KernelOrder : public PolicyObject {
 public:
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<KernelOrder> guarded(std::unique_ptr<KernelOrder> policy, const PolicySeam& seam);
  virtual void launched(const KernelState& /*kernel*/, Cycle /*now*/) {}
  virtual void block_sent(const KernelState& /*kernel*/, SmId /*sm*/, Cycle /*now*/) {}
  /// The end of a block has become known.
  virtual void block_ended(const KernelState& /*kernel*/, const BlockLaunch& /*block*/, Cycle /*now*/) {}
  /// The end of the last block has become known.
  virtual void ended(const KernelState& /*kernel*/, Cycle /*now*/) {}
  /// Something has happened that offers() may depend on; offers() is called next. For what a policy decides over all kernels
  /// and then keeps.
  virtual void reconsider(const std::vector<KernelState>& /*kernels*/, Cycle /*now*/) {}
  /// Appends offers to `offers` (empty), most preferred first; the first that placement can carry out is used. `kernels`
  /// are those in flight, in order of arrival. Only kernels with blocks left to dispatch may be offered, and only
  /// SMs of their partitions. Offers hold until a kernel arrives, a block ends, or the last block of a kernel is sent:
  /// other blocks sent must not change them, except through residency limits.
  virtual void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const = 0;
};

/// The parameters of a policy.
struct KernelOrderSetup {
  unsigned sms;
  Resources sm;  ///< resources of an empty SM
  /// For policies with Property::kNeedsPredictor, which alone may use it: runtime predictions of all kernels in
  /// flight on all SMs. It is told of an event before the policy is, but it forgets an ended kernel only
  /// afterwards. Outlives the policy.
  const SlicingPredictor* predictor = nullptr;
  PolicyOptions options = {};    ///< WorkDistributorConfig::options
  std::vector<SmSet> gpcs = {};  ///< SMs of each GPC; used for kernels with clusters
};

/// All policies.
ObjectDecision<KernelOrder, KernelOrderSetup>& kernel_orders();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name, const KernelOrderSetup& setup);

}  // namespace gputlm
