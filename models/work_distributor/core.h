/// The work distributor (thread block scheduler): takes kernels from the host, sends their blocks to SMs one by one,
/// and reports kernels complete. It mirrors what is free on each SM, as the hardware's occupancy test needs
/// (cuda-hierarchy, section III-C), and predicts runtimes (srtf, section 4) if its policy or anybody else asks for that.
/// Plain C++; the module around it is work_distributor.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/policy/tally.h"
#include "models/sm_limits.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/slicing_predictor.h"
#include "tlm/launch.h"
#include "tlm/link.h"
#include "tlm/tap.h"

namespace gputlm {

/// A block has been sent to an SM.
struct BlockSent {
  Identity identity;
  std::uint32_t command = 0, iteration = 0;  ///< of the kernel launch
  Cycle at = 0;
};

/// The end of a block has been heard of.
struct BlockEnded {
  Identity identity;
  std::uint32_t command = 0, iteration = 0;  ///< of the kernel launch
  Cycle start = 0, end = 0;                  ///< on the SM
  Cycle heard = 0;
  BlockCounters counters;
  std::optional<Prediction> prediction;  ///< of its kernel on its SM from now on; none where nobody predicts
};

/// All blocks of a kernel have ended.
struct KernelExecuted {
  Identity identity;
  std::uint32_t command = 0, iteration = 0;
  Cycle at = 0;
  /// For how many cycles each SM had a block of it, as predictions count; empty where nobody predicts.
  std::vector<Cycle> active;
};

class WorkDistributorCore {
 public:
  /// What is given by reference must outlive the core.
  WorkDistributorCore(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                      ItemSource<BlockLaunch>& blocks);

  /// Predicts runtimes for who watches, whatever the policy needs. To be called before the first kernel arrives.
  void predict();

  Inbox<KernelLaunch>& launches() { return launches_; }
  Outbox<KernelLaunch>& completions() { return completions_; }
  Outbox<BlockLaunch>& block_launches(unsigned sm) { return sms_[sm].launches; }
  Inbox<BlockLaunch>& block_completions(unsigned sm) { return sms_[sm].completions; }

  // In the order in which they happen here.
  Tap<BlockSent> blocks_sent;
  Tap<BlockEnded> blocks_ended;
  Tap<KernelExecuted> kernels_executed;

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if only an
  /// arrival makes some.
  Cycle advance(Cycle until);

  /// What its policies have counted.
  PolicyTally policies() const;
  /// Blocks that were sent and of whose end the work distributor has not heard.
  std::vector<const BlockLaunch*> outstanding() const;
  /// Kernels in flight and what they wait for, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct SmLink {
    Outbox<BlockLaunch> launches;
    Inbox<BlockLaunch> completions;
    std::vector<const BlockLaunch*> blocks{};  ///< outstanding
  };
  /// SMs that kernels are confined to, and how these kernels' blocks are placed there.
  struct Partition {
    SmSet sms;
    std::unique_ptr<Placement> placement;
  };

  void accept(KernelLaunch& launch, Cycle now);
  Placement& placement_on(const SmSet& sms);
  void complete(BlockLaunch& block, Cycle now);
  bool dispatch(Cycle now);
  bool send_one(Cycle now, SmSet& taken);
  bool waits_for_cache_config(const KernelState& kernel) const;
  void launch_block(KernelState& kernel, SmId sm, Cycle now);
  void end_kernel(std::vector<KernelState>::iterator kernel, Cycle now);

  const WorkDistributorConfig& config_;
  SmLimits sm_;  ///< of each
  ItemSource<BlockLaunch>& block_source_;
  std::optional<SlicingPredictor> predictor_;  ///< if somebody has asked for it
  std::unique_ptr<KernelOrder> order_;
  std::vector<Partition> partitions_;  ///< that have been met
  Inbox<KernelLaunch> launches_;
  Outbox<KernelLaunch> completions_;
  std::vector<SmLink> sms_;
  std::vector<Resources> free_;       ///< of each SM
  std::vector<KernelState> kernels_;  ///< in flight, in order of arrival
  std::vector<Offer> offers_;         ///< the policy's last
  bool offers_hold_ = false;          ///< nothing has happened since that they depend on
  Ring<KernelLaunch*> ended_;         ///< waiting for the link to the host
  Cycle next_dispatch_ = 0;
  bool may_dispatch_ = false;  ///< something has changed since placement last said no
};

}  // namespace gputlm
