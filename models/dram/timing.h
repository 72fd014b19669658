/// Registers that answer "from which cycle on is this command legal?" by the constraint table (timing_rules.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "models/dram/timing_rules.h"
#include "tlm/time.h"

namespace gputlm {

/// A cycle, or cycles of a constraint.
using TimingRegister = std::int64_t;
/// Cycles of a row that the device does not have: it decides nothing at any time.
inline constexpr TimingRegister kNoConstraint = std::numeric_limits<TimingRegister>::min() / 2;

/// How many rows of the table before row `i` look back further than to the last command.
constexpr std::size_t windows_before(std::size_t i) {
  std::size_t count = 0;
  while (i-- > 0) count += kTimingRules[i].window > 1 ? 1 : 0;
  return count;
}
/// The last commands that such a row looks back to.
struct TimingWindow {
  TimingWindow() { issued.fill(kNoConstraint); }
  /// Takes in one at `now`; when was the size-th last?
  template <unsigned size>
  TimingRegister slide(TimingRegister now) {
    static_assert(size <= std::tuple_size_v<decltype(issued)>);
    issued[oldest] = now;
    oldest = (oldest + 1) % size;
    return issued[oldest];
  }
  std::array<TimingRegister, 4> issued;
  unsigned oldest = 0;
};

/// Earliest legal cycles, kept up to date by issue(). Bank b belongs to bank group b % groups. The compiler knows the
/// table's rows, so a command costs an addition and a comparison for each that begins with it.
class TimingState {
 public:
  /// `banks` and `groups` are powers of two.
  TimingState(const TimingCycles& cycles, unsigned banks, unsigned groups);

  /// From which cycle on `command` is legal in `bank`, as far as timing goes.
  Cycle earliest(Command command, unsigned bank) const {
    if (command == Command::kRefresh) return earliest_in_channel(command);
    return std::max(earliest_in_bank(command, bank), earliest_shared(command, bank));
  }
  // The parts of it, the largest of which counts; not for a refresh, which only the channel holds back.
  /// What the bank itself allows; changes only with commands to this bank.
  Cycle earliest_in_bank(Command command, unsigned bank) const { return at(banks_[bank], command); }
  Cycle earliest_in_group(Command command, unsigned bank) const { return at(groups_[bank & group_mask_], command); }
  Cycle earliest_in_channel(Command command) const { return at(channel_, command); }
  /// What group and channel allow.
  Cycle earliest_shared(Command command, unsigned bank) const {
    return std::max(earliest_in_group(command, bank), earliest_in_channel(command));
  }
  /// False if earliest_in_group() never exceeds earliest_in_channel().
  bool in_groups(Command command) const { return in_groups_[static_cast<std::size_t>(command)]; }
  /// `command` goes to `bank` at cycle `now` >= earliest(); calls are in order of `now`.
  template <Command command>
  void issue(unsigned bank, Cycle now) {
    apply<command>(bank, now, std::make_index_sequence<kTimingRules.size()>());
  }
  void issue(Command command, unsigned bank, Cycle now);

 private:
  using Register = TimingRegister;
  using PerCommand = std::array<Register, kCommands>;
  using PerBankCommand = std::array<Register, kBankCommands>;

  template <class Registers>
  static Cycle at(const Registers& registers, Command command) {
    return static_cast<Cycle>(registers[static_cast<std::size_t>(command)]);
  }
  template <TimingScope scope>
  auto& registers(unsigned bank) {
    if constexpr (scope == TimingScope::kBank) {
      return banks_[bank];
    } else if constexpr (scope == TimingScope::kBankGroup) {
      return groups_[bank & group_mask_];
    } else {
      return channel_;
    }
  }
  template <Command command, std::size_t... rules>
  void apply(unsigned bank, Cycle now, std::index_sequence<rules...>) {
    (apply_rule<command, rules>(bank, static_cast<Register>(now)), ...);
  }
  template <Command command, std::size_t i>
  void apply_rule(unsigned bank, Register now) {
    constexpr TimingRule rule = kTimingRules[i];
    if constexpr (rule.preceding == command) {
      Register& ready = registers<rule.scope>(bank)[static_cast<std::size_t>(rule.following)];
      if constexpr (rule.window == 1) {
        ready = std::max(ready, now + cycles_[i]);
      } else {
        static_assert(rule.scope == TimingScope::kChannel);
        if (cycles_[i] != kNoConstraint)
          ready = std::max(ready, windows_[windows_before(i)].slide<rule.window>(now) + cycles_[i]);
      }
    }
  }

  unsigned group_mask_;
  std::array<Register, kTimingRules.size()> cycles_;  ///< of each row
  std::array<bool, kCommands> in_groups_{};
  PerCommand channel_{};
  std::vector<PerBankCommand> groups_, banks_;
  std::array<TimingWindow, windows_before(kTimingRules.size())> windows_;
};

}  // namespace gputlm
