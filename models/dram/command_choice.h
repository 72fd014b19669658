/// Chooses which of the banks' next commands is issued next, and when: the first legal one on its bus; among those legal in
/// the same cycle, column commands before row commands, then column commands in the direction of the last one (turning the
/// data bus costs many cycles), then the oldest request's.
///
/// Each kind of command has a list of the banks that need it, ordered by the age of their requests, so that the first legal
/// one is the best; the best is cached. A command to one bank changes the best of few kinds: those it constrains beyond its
/// bank (as the table says), its own, and the bank's new one.
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
  /// Limit of a request's age, which has 58 bits; older is smaller.
  static constexpr std::uint64_t kYoungest = (std::uint64_t{1} << 58) - 2;

  explicit CommandChoice(unsigned banks);
  CommandChoice(const CommandChoice&) = delete;  // its lists point into it

  /// `bank` needs `command`, for a request of this age; the next command, on either bus, comes in cycle `from` or later.
  /// False if nothing has changed since the bank's last command.
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
    Want* before = kind.all.before;  // usually it is among the youngest requests
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
  /// `bank` needs nothing; false if it already did not. Call this or want() for a bank that has had a command.
  bool forget(unsigned bank) {
    Want& wanted = wants_[bank];
    if (wanted.rank == kNothing) return false;
    remove(wanted);
    wanted.rank = kNothing;
    return true;
  }
  /// `command` has been issued, which changes what it constrains beyond its bank.
  template <Command command>
  void issued() {
    if constexpr (constrains(command, Command::kActivate)) kind(Command::kActivate).forget_best();
    if constexpr (constrains(command, Command::kPrecharge)) kind(Command::kPrecharge).forget_best();
    if constexpr (constrains(command, Command::kRead)) kind(Command::kRead).forget_best();
    if constexpr (constrains(command, Command::kWrite)) kind(Command::kWrite).forget_best();
  }
  /// The next command: a row command in cycle `rows` or later, or a column command in cycle `columns` or later; at kNever
  /// if no bank needs one. Neither argument ever decreases.
  [[gnu::always_inline]] Choice best(const TimingState& timing, Cycle rows, Cycle columns, bool writing) {
    const Kind& activate = known<Command::kActivate>(timing, rows);
    const Kind& precharge = known<Command::kPrecharge>(timing, rows);
    const Kind& read = known<Command::kRead>(timing, columns);
    const Kind& write = known<Command::kWrite>(timing, columns);
    // In a tie, a read comes first unless `writing`; column commands come before row commands; of these, the older
    // request's comes first.
    const Kind* first = write.at - (writing ? 1 : 0) < read.at ? &write : &read;
    const Kind* row = precharge.at < activate.at ? &precharge : &activate;
    if (precharge.at == activate.at && precharge.best->rank < activate.best->rank) row = &precharge;
    if (row->at < first->at) first = row;
    return {first->at, first->best->bank, first->best->command};
  }

 private:
  static constexpr unsigned kBankBits = 6;
  static constexpr std::uint64_t kNothing = kNever;  ///< rank of a bank that needs nothing

  /// A bank's need, in the list for its kind of command.
  struct Want {
    std::uint64_t rank = kNothing;  ///< age, then bank number; smaller is better
    Cycle in_bank = 0;              ///< earliest cycle, as far as the bank itself allows
    Want *before = nullptr, *after = nullptr;
    unsigned bank = 0;
    Command command = Command::kActivate;
  };
  struct Kind {
    /// The best, valid while the next command is not later than its earliest cycle.
    Cycle at = kNever;  ///< 0: unknown; kNever: no bank needs this kind
    const Want* best = nullptr;
    /// Sentinel before the first and after the last. No rank is smaller, so a search for a place ends here.
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
    // A command that could have been issued earlier may have been overtaken by an older one. The cycle before 0 is kNever:
    // nothing is known then.
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
  std::vector<Want> wants_;  ///< indexed by bank
};

}  // namespace gputlm
