/// Detects that the blocks of a kernel repeat what they have done: the work distributor and the SMs are in a state in which
/// they were before, so they do again what they have done since then, a period later each time, until something else happens.
/// This is usual for a large kernel that has the SMs to itself: one wave of blocks after another.
///
/// A state is compared with a stored one, which a later one replaces after twice as many blocks each time (Brent, An
/// improved Monte Carlo factorization algorithm, BIT 20, 1980): so a repetition is found in a few waves, for any period.
#pragma once

#include <optional>
#include <vector>

#include "models/work_distributor/context.h"
#include "models/work_distributor/foreseen_blocks.h"

namespace gputlm {

class Repetition {
 public:
  /// What repeats, if it is known. At any cycle, all of it has happened in the period before.
  struct Found {
    Context::Period period;
    std::vector<SmForesight::Totals> each;  ///< what a period adds to the totals of each SM
  };
  const std::optional<Found>& found() const { return found_; }

  /// A block has been sent.
  void sent(const Identity& block);
  /// The block that was sent last, one of the kernel that may repeat.
  const Identity& who() const { return last_; }
  /// Something has happened other than blocks being sent and ending.
  void forget();
  /// Everything that happens up to cycle `now` has happened, and a block has been sent in this cycle.
  void look(Cycle now, ForeseenBlocks& blocks, const Context& context);

 private:
  /// The stored state.
  struct Kept {
    Cycle at;
    std::uint64_t sent;
    SmId last;  ///< last SM to which a block was sent
    ForeseenBlocks::Sketch sketch;
    ForeseenBlocks::State state;
    std::vector<SmForesight::Totals> totals;
    std::vector<Cycle> active;
  };
  void keep(Cycle now, ForeseenBlocks& blocks, const Context& context);

  Identity last_;              ///< last block that was sent
  std::uint64_t sent_ = 0;     ///< number of blocks sent
  std::uint64_t keep_at_ = 0;  ///< value of `sent_` at which the state is stored
  std::optional<Kept> kept_;
  std::optional<Found> found_;
};

}  // namespace gputlm
