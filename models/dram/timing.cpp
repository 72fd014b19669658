#include "models/dram/timing.h"

namespace gputlm {

const char* name_of(Command command) {
  static constexpr const char* kNames[kCommands] = {"ACT", "PRE", "RD", "WR", "REF"};
  return kNames[static_cast<std::size_t>(command)];
}

std::vector<TimingRow> timing_rows(const DramConfig& config) {
  constexpr auto kBank = TimingScope::kBank;
  constexpr auto kGroup = TimingScope::kBankGroup;
  constexpr auto kChannel = TimingScope::kChannel;
  constexpr auto kAct = Command::kActivate;
  constexpr auto kPre = Command::kPrecharge;
  constexpr auto kRd = Command::kRead;
  constexpr auto kWr = Command::kWrite;
  constexpr auto kRef = Command::kRefresh;
  const DramTiming& t = config.timing;
  const unsigned burst = burst_cycles(config);
  const unsigned write = t.tWL + burst;  // until the data is in
  // The data of a write may follow the data of a read after tRTW cycles for the bus to turn around (JESD212 leaves
  // tRTW to the system and gives this sum). A write that is faster than that could never come before the read's data.
  const unsigned read_to_write = t.tCL + burst + t.tRTW > t.tWL ? t.tCL + burst + t.tRTW - t.tWL : 0;
  // Parameter names and their reference points: JESD212 and JESD235, "AC timings".
  return {
      // One bank.
      {kBank, kAct, kAct, t.tRC, 1, "tRC"},
      {kBank, kAct, kRd, t.tRCDRD, 1, "tRCDRD"},
      {kBank, kAct, kWr, t.tRCDWR, 1, "tRCDWR"},
      {kBank, kAct, kPre, t.tRAS, 1, "tRAS"},
      {kBank, kPre, kAct, t.tRP, 1, "tRP"},
      {kBank, kRd, kPre, t.tRTP, 1, "tRTP"},
      {kBank, kWr, kPre, write + t.tWR, 1, "tWL + burst + tWR"},
      // Bank group: its banks share a data path.
      {kGroup, kAct, kAct, t.tRRDL, 1, "tRRDL"},
      {kGroup, kRd, kRd, t.tCCDL, 1, "tCCDL"},
      {kGroup, kWr, kWr, t.tCCDL, 1, "tCCDL"},
      {kGroup, kWr, kRd, t.tWTRL ? write + t.tWTRL : 0, 1, "tWL + burst + tWTRL"},
      // Channel: command and data bus, charge pumps.
      {kChannel, kAct, kAct, t.tRRDS, 1, "tRRDS"},
      {kChannel, kAct, kAct, t.tFAW, 4, "tFAW"},
      {kChannel, kRd, kRd, t.tCCDS, 1, "tCCDS"},
      {kChannel, kWr, kWr, t.tCCDS, 1, "tCCDS"},
      {kChannel, kRd, kWr, read_to_write, 1, "tCL + burst + tRTW - tWL"},
      {kChannel, kWr, kRd, write + t.tWTRS, 1, "tWL + burst + tWTRS"},
      // Refresh of all banks, which must be precharged.
      {kChannel, kAct, kRef, t.tRC, 1, "tRC before a refresh"},
      {kChannel, kPre, kRef, t.tRP, 1, "tRP before a refresh"},
      {kChannel, kRef, kAct, t.tRFC, 1, "tRFC"},
      {kChannel, kRef, kRef, t.tRFC, 1, "tRFC"},
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
    delays_[static_cast<std::size_t>(row.preceding)].push_back(
        {static_cast<std::uint32_t>(row.scope), static_cast<std::uint32_t>(row.following), row.cycles});
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
