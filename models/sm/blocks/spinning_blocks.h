/// The blocks of an SM on which all only spin (models/kernel/foresight.h). Each has the cycles that it has on BlockSm, to
/// which it would be sent otherwise. Blocks are told ahead of time, and what they count is asked for later: what has been
/// told is kept until it is past.
#pragma once

#include <vector>

#include "models/kernel/foresight.h"
#include "models/sm/blocks/work.h"
#include "models/sm/config.h"
#include "models/sm/sm_model.h"
#include "tlm/ring.h"

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

  /// There have been some.
  bool used() const { return totals_.started > 0; }
  /// As of cycle `now`, before which nobody asks any more.
  SmStatistics statistics(Cycle now);
  SmApplications applications(Cycle now);

 private:
  /// A launch that has blocks here.
  struct Launch {
    KernelId kernel;
    Cycle fetched;  ///< its code and parameters are there
    unsigned blocks = 0;
    BlockWork work = {};  ///< of each, where all are alike
  };
  /// What is counted of a block when it ends.
  struct Place {
    ApplicationId application = 0;
    std::uint32_t warps = 0, threads = 0;
    std::uint64_t instructions = 0, thread_instructions = 0;
    Cycle start = 0;
    bool taken = false;
  };
  /// A block comes or goes.
  struct Event {
    Cycle at = 0;
    std::uint16_t slot = 0;
    Place comes = {};  ///< `taken` if it does
  };

  void count(Cycle until);
  static void add(const Place& place, std::uint64_t blocks, Cycle resident, bool ended, SmApplications& to);

  const SmConfig& config_;
  SmId id_;
  Clock clock_;
  BlockWorkReader reader_;
  // As far as has been told:
  std::vector<Launch> launches_;
  std::vector<bool> slots_;  ///< taken
  unsigned resident_ = 0;
  Cycle active_since_ = 0;
  Cycle link_free_ = 0;
  Totals totals_;
  // As far as has been counted:
  Ring<Event> events_;  ///< that have not been, in order
  std::vector<Place> places_;
  unsigned counted_resident_ = 0;
  Cycle counted_active_since_ = 0;
  SmStatistics statistics_;
  SmApplications applications_;  ///< of blocks that have ended
};

}  // namespace gputlm
