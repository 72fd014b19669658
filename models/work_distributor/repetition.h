/// Finds when the blocks of a kernel repeat what they have done: the work distributor and the SMs are in a state in which
/// they were before, so that they do again what they did since, a period later each time, until something else happens.
/// That is the usual course of a large kernel that has the SMs for itself: a wave of blocks after the other.
///
/// A state is compared with one that is kept, and that a later one replaces after twice as many blocks each time (Brent, An
/// improved Monte Carlo factorization algorithm, BIT 20, 1980): so it is found in a few waves, for any period.
#pragma once

#include <optional>
#include <vector>

#include "models/work_distributor/context.h"
#include "models/work_distributor/foreseen_blocks.h"

namespace gputlm {

class Repetition {
 public:
  /// What repeats, if it is known. As of any cycle, all of it has been done in the period before.
  struct Found {
    Context::Period period;
    std::vector<SmForesight::Totals> each;  ///< that a period adds, by SM
  };
  const std::optional<Found>& found() const { return found_; }

  /// A block has been sent.
  void sent(const Identity& block);
  /// The block that was sent last, one of the kernel that may repeat.
  const Identity& who() const { return last_; }
  /// Something has happened beside blocks that were sent and have ended.
  void forget();
  /// All that happens until cycle `now` has, and a block has been sent then.
  void look(Cycle now, ForeseenBlocks& blocks, const Context& context);

 private:
  /// The state that is kept.
  struct Kept {
    Cycle at;
    std::uint64_t sent;
    SmId last;  ///< to which a block was sent
    ForeseenBlocks::Sketch sketch;
    ForeseenBlocks::State state;
    std::vector<SmForesight::Totals> totals;
    std::vector<Cycle> active;
  };
  void keep(Cycle now, ForeseenBlocks& blocks, const Context& context);

  Identity last_;              ///< block that was sent
  std::uint64_t sent_ = 0;     ///< blocks
  std::uint64_t keep_at_ = 0;  ///< value of `sent_` at which the state is kept
  std::optional<Kept> kept_;
  std::optional<Found> found_;
};

}  // namespace gputlm
