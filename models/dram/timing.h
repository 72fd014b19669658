/// DRAM timing: the constraints as one table, and registers that answer "from which cycle on is this command legal?"
///
/// A row says: in the same `scope`, `following` may come no earlier than `cycles` after the `window`-th last
/// `preceding` (window 1: after the last one). Everything is in cycles of the command clock. Names of parameters are
/// those of JEDEC's GDDR5 and HBM standards (JESD212, JESD235); the rows serve any DRAM with the same commands, so a
/// device is no more than its numbers (platform/input/presets/dram/).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/dram/config.h"
#include "tlm/time.h"

namespace gputlm {

/// kRefresh is for all banks; the bank it is issued with does not matter.
enum class Command : std::uint8_t { kActivate, kPrecharge, kRead, kWrite, kRefresh };
inline constexpr std::size_t kCommands = 5;
inline constexpr bool is_column(Command command) { return command == Command::kRead || command == Command::kWrite; }
const char* name_of(Command command);

enum class TimingScope : std::uint8_t { kBank, kBankGroup, kChannel };

struct TimingRow {
  TimingScope scope;
  Command preceding;
  Command following;
  unsigned cycles;
  unsigned window;
  const char* rule;  ///< the constraint in the standard's names
};

/// Cycles that a row may have at most: more than any device needs, so that what is longer is a mistake.
inline constexpr unsigned kMostCycles = (1u << 14) - 1;

/// The constraint table.
std::vector<TimingRow> timing_rows(const DramConfig& config);

/// Earliest legal cycles, kept up to date by issue(). Bank b belongs to bank group b % groups.
class TimingState {
 public:
  /// `banks` and `groups` are powers of two.
  TimingState(const std::vector<TimingRow>& rows, unsigned banks, unsigned groups);

  /// From which cycle on `command` is legal in `bank`, as far as timing goes.
  Cycle earliest(Command command, unsigned bank) const {
    const auto c = static_cast<std::size_t>(command);
    return std::max({ready_[bank][c], ready_[group_unit(bank)][c], ready_.back()[c]});
  }
  /// The same in two parts, the larger of which counts: what the bank itself allows, which changes only with commands
  /// to this bank, and what its group and the channel allow.
  Cycle earliest_in_bank(Command command, unsigned bank) const {
    return ready_[bank][static_cast<std::size_t>(command)];
  }
  Cycle earliest_shared(Command command, unsigned bank) const {
    const auto c = static_cast<std::size_t>(command);
    return std::max(ready_[group_unit(bank)][c], ready_.back()[c]);
  }
  /// The two sides of earliest_shared().
  Cycle earliest_in_group(Command command, unsigned bank) const {
    return ready_[group_unit(bank)][static_cast<std::size_t>(command)];
  }
  Cycle earliest_in_channel(Command command) const { return ready_.back()[static_cast<std::size_t>(command)]; }
  /// `command` goes to `bank` at cycle `now` >= earliest(); calls are in order of `now`.
  void issue(Command command, unsigned bank, Cycle now) {
    PerCommand* const units[] = {&ready_[bank], &ready_[group_unit(bank)], &ready_.back()};
    for (const Delay& delay : delays_[static_cast<std::size_t>(command)]) {
      Cycle& ready = (*units[delay.scope])[delay.following];
      ready = std::max(ready, now + delay.cycles);
    }
    for (Window& window : windows_) {
      if (window.row.preceding == command) slide(window, bank, now);
    }
  }

 private:
  using PerCommand = std::array<Cycle, kCommands>;
  struct Delay {
    std::uint32_t scope, following;
    Cycle cycles;
  };
  /// Issue times of the last `row.window` preceding commands of each unit of the scope.
  struct Window {
    TimingRow row;
    std::vector<Cycle> history;    ///< [unit][window], a ring each
    std::vector<unsigned> oldest;  ///< [unit]
  };

  std::size_t group_unit(unsigned bank) const { return banks_ + (bank & group_mask_); }
  std::size_t unit(TimingScope scope, unsigned bank) const;
  void slide(Window& window, unsigned bank, Cycle now);

  unsigned banks_;
  unsigned group_mask_;
  std::vector<PerCommand> ready_;                     ///< of each bank, then of each bank group, then of the channel
  std::array<std::vector<Delay>, kCommands> delays_;  ///< [preceding]: rows that look back to the last command
  std::vector<Window> windows_;                       ///< and those that look back further
};

}  // namespace gputlm
