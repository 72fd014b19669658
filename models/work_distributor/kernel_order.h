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
  int priority = 0;                ///< of its stream, CUDA's convention: lower is more urgent
  SmSet sms = SmSet().set();       ///< of its partition: its blocks may go nowhere else
  Placement* placement = nullptr;  ///< of its partition
  BlockDemand demand;
  unsigned cluster = 1;  ///< blocks that are sent together, to SMs of one GPC; 1: it has no clusters
  /// Of its blocks on an SM at most, no policy may allow fewer: a cluster would not fit on any GPC.
  unsigned least_residency = 1;
  ClusterPlacement* cluster_placement = nullptr;        ///< of its partition; null without clusters
  std::optional<Bytes> carveout_wanted = std::nullopt;  ///< of an empty SM, where that decides on the room for clusters
  std::uint64_t blocks = 0;                             ///< of the grid
  std::uint64_t dispatched = 0;                         ///< blocks sent to SMs; the next one has this number
  std::uint64_t ended = 0;
  std::uint64_t let_go = 0;             ///< blocks that have ended, or have let dependents begin
  std::vector<std::uint16_t> resident;  ///< blocks on each SM
  SmSet visited;                        ///< SMs that have got a block
  bool all_dispatched() const { return dispatched == blocks; }
};

/// "The next block may be one of this kernel, on these SMs, where fewer than `residency_limit` of its blocks are." Of a
/// kernel with clusters: all blocks of the next cluster, on those of these SMs that one GPC has.
struct Offer {
  static constexpr unsigned kUnlimited = std::numeric_limits<unsigned>::max();
  std::size_t kernel = 0;  ///< index into the kernels in flight
  SmSet sms;
  unsigned residency_limit = kUnlimited;
};

/// The policy. It is told of everything that happens, in order, at core cycle `now` of the work distributor.
class KernelOrder : public PolicyObject {
 public:
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<KernelOrder> guarded(std::unique_ptr<KernelOrder> policy, const PolicySeam& seam);
  virtual void launched(const KernelState& /*kernel*/, Cycle /*now*/) {}
  virtual void block_sent(const KernelState& /*kernel*/, SmId /*sm*/, Cycle /*now*/) {}
  /// The end of a block has been heard of.
  virtual void block_ended(const KernelState& /*kernel*/, const BlockLaunch& /*block*/, Cycle /*now*/) {}
  /// The last block has been.
  virtual void ended(const KernelState& /*kernel*/, Cycle /*now*/) {}
  /// Something has happened that offers() may depend on; it is asked next. For what a policy decides over all kernels and
  /// keeps to.
  virtual void reconsider(const std::vector<KernelState>& /*kernels*/, Cycle /*now*/) {}
  /// Appends offers to `offers` (empty), most preferred first; the first that placement can carry out is. `kernels`
  /// are those in flight, in order of arrival. Only kernels with blocks left to dispatch may be offered, and only
  /// SMs of their partitions. Offers hold until a kernel arrives, a block ends, or the last block of a kernel is sent:
  /// other blocks sent must not change them, but for what residency limits do.
  virtual void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const = 0;
};

/// What a policy is made for.
struct KernelOrderSetup {
  unsigned sms;
  Resources sm;  ///< of each SM, when it is empty
  /// For policies with Property::kNeedsPredictor, which alone may follow it: runtime predictions, of all kernels in
  /// flight on all SMs. It has been told of an event when the policy is; but a kernel that has ended is forgotten only
  /// afterwards. Outlives the policy.
  const SlicingPredictor* predictor = nullptr;
  PolicyOptions options = {};    ///< WorkDistributorConfig::options
  std::vector<SmSet> gpcs = {};  ///< SMs of each; counts for kernels with clusters
};

/// All policies.
ObjectDecision<KernelOrder, KernelOrderSetup>& kernel_orders();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name, const KernelOrderSetup& setup);

}  // namespace gputlm
