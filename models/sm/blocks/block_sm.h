/// An SM that runs blocks, not warps: what is there gets on at the rate that durations.h has for it, and a rate holds until
/// a block comes or goes. It counts what its blocks issue, but knows no pipelines, caches or barriers, and sends nothing to
/// memory but the state of blocks that are taken off.
///
/// Spins end when they end on an SM that runs warps, to the cycle in which their first warp goes on; a block that spins
/// takes a place, but nothing of what the others use. What follows the longest spin of a block is its work.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/sm/blocks/durations.h"
#include "models/sm/blocks/work.h"
#include "models/sm/sm_model.h"
#include "models/sm/state_transfer.h"

namespace gputlm {

class BlockSm final : public SmModel {
 public:
  /// Translates no addresses: `setup.tlb` is to be null.
  explicit BlockSm(SmModelSetup setup);

  Inbox<BlockLaunch>& launches() override { return launches_; }
  Outbox<BlockLaunch>& completions() override { return completions_; }
  Outbox<Access>& requests() override { return requests_; }
  Inbox<Access>& replies() override { return replies_; }
  SmTlb* tlb() override { return nullptr; }
  void allow_preemption() override;
  Inbox<ContextSwitch>& switches() override { return preemption_->commands; }
  Outbox<ContextSwitch>& switched() override { return preemption_->done; }
  unsigned slots_of_sub_core() const override { return config_.warps / config_.sub_cores; }

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
    Work left = 0;
    BlockWork work;
  };
  /// Blocks of one kernel that get on.
  struct Group {
    BlockDurations::Profile profile;
    Work rate;
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
    Bytes bytes;
    std::vector<std::pair<std::size_t, Place>> places;
  };
  struct Preemption : SwitchPort {
    using SwitchPort::SwitchPort;
    std::vector<Off> off;
  };

  Cycle next() const;
  void get_on(Cycle now);
  void start(BlockLaunch& launch, Cycle now);
  Launch& launch_of(const BlockLaunch& block, Cycle now);
  void hold_for_spin(Place& place, Cycle now);
  void step_places(Cycle now);
  void end(Place& place, Cycle now);
  void find_rates(Cycle now);
  Work rate_of(const Place& place) const;
  void send_completions(Cycle until);
  void step_preemption(Cycle now);
  void take_off(Cycle now);
  void bring_back(Cycle now);
  void end_switch(Cycle now, unsigned moved, Bytes bytes);
  void note(const BlockLaunch& launch, BlockOnSm::Event event, Cycle now);

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
  std::unique_ptr<Preemption> preemption_;  ///< where it is allowed
  Cycle at_ = 0;                            ///< blocks have got on so far
  Cycle event_ = kNever;                    ///< the first end of a block's hold, or of a block
  bool changed_ = false;                    ///< a block has come or gone since rates were found
  unsigned resident_ = 0;
  Cycle active_since_ = 0;
  SmStatistics statistics_;
  SmApplications applications_;  ///< of blocks that have ended
};

}  // namespace gputlm
