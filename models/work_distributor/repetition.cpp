#include "models/work_distributor/repetition.h"

namespace gputlm {

/// Number of blocks from which a look pays: fewer do not repeat often enough.
constexpr std::uint64_t kFewBlocks = 64;

void Repetition::sent(const Identity& block) {
  if (block.kernel != last_.kernel) forget();
  last_ = block;
  ++sent_;
}

void Repetition::forget() {
  sent_ = 0;
  keep_at_ = kFewBlocks;
  kept_.reset();
  found_.reset();
}

void Repetition::keep(Cycle now, ForeseenBlocks& blocks, const Context& context) {
  ForeseenBlocks::State state = blocks.state(now);
  kept_ = Kept{now,
               sent_,
               last_.sm,
               blocks.sketch(now),
               std::move(state),
               blocks.totals(now),
               context.active_cycles(last_.kernel, now)};
  keep_at_ = 2 * sent_;
}

void Repetition::look(Cycle now, ForeseenBlocks& blocks, const Context& context) {
  if (found_) return;
  // SMs are told of blocks a hop ahead; to be told of a repetition, they need a period of more than two hops.
  if (kept_ && kept_->last == last_.sm && now - kept_->at > 2 * blocks.hop() && kept_->sketch == blocks.sketch(now) &&
      kept_->state == blocks.state(now)) {
    Found found{{now - kept_->at, sent_ - kept_->sent, {}, context.active_cycles(last_.kernel, now)},
                blocks.totals(now)};
    for (std::size_t sm = 0; sm < found.each.size(); ++sm) {
      found.each[sm] -= kept_->totals[sm];
      found.period.ended.push_back(found.each[sm].ended);
    }
    for (std::size_t sm = 0; sm < found.period.active.size(); ++sm) found.period.active[sm] -= kept_->active[sm];
    found_ = std::move(found);
    return;
  }
  if (sent_ >= keep_at_) keep(now, blocks, context);
}

}  // namespace gputlm
