/// The blocks of an SM on which all blocks only spin (models/kernel/foresight.h). Each takes the same cycles as on BlockSm,
/// to which it would otherwise be sent. Blocks are announced ahead of time and their counts queried later; announcements
/// are kept until they are past.
#pragma once

#include <vector>

#include "models/kernel/foresight.h"
#include "models/sm/blocks/work.h"
#include "models/sm/config.h"
#include "models/sm/sm_model.h"
#include "models/sm/state_transfer.h"
#include "tlm/base/ring.h"

namespace gputlm {

class SpinningBlocks final : public SmForesight {
 public:
  /// `config` must outlive it.
  SpinningBlocks(const SmConfig& config, SmId id, const Clock& clock);

  void start(BlockLaunch& block, Kernel& kernel, Cycle past) override;
  Cycle end(const BlockLaunch& block) override;
  Totals totals(Cycle now) const override;
  void repeat(Cycle past, std::uint64_t times, Cycle period, const Totals& each, const BlockLaunch& block) override;
  Cycle link_free() const override { return link_free_; }
  void take_off(const std::vector<BlockLaunch*>& blocks, Cycle at, Cycle past) override;
  const std::vector<BlockLaunch*>& brought_back() const override { return back_; }

  /// The blocks of the application that are off the SM.
  BlocksOff off(ApplicationId application) const;
  /// The application's blocks progress again after cycle `now`.
  void bring_back(ApplicationId application, Cycle now);

  /// Whether there have been blocks.
  bool used() const { return totals_.started > 0; }
  /// Statistics at cycle `now`; earlier cycles will not be queried again.
  SmStatistics statistics(Cycle now);
  SmApplications applications(Cycle now);

 private:
  /// A launch that has blocks here.
  struct Launch {
    KernelId kernel;
    Cycle fetched;  ///< cycle in which its code and parameters have arrived
    unsigned blocks = 0;
    BlockWork work = {};  ///< work of each block, if all are alike
  };
  /// The data of a block that is counted when it ends.
  struct Place {
    ApplicationId application = 0;
    std::uint32_t warps = 0, threads = 0;
    std::uint64_t instructions = 0, thread_instructions = 0;
    Cycle start = 0;
    Cycle preempted = 0;
    bool taken = false;
    Cycle resident(Cycle until) const { return until - start - preempted; }
  };
  /// A block comes or goes, or all of an application do.
  struct Event {
    enum class Kind : std::uint8_t { kComes, kGoes, kAllGo, kAllComeBack };
    Cycle at = 0;
    Kind kind = Kind::kComes;
    std::uint16_t slot = 0;
    Place comes = {};  ///< for events of all blocks, only its application is set
  };
  /// Blocks that have been taken off.
  struct Off {
    ApplicationId application;
    Cycle at;  ///< last cycle in which they progressed
    std::vector<BlockLaunch*> blocks;
    std::vector<Cycle> left;  ///< cycles left of each until its end
    Bytes bytes;              ///< bytes of their state
  };
  struct CountedOff {
    ApplicationId application;
    Cycle at;
    std::vector<Place> places;  ///< indexed by slot
  };

  void count(Cycle until);
  void count(const Event& event);
  static void add(const Place& place, std::uint64_t blocks, Cycle resident, bool ended, SmApplications& to);

  const SmConfig& config_;
  SmId id_;
  Clock clock_;
  BlockWorkReader reader_;
  // State at the last announcement:
  std::vector<Launch> launches_;
  std::vector<bool> slots_;  ///< whether each slot is taken
  unsigned resident_ = 0;
  Cycle active_since_ = 0;
  Cycle link_free_ = 0;
  Totals totals_;
  std::vector<Off> off_;
  std::vector<BlockLaunch*> back_;  ///< result of brought_back()
  // As far as has been counted:
  Ring<Event> events_;  ///< events that have not been counted, in order
  std::vector<Place> places_;
  std::vector<CountedOff> counted_off_;
  unsigned counted_resident_ = 0;
  Cycle counted_active_since_ = 0;
  SmStatistics statistics_;
  SmApplications applications_;  ///< statistics of blocks that have ended
};

}  // namespace gputlm
