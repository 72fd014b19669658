/// A context: what belongs to one application on the execution engine, or to all if a policy puts them together: its
/// kernels in flight, their order, the predictions of their runtimes, the resulting offers, and the placement of blocks.
/// The free resources of the SMs, and the links to them, belong to the work distributor (core.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/policy/tally.h"
#include "models/sm_limits.h"
#include "models/work_distributor/application.h"
#include "models/work_distributor/decisions.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/slicing_predictor.h"
#include "tlm/tap.h"

namespace gputlm {

class Context {
 public:
  /// `config` must outlive the context. `sm`: limits of each SM; `limits`: what the context may have of it.
  /// `gpcs`: SMs of each GPC.
  Context(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms, const ContextLimits& limits,
          const std::vector<SmSet>& gpcs);

  /// Predicts runtimes for observers, even if the policy needs none. To be called before the first kernel arrives.
  void predict();

  void accept(KernelLaunch& launch, Cycle now);
  bool has_work() const { return !kernels_.empty(); }
  /// Kernels in flight, in order of arrival.
  const std::vector<KernelState>& kernels() const { return kernels_; }
  /// Number of blocks that have been sent and whose end is not known yet, except those that have been taken off the SMs.
  std::uint64_t running() const { return outstanding_ - off_; }
  std::uint64_t off() const { return off_; }
  /// Resources that its blocks take of an SM when they are there.
  Resources on(unsigned sm) const;
  /// Carve-out of the SM when the last of the context's blocks was sent there; none if it is fixed.
  std::optional<Bytes> carveout(unsigned sm) const { return carveouts_[sm]; }

  /// Blocks are being taken off the SMs at `now`.
  void stop(Cycle now);
  /// This number of blocks has been taken off.
  void taken_off(std::uint64_t blocks) { off_ += blocks; }
  /// All blocks are back.
  void go_on(Cycle now);

  /// A choice: the next block of the kernel goes to the SM.
  struct Choice {
    std::size_t kernel;  ///< index into kernels()
    SmId sm;
    bool of_cluster = false;  ///< it has been placed with the others of its cluster
  };
  /// The next block that may be sent, to an SM that is not among those `taken` and has room according to `free`; none if there
  /// is none, which holds until something happens. `closed(kernel)`: SMs to which its blocks may not be sent now.
  template <class Closed>
  std::optional<Choice> choose(const std::vector<Resources>& free, const SmSet& taken, Cycle now, Closed closed) {
    if (in_cluster()) return next_of_cluster(taken);
    reconsider(now);
    std::optional<SmSet> kept;
    for (const Offer& offer : offers_) {
      SmSet not_there = closed(kernels_[offer.kernel]);
      if (kept) not_there |= *kept;
      if (not_there.all()) continue;
      if (kernels_[offer.kernel].cluster > 1) {
        if (place_cluster(offer, free, not_there, taken)) return Choice{offer.kernel, cluster_.front(), true};
        if (!kept || kept->none()) kept = keep_gpc(offer, free, not_there);
      } else if (const auto sm = place(offer, free, taken | not_there)) {
        return Choice{offer.kernel, *sm};
      }
    }
    return std::nullopt;
  }
  /// SMs of the blocks of a cluster that have been placed but not sent, by rank. Nothing else is chosen meanwhile,
  /// and the context does not leave the engine: a cluster is there as a whole, or not at all.
  const std::vector<SmId>& cluster() const { return cluster_; }
  bool in_cluster() const { return !cluster_.empty(); }
  /// A cluster for which no GPC had room when blocks were last chosen keeps the SMs of one for itself: only what is more
  /// urgent, or comes before it, gets them.
  struct Kept {
    KernelId kernel = 0;
    SmSet sms;
    int level = 0;  ///< level of the kernel
  };
  const std::optional<Kept>& kept() const { return kept_; }
  /// Whether it has blocks that have not been sent.
  bool has_unsent() const;
  /// Urgency of a kernel among those of all contexts that are on the engine together: lower is more urgent.
  int level(const KernelState& kernel) const { return kernel.priority + below_; }
  /// SMs on which a kernel that is more urgent than `level` would have its next block, if others left room for it.
  SmSet wanted_before(int level, Cycle now);
  /// Carries out the choice: makes `block` the kernel's next one, which leaves at `now`, and updates everything that counts it,
  /// except the free resources.
  void launch(const Choice& choice, BlockLaunch& block, Cycle now);
  const KernelState& kernel(const Choice& choice) const { return kernels_[choice.kernel]; }
  /// State of a kernel; null if it is not in flight.
  const KernelState* in_flight(KernelId kernel) const;
  /// A block of the kernel, if that is still in flight, lets dependents begin.
  void let_go(KernelId kernel);
  /// State of a kernel in flight.
  const KernelState& kernel(KernelId kernel) const;

  /// The result of block_ended().
  struct BlockEnd {
    std::optional<Prediction> prediction;  ///< prediction for the kernel; none without a predictor
    bool was_last = false;                 ///< it was the last block of its kernel
  };
  BlockEnd block_ended(const BlockLaunch& block, std::vector<Resources>& free, Cycle now);
  /// Number of cycles for which each SM has had a block of the kernel until `now`; empty without a predictor.
  std::vector<Cycle> active_cycles(KernelId kernel, Cycle now) const;
  /// What the blocks of a kernel do in a period.
  struct Period {
    Cycle cycles = 0;
    std::uint64_t blocks = 0;               ///< number of blocks that are sent, and of those that end
    std::vector<std::uint64_t> ended = {};  ///< number of blocks that end on each SM
    std::vector<Cycle> active = {};         ///< what a period adds to active_cycles()
  };
  /// The kernel's blocks repeat the last period `times` times more; all are like `block`.
  void repeat(const BlockLaunch& block, std::uint64_t times, const Period& period);
  /// Number of launches and ends of blocks so far.
  std::uint64_t progress() const { return progress_; }
  /// An ended kernel, and the number of cycles for which each SM had a block of it; empty without a predictor.
  struct KernelEnd {
    KernelLaunch* launch;
    std::vector<Cycle> active;
  };
  KernelEnd end_kernel(KernelId kernel, Cycle now);

  void count_order(PolicyCounts& counts) const { order_->count(counts); }
  void count_placement(PolicyCounts& counts) const;
  void count_cluster_placement(PolicyCounts& counts) const;

  Tap<KernelOrderEvent> decisions;

 private:
  /// SMs that kernels are confined to, and the placement of these kernels' blocks there.
  struct Partition {
    SmSet sms;
    std::unique_ptr<Placement> placement;
    std::unique_ptr<ClusterPlacement> clusters;
  };

  Partition& partition_of(const SmSet& sms);
  std::vector<KernelState>::iterator find(KernelId kernel);
  void reconsider(Cycle now);
  void note_sent(const Choice& choice, Cycle now);
  std::optional<SmId> place(const Offer& offer, const std::vector<Resources>& free, const SmSet& taken);
  // Clusters: models/work_distributor/context_clusters.cpp.
  std::optional<Choice> next_of_cluster(const SmSet& taken) const;
  bool place_cluster(const Offer& offer, const std::vector<Resources>& free, const SmSet& closed, const SmSet& taken);
  SmSet keep_gpc(const Offer& offer, const std::vector<Resources>& free, const SmSet& closed);
  Resources room_for_cluster(const KernelState& kernel, const Resources& free) const;
  void begin_clusters(KernelState& kernel, ClusterPlacement& placement) const;
  unsigned sms_in_use(const KernelState& kernel) const;

  /// `free`, with no more threads than the context's limit leaves it.
  const std::vector<Resources>& within_limit(const std::vector<Resources>& free);

  const WorkDistributorConfig& config_;
  const std::vector<SmSet>& gpcs_;
  SmLimits limits_;   ///< limits of each SM for this context
  SmSet allowed_;     ///< SMs that the context may use
  bool has_a_limit_;  ///< it has a limit of threads below the SM's
  int below_;         ///< levels by which its kernels are less urgent than their streams' priorities say
  unsigned sms_;
  std::optional<SlicingPredictor> predictor_;  ///< present if the policy or an observer needs it
  std::unique_ptr<KernelOrder> order_;
  std::vector<Partition> partitions_;  ///< partitions met so far
  std::vector<KernelState> kernels_;
  std::uint64_t outstanding_ = 0;                ///< blocks sent whose end is not known yet
  std::uint64_t off_ = 0;                        ///< those of them that are off the SMs
  std::uint64_t progress_ = 0;                   ///< result of progress()
  std::vector<Offer> offers_;                    ///< the policy's last offers
  bool offers_hold_ = false;                     ///< nothing that they depend on has happened since
  std::vector<unsigned> warps_on_;               ///< warps of the context on each SM
  std::vector<std::optional<Bytes>> carveouts_;  ///< result of carveout() for each SM
  std::vector<Resources> left_;                  ///< result of within_limit()
  std::vector<SmId> cluster_;                    ///< result of cluster()
  KernelId cluster_of_ = 0;                      ///< kernel of that cluster
  std::shared_ptr<const PlacedCluster> placed_;  ///< the cluster as its blocks see it
  std::optional<Kept> kept_;
  std::vector<GpcRoom> rooms_;          ///< temporary of place_cluster(), kept for its memory
  std::vector<Resources> room_of_gpc_;  ///< another one
  std::vector<unsigned> of_cluster_;    ///< another one: the cluster's blocks on each SM
};

}  // namespace gputlm
