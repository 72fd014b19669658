/// An SM that runs blocks, not warps: its blocks progress at the rate given by durations.h, which holds until a block comes
/// or goes. It counts what its blocks issue, but has no pipelines or barriers.
///
/// It sends only the state of preempted blocks to memory. As a separate model, it also sends its blocks' accesses: their
/// memory instructions pass through the same load/store unit and L1 as those of warps, spread evenly over each block's work
/// (accesses.h). A block then waits longer than measured: for replies later than measured, as far as its kernel waits for
/// them (BlockDurations::requests()); while the load/store unit cannot take its instruction; and at its end for what is in
/// flight.
///
/// Spins end in the same cycle as on an SM that runs warps. A spinning block takes a slot, but none of the other resources.
/// A block's work follows its longest spin.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/sm/blocks/accesses.h"
#include "models/sm/blocks/durations.h"
#include "models/sm/blocks/spinning_blocks.h"
#include "models/sm/blocks/work.h"
#include "models/sm/sm_model.h"
#include "models/sm/state_transfer.h"

namespace gputlm {

class BlockSm final : public SmModel {
 public:
  /// Translates no addresses: `setup.tlb` must be null. `requests`: whether it sends its blocks' accesses.
  BlockSm(SmModelSetup setup, bool requests);

  Inbox<BlockLaunch>& launches() override { return launches_; }
  Outbox<BlockLaunch>& completions() override { return completions_; }
  Outbox<Access>& requests() override { return memory_ ? memory_->l1.port() : requests_; }
  Inbox<Access>& replies() override { return replies_; }
  SmTlb* tlb() override { return nullptr; }
  void allow_preemption() override;
  Inbox<ContextSwitch>& switches() override { return preemption_->commands; }
  Outbox<ContextSwitch>& switched() override { return preemption_->done; }
  unsigned slots_of_sub_core() const override { return config_.warps / config_.sub_cores; }
  ContentionEnd* allow_contention(ItemSource<BlockCount>& source, const Link& link) override;
  ByApplication<LostTime> lost() const override {
    return contention_ ? contention_->lost() : ByApplication<LostTime>();
  }
  SmForesight* foresight() override;

  Cycle advance(Cycle until) override;

  SmStatistics statistics(Cycle now) const override;
  SmApplications applications(Cycle now) const override;
  PolicyTally policies() const override { return {}; }
  std::vector<std::string> waiting() const override;

 private:
  struct Place {
    BlockLaunch* launch = nullptr;
    std::uint64_t number = 0;  ///< number among all blocks that have started here
    BlockDurations::Profile profile = 0;
    Cycle held_until = 0;  ///< cycle from which it progresses
    bool held = false;
    bool shares = false;  ///< its time alone is known; it progresses at the contention unit's pace
    Cycle as_alone = 0;   ///< cycles in which it progressed as if alone, since no pace was known yet
    Work left = 0;        ///< work left until only replies are missing
    BlockWork work;
    // For a block whose accesses go to memory:
    bool first = false;  ///< it started when no block of its launch had ended here
    BlockAccesses accesses;
    bool stuck = false;           ///< the next access is due, but too much is in flight
    std::uint64_t replies = 0;    ///< replies received
    BlockDurations::Waits waits;  ///< remaining waits
    Work waiting = 0;             ///< wait for replies received, as work to be done before it progresses
    Wait wait = 0;                ///< further cycles to wait, because of late replies
    /// Whether nothing is left, except perhaps replies.
    bool has_done_all() const { return left == 0 && waiting == 0 && !stuck; }
  };
  /// The progressing blocks of one kernel.
  struct Group {
    BlockDurations::Profile profile;
    Work rate, rate_of_first;
    BlockDurations::Requests requests;
  };
  /// A launch that has blocks here.
  struct Launch {
    KernelId kernel;
    Cycle fetched;        ///< cycle in which its code and parameters have arrived
    unsigned blocks = 0;  ///< blocks on this SM
    bool first = true;    ///< no block of it has ended on this SM
  };
  /// The preempted blocks of an application, with the slots in which they continue.
  struct Off {
    ApplicationId application;
    Cycle since;  ///< first cycle in which they did not progress
    Bytes bytes = 0;
    std::vector<std::pair<std::size_t, Place>> places;
  };
  struct Preemption : SwitchPort {
    using SwitchPort::SwitchPort;
    std::vector<Off> off;
    BlocksOff moves;        ///< blocks on their way
    Cycle moves_since = 0;  ///< start of `moves`
  };
  /// The memory path of the blocks' accesses.
  struct Memory {
    Memory(const SmConfig& config, const NetworkInterface& network, AccessSource& accesses)
        : l1(config.l1, config.options, network, accesses), load_store(config, l1, nullptr, config.blocks) {}
    L1Cache l1;
    LoadStoreUnit load_store;
    std::size_t turn = 0;    ///< index of the place that issues first
    std::size_t issued = 0;  ///< number of instructions that it issued while others waited
    bool stopping = false;   ///< blocks are being preempted: none progresses, but accesses are still in flight
    Cycle since = 0;         ///< first cycle in which none progressed
  };

  /// Whether its blocks are foreseen, and not sent.
  bool foresees() const { return spinning_ && spinning_->used(); }
  Cycle next() const;
  void get_on(Cycle now);
  Cycle put_right(KernelId kernel, BlockPace pace);
  void start(BlockLaunch& launch, Cycle now);
  Launch& launch_of(const BlockLaunch& block, Cycle now);
  void hold_for_spin(Place& place, Cycle now);
  void count_places(Cycle now);
  void step_places(Cycle now);
  void end(Place& place, Cycle now);
  void find_rates(Cycle now);
  Cycle event_of(const Place& place, Cycle now) const;
  const Group* group_of(const Place& place) const;
  Work rate_of(const Place& place) const;
  void take_replies(Cycle now);
  void send_completions(Cycle until);
  void step_preemption(Cycle now);
  void begin_switch(Cycle now);
  /// Takes off the blocks, which do not progress from cycle `since` on.
  void take_off(Cycle now, Cycle since);
  void move_state(const BlocksOff& moved, Cycle now);
  void bring_back(Cycle now);
  void end_switch(Cycle now);
  void note(const BlockLaunch& launch, BlockOnSm::Event event, Cycle now);

  // Accesses of blocks: models/sm/blocks/block_memory.cpp.
  void reply(Cycle now, const Access& access);
  void step_memory(Cycle now);
  void issue(Place& place, std::size_t index, Cycle now);
  /// Whether nothing is in flight.
  bool drained() const;
  /// Cycle in which the last access that the block has issued ends; kNever while unknown.
  Cycle settled(const Place& place) const;

  const SmConfig& config_;
  SmId id_;
  Clock clock_;
  const BlockDurations& durations_;
  NetworkInterface network_;
  AccessSource& accesses_;
  BlockWorkReader reader_;
  std::vector<Place> places_;
  std::vector<Launch> kernels_;
  std::vector<Group> groups_;
  std::vector<BlockDurations::Resident> residents_;  ///< residents of `groups_`, while rates are computed
  Inbox<BlockLaunch> launches_;
  Outbox<BlockLaunch> completions_;
  Ring<BlockLaunch*> ended_;  ///< ended blocks that wait for the link
  Outbox<Access> requests_;
  Inbox<Access> replies_;
  std::unique_ptr<Memory> memory_;             ///< present if blocks send requests
  std::unique_ptr<Preemption> preemption_;     ///< present if preemption is allowed
  std::unique_ptr<SpinningBlocks> spinning_;   ///< present if foresight() was called
  std::unique_ptr<ContentionEnd> contention_;  ///< present if a kernel has a demand
  Cycle at_ = 0;                               ///< time up to which progress has been computed
  Cycle event_ = kNever;                       ///< cycle in which the first block, or hold of a block, ends
  bool changed_ = false;                       ///< a block has come or gone since rates were computed
  unsigned resident_ = 0;
  Cycle active_since_ = 0;
  SmStatistics statistics_;
  SmApplications applications_;  ///< statistics of blocks that have ended
};

}  // namespace gputlm
