#include "models/dram/command_choice.h"

#include <algorithm>

namespace gputlm {

CommandChoice::CommandChoice(const std::vector<TimingRow>& rows) {
  ranks_.fill(kNever);
  in_bank_.fill(0);
  commands_.fill(Command::kActivate);
  for (const TimingRow& row : rows) {
    if (row.scope == TimingScope::kBank || row.cycles == 0 || row.following == Command::kRefresh) continue;
    if (row.scope == TimingScope::kBankGroup) kinds_[static_cast<std::size_t>(row.following)].in_groups = true;
    constrains_[static_cast<std::size_t>(row.preceding)] |= 1u << static_cast<std::size_t>(row.following);
  }
}

CommandChoice::Choice CommandChoice::best(const TimingState& timing, Cycle from, bool writing) {
  // Kind, then rank; smaller is better. While reads go on: ACT, PRE, RD, WR; while writes do.
  constexpr std::uint64_t kOrder[2][kKinds] = {{2, 2, 0, 1}, {2, 2, 1, 0}};
  Cycle at = kNever;
  std::uint64_t first = kNever;
  Command command = Command::kActivate;
  for (std::size_t k = 0; k < kKinds; ++k) {
    Kind& kind = kinds_[k];
    if (kind.members == 0) continue;
    // One that could have gone out earlier, but did not, may have been overtaken by an older one.
    if (!kind.known || kind.at < from) find_best(kind, static_cast<Command>(k), timing, from);
    const std::uint64_t key = kOrder[writing ? 1 : 0][k] << kRankBits | kind.rank;
    if (kind.at > at || (kind.at == at && key > first)) continue;
    at = kind.at;
    first = key;
    command = static_cast<Command>(k);
  }
  return {at, static_cast<unsigned>(first & (kMostBanks - 1)), command};
}

void CommandChoice::find_best(Kind& kind, Command command, const TimingState& timing, Cycle from) const {
  // Cycles until the command is legal, then its rank, in one number to be compared without a branch. No constraint
  // reaches further than its length, counted from an earlier command: the difference fits its field.
  std::uint64_t best = kNever;
  const Cycle shared = std::max(timing.earliest_in_channel(command), from);
  for (std::uint64_t left = kind.members; left != 0; left &= left - 1) {
    const auto b = static_cast<unsigned>(__builtin_ctzll(left));
    Cycle at = std::max(in_bank_[b], shared);
    if (kind.in_groups) at = std::max(at, timing.earliest_in_group(command, b));
    best = std::min(best, (at - from) << kRankBits | ranks_[b]);
  }
  kind.known = true;
  kind.rank = best & ((std::uint64_t{1} << kRankBits) - 1);
  kind.at = from + (best >> kRankBits);
}

}  // namespace gputlm
