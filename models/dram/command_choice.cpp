#include "models/dram/command_choice.h"

namespace gputlm {

CommandChoice::CommandChoice(unsigned banks) : wants_(banks) {
  for (std::size_t k = 0; k < kBankCommands; ++k) {
    Want& all = kinds_[k].all;
    all.rank = 0;
    all.command = static_cast<Command>(k);
    all.before = all.after = &all;
    kinds_[k].best = &all;
  }
  for (unsigned b = 0; b < banks; ++b) wants_[b].bank = b;
}

void CommandChoice::find_best(Kind& kind, Command command, const TimingState& timing, Cycle from) {
  const Cycle shared = std::max(timing.earliest_in_channel(command), from);
  const bool in_groups = timing.in_groups(command);
  for (const Want* want = kind.all.after; want != &kind.all; want = want->after) {
    Cycle at = want->in_bank;
    if (in_groups) at = std::max(at, timing.earliest_in_group(command, want->bank));
    if (at >= kind.at) continue;
    kind.at = std::max(at, shared);
    kind.best = want;
    if (at <= shared) return;
  }
}

}  // namespace gputlm
