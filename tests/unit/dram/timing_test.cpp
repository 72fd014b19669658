#include "models/dram/timing.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/dram/command_checker.h"
#include "tests/unit/dram/command_names.h"
#include "tests/unit/dram/random_config.h"

namespace gputlm {
namespace {

// GDDR5 as DramTiming has it: CL 12, WL 4, RCD 12, RP 12, RAS 28, RC 40, RRD 6, CCD 2, CCDL 3, WTR 5, RTW 2, WR 12, RTP 2.
TEST(TimingState, KeepsTheDistancesOfGddr5WorkedOutByHand) {
  struct Case {
    Command first, second;
    unsigned second_bank;  // the first command goes to bank 0; banks 0, 4, 8, 12 share a bank group
    Cycle distance;
  };
  const Case cases[] = {
      {kAct, kAct, 0, 40}, {kAct, kRd, 0, 12}, {kAct, kWr, 0, 12}, {kAct, kPre, 0, 28}, {kPre, kAct, 0, 12},
      {kRd, kPre, 0, 2},   {kWr, kPre, 0, 18}, {kRd, kRd, 0, 3},   {kRd, kRd, 4, 3},    {kRd, kRd, 1, 2},
      {kWr, kWr, 0, 3},    {kWr, kWr, 8, 3},   {kWr, kWr, 5, 2},   {kRd, kWr, 0, 12},   {kRd, kWr, 7, 12},
      {kWr, kRd, 0, 11},   {kWr, kRd, 3, 11},  {kAct, kAct, 1, 6}, {kAct, kAct, 4, 6},  {kAct, kRd, 1, 0},
      {kPre, kAct, 1, 0},  {kPre, kPre, 1, 0}, {kRd, kPre, 1, 0},  {kWr, kPre, 4, 0},
  };
  for (const Case& c : cases) {
    TimingState state(timing_cycles(DramConfig{}), 16, 4);
    state.issue(c.first, 0, 1000);
    // A distance of 0: no constraint, whatever the register says up to now.
    EXPECT_EQ(std::max<Cycle>(state.earliest(c.second, c.second_bank), 1000), 1000 + c.distance)
        << name_of(c.first) << " " << name_of(c.second) << " bank " << c.second_bank;
  }
}

// By the numbers of random_config.h. Banks 0, 8, 16 and 24 share a bank group.
TEST(TimingState, KeepsTheDistancesOfHbm2WorkedOutByHand) {
  struct Case {
    Command first, second;
    unsigned second_bank;
    Cycle distance;
  };
  const Case cases[] = {
      {kAct, kAct, 0, 42},  {kAct, kRd, 0, 12}, {kAct, kWr, 0, 6},   {kAct, kPre, 0, 28}, {kPre, kAct, 0, 14},
      {kRd, kPre, 0, 5},    {kWr, kPre, 0, 23}, {kAct, kAct, 8, 6},  {kAct, kAct, 1, 4},  {kRd, kRd, 8, 3},
      {kRd, kRd, 1, 2},     {kWr, kWr, 16, 3},  {kWr, kWr, 2, 2},    {kWr, kRd, 24, 18},  {kWr, kRd, 3, 13},
      {kRd, kWr, 0, 18},    {kRd, kWr, 5, 18},  {kAct, kRef, 0, 42}, {kPre, kRef, 0, 14}, {kRef, kAct, 7, 220},
      {kRef, kRef, 0, 220}, {kRd, kRef, 0, 0},
  };
  for (const Case& c : cases) {
    TimingState state(timing_cycles(hbm2()), 32, 8);
    state.issue(c.first, 0, 1000);
    EXPECT_EQ(std::max<Cycle>(state.earliest(c.second, c.second_bank), 1000), 1000 + c.distance)
        << name_of(c.first) << " " << name_of(c.second) << " bank " << c.second_bank;
  }
}

/// Each row of the table by itself: its command is illegal a cycle before the row allows it, and legal then.
TEST(TimingState, ARowForbidsItsCommandUntilItsLastCycle) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const DramConfig config = random_config(seed);
    const TimingCycles all = timing_cycles(config);
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (all[r] == 0) continue;
      const TimingRule& row = kTimingRules[r];
      TimingCycles one{};
      one[r] = all[r];
      TimingState state(one, config.banks, config.bank_groups);
      Cycle now = 1000;
      for (unsigned i = 0; i < row.window; ++i) state.issue(row.preceding, 0, now++);
      const Cycle legal = 1000 + all[r];
      for (unsigned bank = 0; bank < config.banks; ++bank) {
        const bool same = same_unit(row.scope, 0, bank, config.bank_groups);
        EXPECT_EQ(state.earliest(row.following, bank) > legal - 1, same) << row.name << " bank " << bank;
        EXPECT_LE(state.earliest(row.following, bank), legal) << row.name << " bank " << bank;
      }
    }
  }
}

TEST(TimingState, FourActivatesFitInAWindow) {
  DramConfig config;
  config.timing.tFAW = 40;
  TimingState state(timing_cycles(config), 16, 4);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_LE(state.earliest(kAct, i), 100 + 6 * i);
    state.issue(kAct, i, 100 + 6 * i);
  }
  EXPECT_EQ(state.earliest(kAct, 4), 140u);
  state.issue(kAct, 4, 140);
  EXPECT_EQ(state.earliest(kAct, 5), 146u);  // 106 + 40
}

/// The registers against the table, whatever the constraints: earliest() is the first cycle that no row forbids.
TEST(TimingState, AgreesWithTheTableOnRandomConstraintsAndCommands) {
  std::mt19937 random(1);
  for (int round = 0; round < 40; ++round) {
    DramConfig config;
    DramTiming& t = config.timing;
    for (unsigned* cycles : {&t.tCL, &t.tWL, &t.tRCDRD, &t.tRCDWR, &t.tRP, &t.tRAS, &t.tRC, &t.tRRDS, &t.tRRDL, &t.tFAW,
                             &t.tCCDS, &t.tCCDL, &t.tWTRS, &t.tWTRL, &t.tRTW, &t.tWR, &t.tRTP, &t.tRFC}) {
      *cycles = random() % 50;
    }
    const unsigned groups = 1u << random() % 4;
    const TimingCycles cycles = timing_cycles(config);
    TimingState state(cycles, 8, groups);
    std::vector<IssuedCommand> history;
    Cycle now = 0;
    for (int i = 0; i < 150; ++i) {
      const auto command = static_cast<Command>(random() % kCommands);
      const unsigned bank = random() % 8;
      Cycle expected = 0;
      for (std::size_t r = 0; r < cycles.size(); ++r) {
        const TimingRule& row = kTimingRules[r];
        if (cycles[r] == 0 || row.following != command) continue;
        unsigned seen = 0;
        for (std::size_t j = history.size(); j-- > 0 && seen < row.window;) {
          if (history[j].command != row.preceding || !same_unit(row.scope, history[j].bank, bank, groups)) continue;
          if (++seen == row.window) expected = std::max(expected, history[j].at + cycles[r]);
        }
      }
      // The registers may also name the cycle of a command that has been issued already: no constraint at all.
      ASSERT_EQ(std::max(state.earliest(command, bank), now), std::max(expected, now));
      now = std::max(expected, now);
      state.issue(command, bank, now);
      history.push_back({now, command, bank, 0});
      now += random() % 3;
    }
  }
}

}  // namespace
}  // namespace gputlm
