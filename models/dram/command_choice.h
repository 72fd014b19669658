/// Which of the banks' next commands goes out next, and when: the one that is legal first; of those legal in the same
/// cycle column commands before row commands, then column commands in the direction of the last one (a turn of the
/// data bus costs many cycles), then the one for the oldest request.
///
/// For each kind of command the best bank is remembered. A command to one bank changes what is best for few kinds:
/// those it constrains beyond its bank (the table says which), its own, and the bank's new one.
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
  /// Of requests: 42 bits of age last for 4e12 bursts, days of host time. The oldest comes first.
  static constexpr unsigned kAgeBits = 42;
  static constexpr std::uint64_t kYoungest = (std::uint64_t{1} << kAgeBits) - 1;
  /// Cycles that a constraint of `rows` may have at most.
  static constexpr unsigned kMostCycles = (1u << 14) - 1;

  explicit CommandChoice(const std::vector<TimingRow>& rows);

  /// `bank` wants `command`, for a request of this age; the next command comes in cycle `from` or later. False if it has
  /// wanted just that since its last command.
  bool want(const TimingState& timing, unsigned bank, Command command, std::uint64_t age, Cycle from) {
    const std::uint64_t rank = age << kBankBits | bank;
    if (ranks_[bank] == rank && commands_[bank] == command) return false;
    forget(bank);
    ranks_[bank] = rank;
    commands_[bank] = command;
    in_bank_[bank] = timing.earliest_in_bank(command, bank);
    Kind& kind = kinds_[static_cast<std::size_t>(command)];
    kind.members |= std::uint64_t{1} << bank;
    if (kind.known) {
      const Cycle at = std::max({in_bank_[bank], timing.earliest_shared(command, bank), from});
      if (at < kind.at || (at == kind.at && rank < kind.rank)) kind.at = at, kind.rank = rank;
    }
    return true;
  }
  /// `bank` wants nothing; false if it did not anyway. To be called for a bank that has had a command.
  bool forget(unsigned bank) {
    const std::uint64_t rank = ranks_[bank];
    if (rank == kNever) return false;
    ranks_[bank] = kNever;
    Kind& kind = kinds_[static_cast<std::size_t>(commands_[bank])];
    kind.members &= ~(std::uint64_t{1} << bank);
    kind.known = kind.known && kind.rank != rank;
    return true;
  }
  /// `command` has been issued: what it constrains beyond its bank has changed.
  void issued(Command command) {
    for (std::size_t k = 0; k < kKinds; ++k) {
      if (constrains_[static_cast<std::size_t>(command)] >> k & 1) kinds_[k].known = false;
    }
  }
  /// The next command, in cycle `from` or later; at kNever if no bank wants one. `from` never goes back.
  Choice best(const TimingState& timing, Cycle from, bool writing);

 private:
  static constexpr unsigned kBankBits = 6;
  static constexpr unsigned kRankBits = kBankBits + kAgeBits;
  static constexpr std::size_t kKinds = 4;  ///< commands for one bank

  static constexpr std::size_t kMostBanks = std::size_t{1} << kBankBits;

  struct Kind {
    bool in_groups = false;     ///< rows of the table hold it back within a bank group
    bool known = false;         ///< the best of all members is the one with
    std::uint64_t rank = 0;     ///< this rank,
    Cycle at = 0;               ///< as long as the next command does not come later than here
    std::uint64_t members = 0;  ///< set of banks that want this kind
  };

  void find_best(Kind& kind, Command command, const TimingState& timing, Cycle from) const;

  // What each bank wants.
  std::array<std::uint64_t, kMostBanks> ranks_;  ///< age, then bank; smaller is better; kNever: the bank wants nothing
  std::array<Cycle, kMostBanks> in_bank_;        ///< earliest cycle, as far as the bank itself allows
  std::array<Command, kMostBanks> commands_;
  std::array<Kind, kKinds> kinds_;
  std::array<unsigned, kCommands> constrains_{};  ///< [preceding]: set of kinds that a row beyond the bank holds back
};

}  // namespace gputlm
