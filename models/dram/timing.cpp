#include "models/dram/timing.h"

namespace gputlm {

const char* name_of(Command command) {
  static constexpr const char* kNames[kCommands] = {"ACT", "PRE", "RD", "WR"};
  return kNames[static_cast<std::size_t>(command)];
}

std::vector<TimingRow> timing_rows(const DramTiming& t) {
  constexpr auto kBank = TimingScope::kBank;
  constexpr auto kGroup = TimingScope::kBankGroup;
  constexpr auto kChannel = TimingScope::kChannel;
  constexpr auto kAct = Command::kActivate;
  constexpr auto kPre = Command::kPrecharge;
  constexpr auto kRd = Command::kRead;
  constexpr auto kWr = Command::kWrite;
  const unsigned burst = t.tCCD;
  // The data of a write may follow the data of a read after tRTW cycles for the bus to turn around (JESD212 leaves
  // tRTW to the system and gives this sum). A write that is faster than that could never come before the read's data.
  const unsigned read_to_write = t.tCL + burst + t.tRTW > t.tWL ? t.tCL + burst + t.tRTW - t.tWL : 0;
  // Parameter names and their reference points: JESD212, "AC timings".
  return {
      // One bank.
      {kBank, kAct, kAct, t.tRC, 1, "tRC"},
      {kBank, kAct, kRd, t.tRCD, 1, "tRCD (tRCDRD)"},
      {kBank, kAct, kWr, t.tRCD, 1, "tRCD (tRCDWR)"},
      {kBank, kAct, kPre, t.tRAS, 1, "tRAS"},
      {kBank, kPre, kAct, t.tRP, 1, "tRP"},
      {kBank, kRd, kPre, t.tRTP, 1, "tRTP"},
      {kBank, kWr, kPre, t.tWL + burst + t.tWR, 1, "tWL + burst + tWR"},  // tWR starts when the data is in
      // Bank group: its banks share a data path.
      {kGroup, kRd, kRd, t.tCCDL, 1, "tCCDL"},
      {kGroup, kWr, kWr, t.tCCDL, 1, "tCCDL"},
      // Channel: command and data bus, charge pumps.
      {kChannel, kAct, kAct, t.tRRD, 1, "tRRD"},
      {kChannel, kAct, kAct, t.tFAW, 4, "tFAW"},
      {kChannel, kRd, kRd, burst, 1, "tCCD (tCCDS)"},
      {kChannel, kWr, kWr, burst, 1, "tCCD (tCCDS)"},
      {kChannel, kRd, kWr, read_to_write, 1, "tCL + burst + tRTW - tWL"},
      {kChannel, kWr, kRd, t.tWL + burst + t.tWTR, 1, "tWL + burst + tWTR"},
  };
}

TimingState::TimingState(const std::vector<TimingRow>& rows, unsigned banks, unsigned groups)
    : banks_(banks), group_mask_(groups - 1), ready_(banks + groups + 1) {
  for (const TimingRow& row : rows) {
    if (row.cycles == 0) continue;
    if (row.window > 1) {
      windows_.push_back(
          {row, std::vector<Cycle>(ready_.size() * row.window, kNever), std::vector<unsigned>(ready_.size(), 0)});
      continue;
    }
    Cycle& delay = delay_[static_cast<std::size_t>(row.preceding)][static_cast<std::size_t>(row.scope)]
                         [static_cast<std::size_t>(row.following)];
    delay = std::max<Cycle>(delay, row.cycles);
  }
}

std::size_t TimingState::unit(TimingScope scope, unsigned bank) const {
  if (scope == TimingScope::kBank) return bank;
  return scope == TimingScope::kBankGroup ? group_unit(bank) : ready_.size() - 1;
}

void TimingState::slide(Window& window, unsigned bank, Cycle now) {
  const std::size_t u = unit(window.row.scope, bank);
  Cycle* history = &window.history[u * window.row.window];
  unsigned& oldest = window.oldest[u];
  history[oldest] = now;
  oldest = oldest + 1 == window.row.window ? 0 : oldest + 1;
  if (history[oldest] == kNever) return;  // not that many yet
  Cycle& ready = ready_[u][static_cast<std::size_t>(window.row.following)];
  ready = std::max(ready, history[oldest] + window.row.cycles);
}

}  // namespace gputlm
