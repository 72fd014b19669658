/// The timing constraints of DRAM as one table.
///
/// A row says: in the same `scope`, `following` may come no earlier than `cycles` after the `window`-th last `preceding`
/// (window 1: after the last one). Everything is in cycles of the command clock. Names of parameters are those of JEDEC's
/// GDDR5 and HBM standards (JESD212, JESD235); the rows serve any DRAM with the same commands, so a device is described by
/// its numbers alone (platform/input/presets/dram/).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "models/dram/config.h"

namespace gputlm {

/// kRefresh is for all banks; the bank it is issued with does not matter.
enum class Command : std::uint8_t { kActivate, kPrecharge, kRead, kWrite, kRefresh };
inline constexpr std::size_t kCommands = 5;
inline constexpr std::size_t kBankCommands = 4;  ///< number of commands for one bank, which come first
inline constexpr bool is_column(Command command) { return command == Command::kRead || command == Command::kWrite; }
const char* name_of(Command command);

enum class TimingScope : std::uint8_t { kBank, kBankGroup, kChannel };

/// A row of the table, for all devices.
struct TimingRule {
  TimingScope scope;
  Command preceding, following;
  unsigned window;
  const char* name;                       ///< the constraint in the standard's names
  unsigned (*cycles)(const DramConfig&);  ///< value for a device; 0: it has no such constraint
};

namespace timing_table {

constexpr auto kBank = TimingScope::kBank;
constexpr auto kGroup = TimingScope::kBankGroup;
constexpr auto kChannel = TimingScope::kChannel;
constexpr auto kAct = Command::kActivate;
constexpr auto kPre = Command::kPrecharge;
constexpr auto kRd = Command::kRead;
constexpr auto kWr = Command::kWrite;
constexpr auto kRef = Command::kRefresh;

template <unsigned DramTiming::*parameter>
unsigned of(const DramConfig& c) {
  return c.timing.*parameter;
}
/// From a write's command to the end of its data.
inline unsigned data_in(const DramConfig& c) { return c.timing.tWL + burst_cycles(c); }
/// The data of a write may follow the data of a read after tRTW cycles for the bus to turn around (JESD212 leaves tRTW to
/// the system and gives this sum). 0 if even a write issued at once has its data that late.
inline unsigned read_to_write(const DramConfig& c) {
  const unsigned data = c.timing.tCL + burst_cycles(c) + c.timing.tRTW;
  return data > c.timing.tWL ? data - c.timing.tWL : 0;
}
inline unsigned write_to_precharge(const DramConfig& c) { return data_in(c) + c.timing.tWR; }
inline unsigned write_to_read(const DramConfig& c) { return data_in(c) + c.timing.tWTRS; }
inline unsigned write_to_read_in_group(const DramConfig& c) { return c.timing.tWTRL ? data_in(c) + c.timing.tWTRL : 0; }

}  // namespace timing_table

/// The constraint table. Parameter names and their reference points: JESD212 and JESD235, "AC timings".
inline constexpr auto kTimingRules = [] {
  using namespace timing_table;  // NOLINT: names of the table's columns
  using T = DramTiming;
  return std::array{
      // One bank.
      TimingRule{kBank, kAct, kAct, 1, "tRC", of<&T::tRC>},
      TimingRule{kBank, kAct, kRd, 1, "tRCDRD", of<&T::tRCDRD>},
      TimingRule{kBank, kAct, kWr, 1, "tRCDWR", of<&T::tRCDWR>},
      TimingRule{kBank, kAct, kPre, 1, "tRAS", of<&T::tRAS>},
      TimingRule{kBank, kPre, kAct, 1, "tRP", of<&T::tRP>},
      TimingRule{kBank, kRd, kPre, 1, "tRTP", of<&T::tRTP>},
      TimingRule{kBank, kWr, kPre, 1, "tWL + burst + tWR", write_to_precharge},
      // Bank group: its banks share a data path.
      TimingRule{kGroup, kAct, kAct, 1, "tRRDL", of<&T::tRRDL>},
      TimingRule{kGroup, kRd, kRd, 1, "tCCDL", of<&T::tCCDL>},
      TimingRule{kGroup, kWr, kWr, 1, "tCCDL", of<&T::tCCDL>},
      TimingRule{kGroup, kWr, kRd, 1, "tWL + burst + tWTRL", write_to_read_in_group},
      // Channel: command and data bus, charge pumps.
      TimingRule{kChannel, kAct, kAct, 1, "tRRDS", of<&T::tRRDS>},
      TimingRule{kChannel, kAct, kAct, 4, "tFAW", of<&T::tFAW>},
      TimingRule{kChannel, kRd, kRd, 1, "tCCDS", of<&T::tCCDS>},
      TimingRule{kChannel, kWr, kWr, 1, "tCCDS", of<&T::tCCDS>},
      TimingRule{kChannel, kRd, kWr, 1, "tCL + burst + tRTW - tWL", read_to_write},
      TimingRule{kChannel, kWr, kRd, 1, "tWL + burst + tWTRS", write_to_read},
      // Refresh of all banks, which must be precharged.
      TimingRule{kChannel, kAct, kRef, 1, "tRC before a refresh", of<&T::tRC>},
      TimingRule{kChannel, kPre, kRef, 1, "tRP before a refresh", of<&T::tRP>},
      TimingRule{kChannel, kRef, kAct, 1, "tRFC", of<&T::tRFC>},
      TimingRule{kChannel, kRef, kRef, 1, "tRFC", of<&T::tRFC>},
  };
}();

/// Whether `preceding` may constrain `following` in other banks.
constexpr bool constrains(Command preceding, Command following) {
  for (const TimingRule& rule : kTimingRules) {
    if (rule.scope != TimingScope::kBank && rule.preceding == preceding && rule.following == following) return true;
  }
  return false;
}

/// Whether a command in the same bank group may constrain `following`.
constexpr bool held_in_group(Command following) {
  for (const TimingRule& rule : kTimingRules) {
    if (rule.scope == TimingScope::kBankGroup && rule.following == following) return true;
  }
  return false;
}

/// Maximum cycles of a row: more than any device needs, so a larger value is a mistake.
inline constexpr unsigned kMaxCycles = (1u << 14) - 1;

/// The cycles of each row for a device.
using TimingCycles = std::array<unsigned, kTimingRules.size()>;
inline TimingCycles timing_cycles(const DramConfig& config) {
  TimingCycles cycles{};
  for (std::size_t i = 0; i < cycles.size(); ++i) cycles[i] = kTimingRules[i].cycles(config);
  return cycles;
}

}  // namespace gputlm
