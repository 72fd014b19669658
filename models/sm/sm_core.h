/// A streaming multiprocessor: sub-cores that issue in order from their warps, a scoreboard on real registers,
/// pipelines, barriers, and the load/store unit. Plain C++; the SystemC module around it is models/sm/sm.h.
///
/// The core skips cycles in which nothing can issue.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/sm/load_store_unit.h"
#include "models/sm/mbarrier.h"
#include "models/sm/sm_model.h"
#include "models/sm/sm_tlb.h"
#include "models/sm/state_transfer.h"
#include "models/sm/sub_core.h"
#include "models/sm/tma_unit.h"
#include "tlm/base/divisor.h"

namespace gputlm {

class SmCore final : public SmModel {
 public:
  /// Arguments given by reference must outlive the core, except the clock and the network. `clock` is the core clock, needed
  /// for spins, which end at a time, not at a cycle. `tlb`: null without address translation.
  SmCore(const SmConfig& config, SmId id, const Clock& clock, const NetworkInterface& network, AccessSource& accesses,
         std::unique_ptr<SmTlb> tlb = nullptr);
  SmCore(const SmCore&) = delete;
  SmCore& operator=(const SmCore&) = delete;

  Inbox<BlockLaunch>& launches() override { return launches_; }
  Outbox<BlockLaunch>& completions() override { return completions_; }
  Outbox<Access>& requests() override { return l1_.port(); }
  Inbox<Access>& replies() override { return replies_; }
  SmTlb* tlb() override { return tlb_.get(); }

  /// Preempts at instruction boundaries.
  void allow_preemption() override;
  Inbox<ContextSwitch>& switches() override { return preemption_->commands; }
  Outbox<ContextSwitch>& switched() override { return preemption_->done; }
  GridSignals* allow_signals(ItemSource<GridSignal>& source, const Link& link) override {
    signals_ = std::make_unique<GridSignals>(source, link);
    extended_ = true;
    return &*signals_;
  }
  ClusterPort* allow_asynchronous(ItemSource<ClusterPacket>& packets, const ClusterNetworkConfig& config,
                                  const std::optional<Link>& link) override;
  unsigned slots_of_sub_core() const override { return slots_; }

  Cycle advance(Cycle until) override;

  SmStatistics statistics(Cycle now) const override;
  SmApplications applications(Cycle now) const override;
  PolicyTally policies() const override;
  /// Also says what resident warps wait for.
  std::vector<std::string> waiting() const override;

 private:
  static constexpr unsigned kBarriers = 16;  ///< named barriers of a block (PTX ISA, bar.sync)
  /// In addition: the barrier number of warps that wait for the end of a kernel on which theirs depends.
  static constexpr unsigned kGridDependency = kBarriers;
  static constexpr unsigned kClusterBarrier = kBarriers + 1;
  static constexpr unsigned kMbarrier = kBarriers + 2;  ///< Block::mbarriers says at which one
  static constexpr unsigned kPlacesToWait = kBarriers + 3;

  struct Block {
    BlockLaunch* launch = nullptr;
    unsigned live = 0;         ///< warps that have not exited
    unsigned present = 0;      ///< warps that have not finished
    std::uint64_t number = 0;  ///< number among all blocks that have started here
    std::vector<std::uint16_t> warps;
    std::array<std::uint16_t, kPlacesToWait> arrived{};
    /// State at the barrier of its cluster, whose phases are even and odd. Bits are warps of the block.
    struct {
      unsigned arrived = 0;      ///< number of warps that have arrived in the current phase
      bool told = false;         ///< the network has been told that all have arrived
      std::uint32_t parity = 0;  ///< for each warp, parity of the number of phases in which it has arrived
      std::uint32_t phases = 0;  ///< parity of the ended phases; all bits are alike
    } cluster;
    std::vector<Mbarrier> mbarriers;
    /// A warp's pending arrival at an mbarrier, once a number of its asynchronous copies have ended.
    struct ByCopies {
      std::uint32_t warp, copies;
      MbarrierUse use;
    };
    std::vector<ByCopies> by_copies;
  };
  /// State for kernels that wait for their cluster or for TMA.
  struct Async {
    Async(const SmConfig& config, L1Cache& l1, SmTlb* tlb) : tma(config, l1, tlb) {}
    std::optional<ClusterPort> port;  ///< present if there are clusters
    TmaUnit tma;
  };
  struct FarWake {
    Cycle at;
    std::uint16_t warp;
    bool operator>(const FarWake& other) const { return at != other.at ? at > other.at : warp > other.warp; }
  };

  /// PipeConfig, prepared for use at each issue.
  struct PipeTiming {
    Stamp latency = 0;  ///< latency as a stamp: cycles, shifted
    unsigned interval = 1;
    unsigned pipe = 0;  ///< index of the pipeline in the sub-core
  };
  /// Instructions and parameters of a kernel on their way into the SM's caches.
  struct Fetch {
    KernelId kernel;
    Cycle done;
  };
  /// The preempted blocks of an application, with the slots in which they continue.
  struct Off {
    ApplicationId application;
    Cycle since;  ///< first cycle in which they could not issue
    Bytes bytes;  ///< bytes of their state
    bool stuck;   ///< all warps wait at barriers
    std::vector<std::pair<std::size_t, Block>> blocks;
    std::vector<std::pair<unsigned, Warp>> warps;  ///< oldest first
  };
  struct Preemption : SwitchPort {
    using SwitchPort::SwitchPort;
    bool stopping = false;  ///< nothing is issued, but something is still in flight
    Cycle since = 0;        ///< first cycle in which nothing was issued
    std::vector<Off> off;
  };

  class SubCoreView;  // models/sm/sm_warp_view.h
  const WarpView& view_of(unsigned sub_core);

  // A warp slot of the SM is sub-core * slots + slot of the sub-core.
  SubCore& sub_core_of(unsigned warp) { return sub_cores_[by_slots_.quotient(warp)]; }
  unsigned slot_of(unsigned warp) const { return warp - by_slots_.quotient(warp) * slots_; }
  unsigned warp_of(const SubCore& sub, unsigned slot) const {
    return static_cast<unsigned>(&sub - sub_cores_.data()) * slots_ + slot;
  }
  const PipeTiming& timing_of(const Instruction& in) const { return timings_[static_cast<unsigned>(in.pipe)]; }

  /// kExtended: for preemption, a TLB or dependent kernels; other runs do not pay for them.
  template <bool kExtended>
  Cycle compute(Cycle until);
  /// Next cycle with work that does not begin in a sub-core: new blocks, the load/store unit, wakes of long waits.
  template <bool kExtended>
  Cycle outside_next() const;
  template <bool kExtended>
  void take_arrivals(Cycle now);
  template <bool kExtended>
  void step_outside(Cycle now, Cycle until);

  // Sub-cores: models/sm/sm_issue.cpp.
  /// Computes cycle `now` of all sub-cores with work in it, and what each can do alone before `horizon`.
  void step_sub_cores(Cycle now, Cycle horizon);
  Cycle others_idle_until(Cycle now, Cycle horizon) const;
  /// Computes cycle `first`, and further cycles before `horizon` while it touches nothing shared or the others are idle.
  void step_sub_core(SubCore& sub, unsigned index, Cycle first, Cycle others_idle_until, Cycle horizon);
  static unsigned pick_ahead(const SubCore& sub, std::uint64_t candidates);
  void book_issue(SubCore& sub, unsigned slot, Warp& warp, PipeTiming timing, Cycle now);
  bool issue_shared(SubCore& sub, unsigned index, unsigned slot, Cycle now);
  Cycle dependences_met(SubCore& sub, unsigned slot, Warp& warp, Cycle now);
  void schedule(SubCore& sub, unsigned slot, Cycle now);
  void wake_at(SubCore& sub, unsigned slot, Cycle at, Cycle now);
  void wake_later(const SubCore& sub, unsigned slot, Cycle at);

  Cycle fetch(const BlockLaunch& launch, Cycle now);
  void start_block(BlockLaunch& launch, Cycle now);
  void arrive_at_barrier(SubCore& sub, Warp& warp, unsigned barrier, Cycle now);
  void wait_at(SubCore& sub, Warp& warp, unsigned barrier);
  void release_barrier(Block& block, unsigned barrier, Cycle now);
  void take_signals(Cycle now);

  // Clusters and barriers: models/sm/sm_async.cpp.
  Cycle async_next() const;
  void step_async(Cycle now);
  bool in_cluster(const BlockLaunch& launch) const;
  bool is_own(const BlockLaunch& launch, std::uint32_t rank) const;
  Block* find_block(KernelId kernel, std::uint32_t block);
  void take_packet(ClusterPacket& packet, Cycle now);
  void take_answer(ClusterPacket& packet, Cycle now);
  void send_to_network(const BlockLaunch& launch, ClusterPacket::Kind kind, Cycle now);
  void arrive_in_cluster(Block& block, std::uint32_t warp, Cycle now);
  void all_arrived_in_cluster(Block& block, Cycle now);
  void end_cluster_phase(Block& block, Cycle now);
  Mbarrier& mbarrier(Block& block, std::uint32_t number) const;
  void initialise(Block& block, const MbarrierUse& use) const;
  void arrive(Block& block, std::uint32_t number, std::uint32_t arrivals, Bytes bytes, Cycle now);
  void arrive(Block& block, const MbarrierUse& use, Cycle now);
  void arrive_by_copies(const Warp& warp, Cycle now);
  void complete(Block& block, std::uint32_t number, Bytes bytes, Cycle now);
  void end_phase(Block& block, Mbarrier& barrier, Cycle now);
  void end_wait(Block& block, unsigned number, Cycle now);
  void store_asynchronously(unsigned warp_index, Block& block, const MbarrierUse& part, Cycle now);
  // models/sm/sm_tma.cpp:
  void begin_bulk_copy(unsigned warp_index, const Warp& warp, Cycle now);
  void take_bulk_reply(const Access& reply, Cycle now);
  void bring(const BlockLaunch& launch, const BulkCopy& what, Bytes bytes, Bytes counts, Cycle now);
  bool issue_async(SubCore& sub, unsigned warp_index, unsigned slot, Cycle now);

  void exit_warp(unsigned warp_index, Warp& warp, Cycle now);
  void finish_warp(unsigned warp_index, Cycle now);
  void send_completions(Cycle until);
  void note(const Block& block, BlockOnSm::Event event, Cycle now);
  void note(unsigned warp_index, const Warp& warp, BlockOnSm::Event event, Cycle now);
  void assign(SubCore& sub, unsigned slot, unsigned budget, Cycle now);
  void release(SubCore& sub, unsigned slot, Cycle now);

  // Preemption: models/sm/preemption.cpp.
  Cycle preemption_next() const;
  void step_preemption(Cycle now);
  void begin_switch(Cycle now);
  bool drained() const;
  void take_off(Cycle now);
  void bring_back(Cycle now);
  void end_switch(Cycle now, unsigned moved, Bytes bytes);

  void step_load_store(Cycle now, Cycle horizon);
  bool pass_fence(SubCore& sub, unsigned warp_index, unsigned slot, Cycle now);
  void has_drained(SubCore& sub, unsigned warp_index, Cycle now);
  void take_memory_results(Cycle now);
  void loaded(const MemoryResults::Load& load, Cycle now);

  const SmConfig& config_;
  SmId id_;
  bool extended_;    ///< compute<true>() is needed
  bool runs_ahead_;  ///< a sub-core that alone has work runs ahead
  Clock clock_;
  unsigned slots_;                            ///< warp slots of a sub-core
  Divisor by_slots_;                          ///< divides by slots_
  std::array<PipeTiming, kPipes> timings_{};  ///< indexed by Pipe
  Stamp branch_ = 0;                          ///< time from a taken branch until the warp can issue
  std::vector<SubCore> sub_cores_;
  Cycle sub_cores_next_ = kNever;  ///< minimum of SubCore::next
  unsigned next_sub_core_ = 0;     ///< sub-core that gets the next warp
  unsigned memory_turn_ = 0;       ///< sub-core that is served first: slots in a full load/store queue rotate
  std::vector<Block> blocks_;
  unsigned resident_ = 0;
  std::vector<FarWake> far_;  ///< heap of wakes beyond the wheels
  std::vector<Fetch> fetches_;
  Inbox<BlockLaunch> launches_;
  Outbox<BlockLaunch> completions_;
  Ring<BlockLaunch*> ended_;  ///< ended blocks that wait for the link
  Inbox<Access> replies_;
  Cycle arrivals_ = kNever;  ///< cycle of the next launch or reply; more arrive only between windows
  AccessSource& accesses_;
  L1Cache l1_;
  std::unique_ptr<SmTlb> tlb_;
  LoadStoreUnit load_store_;
  NetworkInterface network_;
  std::unique_ptr<Preemption> preemption_;        ///< present if preemption is allowed
  std::unique_ptr<GridSignals> signals_;          ///< present if kernels may depend on each other
  std::unique_ptr<Async> async_;                  ///< present if kernels need it
  std::vector<std::unique_ptr<WarpView>> views_;  ///< views requested by policies
  Cycle active_since_ = 0;
  SmStatistics statistics_;
  SmApplications applications_;  ///< statistics of blocks that have ended
};

}  // namespace gputlm
