/// An SM that runs blocks, not warps: what is there gets on at the rate that durations.h has for it, and a rate holds until
/// a block comes or goes. It counts what its blocks issue, but knows no pipelines or barriers.
///
/// To memory it sends nothing but the state of blocks that are taken off; or, as a model of its own, what its blocks read
/// and write: their memory instructions pass the load/store unit and the L1 that warps have, spread evenly over each
/// block's work (accesses.h). Then a block waits, beyond what was measured, by how much later its replies come than they
/// did then, as far as its kernel does (BlockDurations::requests()); so long as the load/store unit cannot take what it
/// is to issue; and at its end for what is under way.
///
/// Spins end when they end on an SM that runs warps, to the cycle in which their first warp goes on; a block that spins
/// takes a place, but nothing of what the others use. What follows the longest spin of a block is its work.
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
  /// Translates no addresses: `setup.tlb` is to be null. `requests`: it sends some.
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
    std::uint64_t number = 0;  ///< of all blocks that have started here
    BlockDurations::Profile profile = 0;
    Cycle held_until = 0;  ///< gets on from there
    bool held = false;
    bool shares = false;  ///< its spin is the time that it takes alone: it gets on as others let it
    Cycle as_alone = 0;   ///< likewise: it has got on so, as no pace is known yet
    Work left = 0;        ///< until it needs nothing but replies
    BlockWork work;
    // Of one whose accesses go to memory:
    bool first = false;  ///< came to where none of its launch had ended
    BlockAccesses accesses;
    bool stuck = false;           ///< the next one is due, but too much is under way
    std::uint64_t replies = 0;    ///< that it has had
    BlockDurations::Waits waits;  ///< that are left
    Work waiting = 0;             ///< for those that have come, before it gets on
    Wait wait = 0;                ///< cycles to be waited beyond that, because of replies that were late
    /// Nothing is left but, perhaps, replies.
    bool has_done_all() const { return left == 0 && waiting == 0 && !stuck; }
  };
  /// Blocks of one kernel that get on.
  struct Group {
    BlockDurations::Profile profile;
    Work rate, rate_of_first;
    BlockDurations::Requests requests;
  };
  /// A launch that has blocks here.
  struct Launch {
    KernelId kernel;
    Cycle fetched;        ///< its code and parameters are there
    unsigned blocks = 0;  ///< here
    bool first = true;    ///< none has ended here
  };
  /// The blocks of an application that have been taken off, with the slots that they go on in.
  struct Off {
    ApplicationId application;
    Cycle since;  ///< first cycle in which they did not get on
    Bytes bytes = 0;
    std::vector<std::pair<std::size_t, Place>> places;
  };
  struct Preemption : SwitchPort {
    using SwitchPort::SwitchPort;
    std::vector<Off> off;
    BlocksOff moves;        ///< on their way
    Cycle moves_since = 0;  ///< likewise
  };
  /// What takes the accesses of blocks.
  struct Memory {
    Memory(const SmConfig& config, const NetworkInterface& network, AccessSource& accesses)
        : l1(config.l1, config.options, network, accesses), load_store(config, l1, nullptr, config.blocks) {}
    L1Cache l1;
    LoadStoreUnit load_store;
    std::size_t turn = 0;    ///< place that issues first
    std::size_t issued = 0;  ///< by that one while others waited
    bool stopping = false;   ///< blocks are to be taken off: none gets on, but accesses are still under way
    Cycle since = 0;         ///< likewise: first cycle in which none got on
  };

  /// Its blocks are foreseen, and do not come.
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
  /// Blocks that do not get on from cycle `since` on.
  void take_off(Cycle now, Cycle since);
  void move_state(const BlocksOff& blocks, Cycle now);
  void bring_back(Cycle now);
  void end_switch(Cycle now);
  void note(const BlockLaunch& launch, BlockOnSm::Event event, Cycle now);

  // Accesses of blocks: models/sm/blocks/block_memory.cpp.
  void reply(Cycle now, const Access& access);
  void step_memory(Cycle now);
  void issue(Place& place, std::size_t index, Cycle now);
  /// Nothing is under way.
  bool drained() const;
  /// When the last of what the block has issued ends or has ended; kNever while that is not known.
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
  std::vector<BlockDurations::Resident> residents_;  ///< of `groups_`, while rates are found
  Inbox<BlockLaunch> launches_;
  Outbox<BlockLaunch> completions_;
  Ring<BlockLaunch*> ended_;  ///< waiting for the link
  Outbox<Access> requests_;
  Inbox<Access> replies_;
  std::unique_ptr<Memory> memory_;             ///< where blocks send requests
  std::unique_ptr<Preemption> preemption_;     ///< where it is allowed
  std::unique_ptr<SpinningBlocks> spinning_;   ///< if somebody has asked for it
  std::unique_ptr<ContentionEnd> contention_;  ///< where a kernel has a demand
  Cycle at_ = 0;                               ///< blocks have got on so far
  Cycle event_ = kNever;                       ///< the first end of a block's hold, or of a block
  bool changed_ = false;                       ///< a block has come or gone since rates were found
  unsigned resident_ = 0;
  Cycle active_since_ = 0;
  SmStatistics statistics_;
  SmApplications applications_;  ///< of blocks that have ended
};

}  // namespace gputlm
