/// Registers that hold the earliest legal cycle of each command by the constraint table (timing_rules.h).
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
#include "tlm/base/time.h"

namespace gputlm {

/// A cycle, or cycles of a constraint.
using TimingRegister = std::int64_t;
/// Cycles of a row that the device does not have: it never constrains.
inline constexpr TimingRegister kNoConstraint = std::numeric_limits<TimingRegister>::min() / 2;

/// Number of rows before row `i` that look back beyond the last command.
constexpr std::size_t windows_before(std::size_t i) {
  std::size_t count = 0;
  while (i-- > 0) count += kTimingRules[i].window > 1 ? 1 : 0;
  return count;
}
/// The last commands that such a row looks back to.
struct TimingWindow {
  TimingWindow() { issued.fill(kNoConstraint); }
  /// Records a command at `now`; returns the time of the size-th last.
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

/// Earliest legal cycles, kept up to date by issue(). Bank b belongs to bank group b % groups. The table's rows are
/// compile-time constants, so a command costs an addition and a comparison for each row that begins with it.
class TimingState {
 public:
  /// `banks` and `groups` are powers of two.
  TimingState(const TimingCycles& cycles, unsigned banks, unsigned groups);

  /// The first cycle in which timing permits `command` in `bank`.
  Cycle earliest(Command command, unsigned bank) const {
    if (command == Command::kRefresh) return earliest_in_channel(command);
    return std::max(earliest_in_bank(command, bank), earliest_shared(command, bank));
  }
  // The parts of earliest(), which is the latest of them; not for a refresh, which only the channel constrains.
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
  std::array<Register, kTimingRules.size()> cycles_;  ///< cycles of each row of the table
  std::array<bool, kCommands> in_groups_{};
  PerCommand channel_{};
  std::vector<PerBankCommand> groups_, banks_;
  std::array<TimingWindow, windows_before(kTimingRules.size())> windows_;
};

}  // namespace gputlm
