/// The work distributor (thread block scheduler): takes kernels from the host into the contexts of their applications,
/// sends blocks to SMs one by one, and reports completed kernels. It keeps track of what is free on each SM, as the hardware's
/// occupancy test does (cuda-hierarchy, section III-C). The work of a GPU before a kernel's first block (it reads the launch's
/// descriptor, sets up its memory, invalidates caches) and after its last (it waits until all writes are visible) takes a
/// fixed time for each kernel, and overlaps with that for other kernels.
/// Plain C++; the module around it is work_distributor.h.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/launch.h"
#include "models/policy/tally.h"
#include "models/sm_limits.h"
#include "models/work_distributor/carveout.h"
#include "models/work_distributor/division.h"
#include "models/work_distributor/engine.h"
#include "models/work_distributor/foreseen_blocks.h"
#include "models/work_distributor/repetition.h"
#include "models/work_distributor/switch_pace.h"
#include "tlm/grid_signal.h"
#include "tlm/link.h"
#include "tlm/pending_work.h"
#include "tlm/tap.h"

namespace gputlm {

/// A block has been sent to an SM.
struct BlockSent {
  Identity identity;
  std::uint32_t command = 0, iteration = 0;  ///< as in KernelLaunch
  Cycle at = 0;
};

/// The work distributor has been told of the end of a block.
struct BlockEnded {
  Identity identity;
  std::uint32_t command = 0, iteration = 0;  ///< as in KernelLaunch
  Cycle start = 0, end = 0;                  ///< start and end on the SM
  std::uint16_t slot = 0;                    ///< block slot of the SM; the lowest that was free
  Cycle heard = 0;
  BlockCounters counters;
  std::optional<Prediction> prediction;  ///< prediction for its kernel on its SM from now on; none without a predictor
};

/// All blocks of a kernel have ended.
struct KernelExecuted {
  Identity identity;
  std::uint32_t command = 0, iteration = 0;
  Cycle at = 0;
  /// Number of cycles for which each SM had a block of it, as predictions count them; empty without a predictor.
  std::vector<Cycle> active;
};

class WorkDistributorCore {
 public:
  /// Arguments given by reference must outlive the core, except `sms_of_gpcs`: number of SMs of each GPC; empty: one has all.
  /// `first_sm`: Identity::sm of the first of its SMs, which are counted from 0 here.
  WorkDistributorCore(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                      ItemSource<BlockLaunch>& blocks, ItemSource<ContextSwitch>& switches,
                      const Applications& applications = {}, SmId first_sm = 0,
                      const std::vector<unsigned>& sms_of_gpcs = {});

  /// Predicts runtimes for observers, even if the kernel order needs none. To be called before the first kernel arrives.
  void predict();

  /// Blocks are not sent: the SMs, indexed by SmId and `hop` cycles away, foretell their ends. What happens between ends of
  /// kernels may then be computed late, when something else happens or results are requested; but not if
  /// blocks are watched. To be called before the first kernel arrives; `sms` must outlive the core.
  void foresee(std::vector<SmForesight*> sms, Cycle hop);

  Inbox<KernelLaunch>& launches() { return launches_; }
  /// Whether contexts take turns: only then is there a link for PendingWork from the host.
  bool takes_turns() const { return !engine_.together(); }
  Inbox<PendingWork>& pending_work() { return pending_work_; }
  Outbox<PendingWork>& pending_work_heard() { return pending_work_heard_; }
  Outbox<KernelLaunch>& completions() { return completions_; }
  Outbox<BlockLaunch>& block_launches(unsigned sm) { return sms_[sm].launches; }
  Inbox<BlockLaunch>& block_completions(unsigned sm) { return sms_[sm].completions; }
  /// Whether blocks may be taken off the SMs: only then do the links for this exist.
  bool preempts() const { return engine_.preempts(); }
  /// If nothing else uses the memory: a switch like earlier ones takes as long as they did, without packets of its state,
  /// if the policy permits this. To be called before the first kernel arrives.
  void learn_switches() {
    if (engine_.learns_switches()) switch_pace_.emplace();
  }
  Outbox<ContextSwitch>& switches(unsigned sm) { return switching_[sm].commands; }
  Inbox<ContextSwitch>& switched(unsigned sm) { return switching_[sm].done; }

  /// Lets kernels begin before one that they depend on has ended: makes the links for this. `link`: the same at both ends.
  void allow_signals(ItemSource<GridSignal>& source, const Link& link);
  Outbox<GridSignal>& grids_ended(unsigned sm) { return signalling_[sm].ended; }
  Inbox<GridSignal>& grids_ended_heard(unsigned sm) { return signalling_[sm].ended_heard; }
  Inbox<GridSignal>& blocks_let_go(unsigned sm) { return signalling_[sm].let_go; }
  Outbox<GridSignal>& blocks_let_go_heard(unsigned sm) { return signalling_[sm].let_go_heard; }

  // Events, in the order in which they happen here.
  Tap<BlockSent> blocks_sent;
  Tap<BlockEnded> blocks_ended;
  Tap<Prediction> slices_predicted;  ///< the first of each slice: those with first_of_slice
  Tap<KernelExecuted> kernels_executed;
  Tap<SliceEnded>& slices() { return engine_.slices; }
  std::size_t contexts() const { return engine_.contexts(); }
  /// What the kernel order of a context is told and asked. To be called before the first kernel arrives.
  Tap<KernelOrderEvent>& record_order(std::size_t context) {
    records_order_ = true;
    return engine_.context(context).decisions;
  }

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work that others may learn of,
  /// kNever if only an arrival brings some.
  Cycle advance(Cycle until);

  /// The counters of its policies.
  PolicyTally policies() const;
  /// Statistics of each application; empty if all are in one context.
  const std::vector<EngineStatistics>& engine_statistics() const { return engine_.statistics(); }
  /// Number of blocks whose end is known; those of applications that were launched again do not count.
  std::uint64_t blocks_done() const { return blocks_done_; }
  /// A block that was sent and whose end the work distributor does not know yet, as of the last advance().
  struct Outstanding {
    KernelId kernel = 0;
    std::optional<Cycle> start = {};  ///< start on the SM; none: it has not arrived there
    BlockCounters counters = {};      ///< its counters, as far as they are known
  };
  std::vector<Outstanding> outstanding() const;
  /// Kernels in flight and what they wait for, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  /// Announces that it is not empty: of hundreds of SMs, few have something to report.
  class Completions final : public Inbox<BlockLaunch> {
   public:
    Completions(unsigned depth, SmId sm, SmSet& telling) : Inbox(depth), sm_(sm), telling_(telling) {}
    void push(Cycle at, BlockLaunch& block) override {
      telling_.set(sm_);
      Inbox::push(at, block);
    }

   private:
    SmId sm_;
    SmSet& telling_;
  };
  struct SmLink {
    Outbox<BlockLaunch> launches;
    Completions completions;
    std::vector<const BlockLaunch*> blocks{};  ///< outstanding blocks
  };
  struct SwitchLink {
    Outbox<ContextSwitch> commands{1, 1};
    Inbox<ContextSwitch> done{1};
  };
  struct SignalLink {
    explicit SignalLink(const Link& link)
        : ended(1, link.request.queue), ended_heard(link.response.queue), let_go(link.request.queue),
          let_go_heard(1, link.response.queue) {}
    Outbox<GridSignal> ended;
    Inbox<GridSignal> ended_heard;
    Inbox<GridSignal> let_go;
    Outbox<GridSignal> let_go_heard;
  };
  /// A kernel that depends on another one whose end has not been reported to the host.
  struct Dependent {
    KernelLaunch* launch;
    KernelId after;
    bool begun;  ///< all blocks of that kernel have ended or let this one begin: it is in flight
  };
  /// A launch on its way into its context.
  struct Arrived {
    KernelLaunch* launch;
    Cycle prepared;  ///< cycle from which its blocks may be sent
  };
  /// An ended kernel, which waits for its completion and for the link to the host.
  struct Ended {
    KernelLaunch* launch;
    Cycle at;  ///< cycle from which the host may be told
  };
  /// Whether an observer is told of every block.
  bool watched() const { return blocks_sent.watched() || blocks_ended.watched() || records_order_; }
  /// Cycle of the next event other than ends of foreseen blocks.
  Cycle next() const;
  void hear(Cycle until);
  /// Cycle before which nothing happens that others may learn of, as no kernel ends, if the next event is at `next`.
  Cycle first_end(Cycle next) const;
  Cycle first_end(const KernelState& kernel, Cycle next) const;
  /// Applies what repeats as many times as it happens before `until` and before anything else.
  void repeat(Cycle until);
  /// Cycle in which the next launch is considered: if contexts take turns, when it arrives, since it is work from then on;
  /// otherwise when it has been prepared.
  Cycle comes() const {
    return launches_.next() == kNever ? kNever : launches_.next() + (takes_turns() ? 0 : config_.kernel_launch_latency);
  }
  /// Cycle in which the next launch that has arrived has been prepared.
  Cycle prepared() const { return arrived_.empty() ? kNever : arrived_.front().prepared; }
  /// Cycle in which something arrives from the host, or in which what has arrived proceeds.
  Cycle from_host() const { return std::min({comes(), prepared(), pending_work_.next()}); }
  void take_in(Cycle now);
  /// Cycle in which the host can be told of a kernel that has ended.
  Cycle told() const { return ended_.empty() ? kNever : std::max(ended_.front().at, completions_.ready_at()); }
  void take_turns(Cycle now);
  void switch_context(bool brings_back, Cycle now);
  void dispatch_from(Cycle now);
  void accept(KernelLaunch& launch, Cycle now);
  void admit(KernelLaunch& launch, Cycle now);
  // Programmatic dependent launch: models/work_distributor/core_dependents.cpp.
  bool is_open(KernelId kernel) const;
  bool lets_begin(const KernelLaunch& launch, KernelId after) const;
  void begin_dependents(Cycle now);
  void tell_dependents(const KernelLaunch& ended, Cycle now);
  bool waits_for_grid(const KernelLaunch& launch) const;
  Cycle next_signal() const;
  void take_signals(Cycle now);
  void complete(BlockLaunch& block, Cycle now);
  bool dispatch(Cycle now);
  bool send_one(Cycle now, SmSet& taken);
  bool waits_for_cache_config(const KernelState& kernel) const;
  SmSet divided_too_small(const KernelState& kernel) const;
  std::optional<Bytes> carveout_of_neighbours(SmId sm) const;
  SmSet closed_to(std::size_t context, const KernelState& kernel, Cycle now);
  void keep_for_clusters(std::size_t context, bool its_turn);
  void take_room(const KernelState& kernel, SmId sm);
  bool empty(SmId sm) const { return free_[sm].blocks == sm_.blocks; }
  void launch_block(Context& context, const Context::Choice& choice, Cycle now);
  void end_kernel(Context& context, const Identity& who, Cycle now);
  /// The same with the SM number that others use.
  Identity known(Identity who) const {
    who.sm = static_cast<SmId>(who.sm + first_sm_);
    return who;
  }
  Prediction known(Prediction prediction) const {
    prediction.sm = static_cast<SmId>(prediction.sm + first_sm_);
    return prediction;
  }

  const WorkDistributorConfig& config_;
  SmId first_sm_;
  Resources sm_;  ///< resources of an empty SM
  const CarveoutSizes& carveout_sizes_;
  const DivisionRule& division_;
  std::vector<std::optional<Bytes>> carveouts_;  ///< carve-out of each SM that is not empty
  ItemSource<BlockLaunch>& block_source_;
  ItemSource<ContextSwitch>& switch_source_;
  ExecutionEngine engine_;
  Inbox<KernelLaunch> launches_;
  Outbox<KernelLaunch> completions_;
  Inbox<PendingWork> pending_work_;
  Outbox<PendingWork> pending_work_heard_;
  Ring<Arrived> arrived_;  ///< launches in order of arrival
  SmSet telling_;          ///< SMs whose completions are not empty
  std::vector<SmLink> sms_;
  std::vector<SwitchLink> switching_;  ///< indexed by SM; empty if blocks stay until they end
  std::optional<SwitchPace> switch_pace_;
  std::deque<SignalLink> signalling_;  ///< indexed by SM; empty if no kernel depends on another
  ItemSource<GridSignal>* signal_source_ = nullptr;
  std::vector<KernelId> open_;         ///< kernels whose end has not been reported to the host
  std::vector<Dependent> dependents_;  ///< kernels that wait for others, in order of arrival
  std::vector<Resources> free_;        ///< free resources of each SM
  std::size_t next_context_ = 0;       ///< context that may send a block first
  bool heeds_levels_;                  ///< kernels of one context may be more urgent than those of another
  std::optional<int> level_;           ///< level of the last kernel that has arrived
  bool levels_differ_ = false;         ///< levels of kernels have differed, and count
  bool has_clusters_ = false;          ///< a kernel with clusters has arrived
  /// What each context keeps from others for a cluster.
  std::vector<std::optional<Context::Kept>> kept_;
  Ring<Ended> ended_;  ///< ended kernels, in the order of their ends
  Cycle next_dispatch_ = 0;
  bool may_dispatch_ = false;  ///< something has changed since no block could be placed
  std::uint64_t blocks_done_ = 0;
  Cycle until_ = 0;                         ///< everything before this cycle has been computed
  std::optional<ForeseenBlocks> foreseen_;  ///< present if blocks are not sent
  bool may_repeat_ = false;                 ///< all policies have Property::kRepeats
  Repetition repetition_;
  Cycle last_ = 0;        ///< cycle of the last event
  Cycle heard_ = kNever;  ///< cycle of the next report of a block's end, of those that have arrived
  bool records_order_ = false;
};

}  // namespace gputlm
