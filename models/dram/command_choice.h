/// Which of the banks' next commands goes out next, and when: the one that is legal first, on its bus; of those legal in
/// the same cycle column commands before row commands, then column commands in the direction of the last one (a turn of the
/// data bus costs many cycles), then the one for the oldest request.
///
/// For each kind of command there is a list of the banks that want it, in the order of their requests' ages, so that the
/// first one that is legal is the best; and that is remembered. A command to one bank changes what is best for few
/// kinds: those it constrains beyond its bank (the table says which), its own, and the bank's new one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/dram/timing.h"

namespace gputlm {

class CommandChoice {
 public:
  struct Choice {
    Cycle at = kNever;
    unsigned bank = 0;
    Command command = Command::kActivate;
  };
  /// As a request's age, of which there are 58 bits; the oldest comes first.
  static constexpr std::uint64_t kYoungest = (std::uint64_t{1} << 58) - 2;

  explicit CommandChoice(unsigned banks);
  CommandChoice(const CommandChoice&) = delete;  // its lists have their ends in it

  /// `bank` wants `command`, for a request of this age; the next command, on whichever bus, comes in cycle `from` or later.
  /// False if it has wanted just that since its last command.
  [[gnu::always_inline]] bool want(const TimingState& timing, unsigned bank, Command command, std::uint64_t age,
                                   Cycle from) {
    const std::uint64_t rank = age << kBankBits | bank;
    Want& wanted = wants_[bank];
    if (wanted.rank == rank && wanted.command == command) return false;
    if (wanted.rank != kNothing) remove(wanted);
    wanted.rank = rank;
    wanted.command = command;
    wanted.in_bank = timing.earliest_in_bank(command, bank);
    Kind& kind = this->kind(command);
    Want* before = kind.all.before;  // mostly it is the youngest request, or nearly
    while (before->rank > rank) before = before->before;
    Want* const after = before->after;
    wanted.before = before;
    after->before = &wanted;
    wanted.after = after;
    before->after = &wanted;
    const Cycle at = std::max({wanted.in_bank, timing.earliest_shared(command, bank), from});
    if (at < kind.at || (at == kind.at && rank < kind.best->rank)) kind.at = at, kind.best = &wanted;
    return true;
  }
  /// `bank` wants nothing; false if it did not anyway. This or want() is to be called for a bank that has had a command.
  bool forget(unsigned bank) {
    Want& wanted = wants_[bank];
    if (wanted.rank == kNothing) return false;
    remove(wanted);
    wanted.rank = kNothing;
    return true;
  }
  /// `command` has been issued: what it constrains beyond its bank has changed.
  template <Command command>
  void issued() {
    if constexpr (constrains(command, Command::kActivate)) kind(Command::kActivate).forget_best();
    if constexpr (constrains(command, Command::kPrecharge)) kind(Command::kPrecharge).forget_best();
    if constexpr (constrains(command, Command::kRead)) kind(Command::kRead).forget_best();
    if constexpr (constrains(command, Command::kWrite)) kind(Command::kWrite).forget_best();
  }
  /// The next command, of a row in cycle `rows` or later, of a column in cycle `columns` or later; at kNever if no bank
  /// wants one. Neither ever goes back.
  [[gnu::always_inline]] Choice best(const TimingState& timing, Cycle rows, Cycle columns, bool writing) {
    const Kind& activate = known<Command::kActivate>(timing, rows);
    const Kind& precharge = known<Command::kPrecharge>(timing, rows);
    const Kind& read = known<Command::kRead>(timing, columns);
    const Kind& write = known<Command::kWrite>(timing, columns);
    // In a tie a read comes first, if not `writing`; a column command; of row commands the older request's.
    const Kind* first = write.at - (writing ? 1 : 0) < read.at ? &write : &read;
    const Kind* row = precharge.at < activate.at ? &precharge : &activate;
    if (precharge.at == activate.at && precharge.best->rank < activate.best->rank) row = &precharge;
    if (row->at < first->at) first = row;
    return {first->at, first->best->bank, first->best->command};
  }

 private:
  static constexpr unsigned kBankBits = 6;
  static constexpr std::uint64_t kNothing = kNever;  ///< as a rank

  /// What a bank wants, in the list of those that want the same kind of command.
  struct Want {
    std::uint64_t rank = kNothing;  ///< age, then bank; smaller is better
    Cycle in_bank = 0;              ///< earliest cycle, as far as the bank itself allows
    Want *before = nullptr, *after = nullptr;
    unsigned bank = 0;
    Command command = Command::kActivate;
  };
  struct Kind {
    /// The best of all, as long as the next command does not come later than it can go.
    Cycle at = kNever;  ///< 0: not known; kNever: no bank wants this kind
    const Want* best = nullptr;
    /// Before the first and after the last. As no rank is smaller, a search for a place ends here.
    Want all;

    void forget_best() { at = 0; }
  };

  Kind& kind(Command command) { return kinds_[static_cast<std::size_t>(command)]; }
  void remove(Want& wanted) {
    wanted.before->after = wanted.after;
    wanted.after->before = wanted.before;
    Kind& kind = this->kind(wanted.command);
    if (kind.best == &wanted) kind.forget_best();
  }
  template <Command command>
  [[gnu::always_inline]] const Kind& known(const TimingState& timing, Cycle from) {
    Kind& kind = this->kind(command);
    // One that could have gone out earlier, but did not, may have been overtaken by an older one. Before cycle 0 is
    // kNever: nothing is known then.
    if (kind.at <= from - 1) find_best<command>(kind, timing, from);
    return kind;
  }
  template <Command command>
  [[gnu::always_inline]] static void find_best(Kind& kind, const TimingState& timing, Cycle from) {
    const Cycle shared = std::max(timing.earliest_in_channel(command), from);
    Cycle first = kNever;
    for (const Want* want = kind.all.after; want != &kind.all; want = want->after) {
      Cycle at = want->in_bank;
      if (held_in_group(command) && timing.in_groups(command)) {
        at = std::max(at, timing.earliest_in_group(command, want->bank));
      }
      if (at >= first) continue;
      first = at;
      kind.best = want;
      if (at <= shared) break;
    }
    kind.at = std::max(first, shared);
  }

  std::array<Kind, kBankCommands> kinds_;
  std::vector<Want> wants_;  ///< by bank
};

}  // namespace gputlm
