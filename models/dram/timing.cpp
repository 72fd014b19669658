#include "models/dram/timing.h"

namespace gputlm {

const char* name_of(Command command) {
  static constexpr const char* kNames[kCommands] = {"ACT", "PRE", "RD", "WR", "REF"};
  return kNames[static_cast<std::size_t>(command)];
}

TimingState::TimingState(const TimingCycles& cycles, unsigned banks, unsigned groups)
    : group_mask_(groups - 1), groups_(groups), banks_(banks) {
  for (std::size_t i = 0; i < cycles.size(); ++i) cycles_[i] = cycles[i] > 0 ? Register{cycles[i]} : kNoConstraint;
  // The rule of a bank group never decides if a rule of the channel with the same commands is as long.
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    const TimingRule& rule = kTimingRules[i];
    if (rule.scope != TimingScope::kBankGroup || cycles[i] == 0) continue;
    bool hidden = false;
    for (std::size_t j = 0; j < cycles.size(); ++j) {
      const TimingRule& other = kTimingRules[j];
      hidden = hidden || (other.scope == TimingScope::kChannel && other.preceding == rule.preceding &&
                          other.following == rule.following && other.window == rule.window && cycles[j] >= cycles[i]);
    }
    if (!hidden) in_groups_[static_cast<std::size_t>(rule.following)] = true;
  }
}

void TimingState::issue(Command command, unsigned bank, Cycle now) {
  switch (command) {
    case Command::kActivate: return issue<Command::kActivate>(bank, now);
    case Command::kPrecharge: return issue<Command::kPrecharge>(bank, now);
    case Command::kRead: return issue<Command::kRead>(bank, now);
    case Command::kWrite: return issue<Command::kWrite>(bank, now);
    case Command::kRefresh: return issue<Command::kRefresh>(bank, now);
  }
}

}  // namespace gputlm
