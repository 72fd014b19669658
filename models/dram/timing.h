/// DRAM timing: the constraints as one table, and registers that answer "from which cycle on is this command legal?"
///
/// A row says: in the same `scope`, `following` may come no earlier than `cycles` after the `window`-th last
/// `preceding` (window 1: after the last one). Everything is in cycles of the command clock. Names of parameters are
/// those of JEDEC's GDDR5 standard (JESD212); the rows serve any DRAM with the same commands.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/dram/config.h"
#include "tlm/time.h"

namespace gputlm {

enum class Command : std::uint8_t { kActivate, kPrecharge, kRead, kWrite };
inline constexpr std::size_t kCommands = 4;
inline constexpr bool is_column(Command command) { return command >= Command::kRead; }
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

/// The constraint table. A burst takes tCCD on the data bus.
std::vector<TimingRow> timing_rows(const DramTiming& timing);

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
  /// `command` goes to `bank` at cycle `now` >= earliest(); calls are in order of `now`.
  void issue(Command command, unsigned bank, Cycle now) {
    const auto& after = delay_[static_cast<std::size_t>(command)];
    postpone(ready_[bank], after[0], now);
    postpone(ready_[group_unit(bank)], after[1], now);
    postpone(ready_.back(), after[2], now);
    for (Window& window : windows_) {
      if (window.row.preceding == command) slide(window, bank, now);
    }
  }

 private:
  using PerCommand = std::array<Cycle, kCommands>;
  /// Issue times of the last `row.window` preceding commands of each unit of the scope.
  struct Window {
    TimingRow row;
    std::vector<Cycle> history;    ///< [unit][window], a ring each
    std::vector<unsigned> oldest;  ///< [unit]
  };

  std::size_t group_unit(unsigned bank) const { return banks_ + (bank & group_mask_); }
  std::size_t unit(TimingScope scope, unsigned bank) const;
  static void postpone(PerCommand& ready, const PerCommand& delay, Cycle now) {
    for (std::size_t c = 0; c < kCommands; ++c) ready[c] = std::max(ready[c], now + delay[c]);
  }
  void slide(Window& window, unsigned bank, Cycle now);

  unsigned banks_;
  unsigned group_mask_;
  std::vector<PerCommand> ready_;  ///< of each bank, then of each bank group, then of the channel
  std::array<std::array<PerCommand, 3>, kCommands> delay_{};  ///< [preceding][scope][following], from the table
  std::vector<Window> windows_;                               ///< rows that look back further than one command
};

}  // namespace gputlm
