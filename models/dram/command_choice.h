/// Which of the banks' next commands goes out next, and when: the one that is legal first; of those legal in the same
/// cycle column commands before row commands, then column commands in the direction of the last one (a turn of the
/// data bus costs many cycles), then the one for the oldest request.
///
/// For each kind of command the best bank is remembered. A command to one bank changes what is best for few kinds:
/// those it constrains beyond its bank (the table says which), its own, and the bank's new one. Banks are kept in the
/// order of their requests' ages, so that the first of a kind that is legal is the best one.
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

  CommandChoice(const std::vector<TimingRow>& rows, unsigned banks);

  /// `bank` wants `command`, for a request of this age; the next command comes in cycle `from` or later. False if it has
  /// wanted just that since its last command.
  bool want(const TimingState& timing, unsigned bank, Command command, std::uint64_t age, Cycle from) {
    const std::uint64_t rank = age << kBankBits | bank;
    if (rank != ranks_[bank]) {
      forget(bank);
      set_rank(bank, rank);
    } else if (wants_[bank]) {
      if (commands_[bank] == command) return false;
      forget(bank);
    }
    wants_[bank] = true;
    commands_[bank] = command;
    in_bank_[bank] = timing.earliest_in_bank(command, bank);
    const auto k = static_cast<std::size_t>(command);
    Kind& kind = kinds_[k];
    if (kind.members == 0) {
      known_ |= 1u << k;
      kind.at = kNever;
    }
    kind.members |= bit(places_[bank]);
    if (known_ >> k & 1) {
      const Cycle at = std::max({in_bank_[bank], timing.earliest_shared(command, bank), from});
      if (at < kind.at || (at == kind.at && rank < kind.rank)) kind.at = at, kind.rank = rank;
    }
    return true;
  }
  /// `bank` wants nothing; false if it did not anyway. To be called for a bank that has had a command.
  bool forget(unsigned bank) {
    if (!wants_[bank]) return false;
    wants_[bank] = false;
    const auto k = static_cast<std::size_t>(commands_[bank]);
    Kind& kind = kinds_[k];
    kind.members &= ~bit(places_[bank]);
    if (kind.rank == ranks_[bank]) known_ &= ~(1u << k);
    return true;
  }
  /// `command` has been issued: what it constrains beyond its bank has changed.
  void issued(Command command) { known_ &= ~constrains_[static_cast<std::size_t>(command)]; }
  /// The next command, in cycle `from` or later; at kNever if no bank wants one. `from` never goes back.
  Choice best(const TimingState& timing, Cycle from, bool writing);

 private:
  static constexpr unsigned kBankBits = 6;
  static constexpr unsigned kRankBits = kBankBits + kAgeBits;
  static constexpr std::size_t kKinds = 4;  ///< commands for one bank
  static constexpr std::size_t kMostBanks = std::size_t{1} << kBankBits;
  static constexpr std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }

  struct Kind {
    std::uint64_t members = 0;  ///< set of places of the banks that want this kind
    // The best of them, if it is known and the next command does not come later than it can go:
    Cycle at = 0;
    std::uint64_t rank = 0;
    bool in_groups = false;  ///< rows of the table hold the kind back within a bank group
  };

  void set_rank(unsigned bank, std::uint64_t rank);
  void find_best(Command command, const TimingState& timing, Cycle from);

  std::array<Kind, kKinds> kinds_;
  unsigned known_ = 0;                            ///< set of kinds whose best bank is known
  std::array<unsigned, kCommands> constrains_{};  ///< [preceding]: set of kinds that a row beyond the bank holds back
  unsigned banks_;
  // What each bank wants, or wanted last.
  std::array<bool, kMostBanks> wants_{};
  std::array<Command, kMostBanks> commands_{};
  std::array<Cycle, kMostBanks> in_bank_{};      ///< earliest cycle, as far as the bank itself allows
  std::array<std::uint64_t, kMostBanks> ranks_;  ///< age, then bank; smaller is better
  // The banks by rank: the best one is at place 0.
  std::array<std::uint8_t, kMostBanks> by_rank_;
  std::array<std::uint8_t, kMostBanks> places_;
};

}  // namespace gputlm
