/// Checks a command stream by brute force: every command against the whole history and every row of the constraint
/// table, the state of the banks, and when refreshes are due. Shares nothing with the controller but the rows.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "models/dram/controller_core.h"

namespace gputlm {

inline bool operator==(const IssuedCommand& a, const IssuedCommand& b) {
  return a.at == b.at && a.command == b.command && a.bank == b.bank && a.row == b.row;
}

inline bool same_unit(TimingScope scope, unsigned a, unsigned b, unsigned groups) {
  if (scope == TimingScope::kBank) return a == b;
  return scope == TimingScope::kChannel || a % groups == b % groups;
}

/// Longest time from a due refresh to its command: the last bank to close may just have been opened or written, and the
/// others close one per cycle.
inline Cycle longest_closing(const DramConfig& config) {
  const DramTiming& t = config.timing;
  return std::max({t.tRAS, t.tRTP, t.tWL + burst_cycles(config) + t.tWR}) + config.banks + std::max(t.tRP, t.tRC);
}

inline void expect_legal(const std::vector<IssuedCommand>& commands, const DramConfig& config) {
  const TimingCycles cycles = timing_cycles(config);
  std::vector<Row> open(config.banks, kNoRow);
  Cycle due = config.timing.tREFI == 0 ? kNever : config.timing.tREFI;
  std::array<Cycle, 2> bus_from{};
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const auto& now = commands[i];
    if (i > 0) {
      ASSERT_GE(now.at, commands[i - 1].at) << "in order";
    }
    const std::size_t bus = config.command_buses > 1 && is_column(now.command) ? 1 : 0;
    ASSERT_GE(now.at, bus_from[bus]) << "one command a cycle on each bus";
    bus_from[bus] = now.at + 1;
    for (std::size_t r = 0; r < cycles.size(); ++r) {
      const TimingRule& row = kTimingRules[r];
      if (row.following != now.command) continue;
      unsigned seen = 0;
      for (std::size_t j = i; j-- > 0 && seen < row.window;) {
        const auto& before = commands[j];
        if (before.command != row.preceding) continue;
        if (!same_unit(row.scope, before.bank, now.bank, config.bank_groups)) continue;
        if (++seen < row.window) continue;
        ASSERT_GE(now.at, before.at + cycles[r]) << row.name << " at command " << i;
      }
    }
    if (now.command == Command::kRefresh) {
      for (const Row row : open) ASSERT_EQ(row, kNoRow) << "refresh with an open bank";
      ASSERT_GE(now.at, due) << "refresh before it is due";
      ASSERT_LE(now.at, due + longest_closing(config)) << "late refresh";
      due += config.timing.tREFI;
      continue;
    }
    if (now.command != Command::kPrecharge) {
      ASSERT_LT(now.at, due) << "a refresh is due";
    }
    if (now.command == Command::kActivate) {
      ASSERT_EQ(open[now.bank], kNoRow) << "activate of an open bank";
      open[now.bank] = now.row;
    } else if (now.command == Command::kPrecharge) {
      ASSERT_NE(open[now.bank], kNoRow) << "precharge of a closed bank";
      open[now.bank] = kNoRow;
    } else {
      ASSERT_EQ(open[now.bank], now.row) << "column command to a row that is not open";
    }
  }
}

}  // namespace gputlm
