#include "models/dram/command_choice.h"

#include <algorithm>

namespace gputlm {

CommandChoice::CommandChoice(const std::vector<TimingRow>& rows, unsigned banks) : banks_(banks) {
  for (unsigned b = 0; b < kMostBanks; ++b) {
    ranks_[b] = kYoungest << kBankBits | b;
    by_rank_[b] = places_[b] = static_cast<std::uint8_t>(b);
  }
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
    if (!(known_ >> k & 1) || kind.at < from) find_best(static_cast<Command>(k), timing, from);
    const std::uint64_t key = kOrder[writing ? 1 : 0][k] << kRankBits | kind.rank;
    if (kind.at > at || (kind.at == at && key > first)) continue;
    at = kind.at;
    first = key;
    command = static_cast<Command>(k);
  }
  return {at, static_cast<unsigned>(first & (kMostBanks - 1)), command};
}

void CommandChoice::set_rank(unsigned bank, std::uint64_t rank) {
  unsigned place = places_[bank];
  const unsigned before = place;
  const auto move = [&](unsigned from) {
    by_rank_[place] = by_rank_[from];
    places_[by_rank_[place]] = static_cast<std::uint8_t>(place);
    place = from;
  };
  while (place + 1 < banks_ && ranks_[by_rank_[place + 1]] < rank) move(place + 1);
  while (place > 0 && ranks_[by_rank_[place - 1]] > rank) move(place - 1);
  ranks_[bank] = rank;
  by_rank_[place] = static_cast<std::uint8_t>(bank);
  places_[bank] = static_cast<std::uint8_t>(place);
  if (place == before) return;
  // Those in between have moved by one, towards where it was.
  const unsigned low = std::min(place, before), high = std::max(place, before);
  const std::uint64_t moved = (bit(high) | (bit(high) - 1)) & ~(bit(low) - 1);
  for (Kind& kind : kinds_) {
    const std::uint64_t between = kind.members & moved;
    kind.members = (kind.members & ~moved) | (place > before ? between >> 1 : between << 1);
  }
}

/// The first by rank of those that the bank itself and its group let go no later than the channel does; if there is none,
/// the one that they let go first.
void CommandChoice::find_best(Command command, const TimingState& timing, Cycle from) {
  const Cycle shared = std::max(timing.earliest_in_channel(command), from);
  Kind& kind = kinds_[static_cast<std::size_t>(command)];
  known_ |= 1u << static_cast<std::size_t>(command);
  kind.at = kNever;
  for (std::uint64_t left = kind.members; left != 0; left &= left - 1) {
    const unsigned b = by_rank_[static_cast<unsigned>(__builtin_ctzll(left))];
    Cycle at = in_bank_[b];
    if (kind.in_groups) at = std::max(at, timing.earliest_in_group(command, b));
    if (at >= kind.at) continue;
    kind.at = std::max(at, shared);
    kind.rank = ranks_[b];
    if (at <= shared) return;
  }
}

}  // namespace gputlm
