// Exact sequences of commands: refresh, closed page, and a queue for writes.
#include <gtest/gtest.h>

#include "tests/unit/dram/command_names.h"
#include "tests/unit/dram/controller_bench.h"

namespace gputlm {
namespace {

constexpr Address kNextRow = 2048 * 16;

DramConfig plain() {
  DramConfig config;
  config.bank_hash = false;
  return config;
}

DramConfig with_refresh() {
  DramConfig config = plain();
  config.timing.tREFI = 300;
  config.timing.tRFC = 50;
  return config;
}

using Commands = std::vector<IssuedCommand>;

TEST(Refresh, ClosesTheBanksAndComesWhenItIsDueEvenIfNobodyLooks) {
  const Outcome outcome = Bench(with_refresh(), {{100, 0, 32, false}, {1000, 0, 32, false}}).run();
  const Commands expected = {
      {100, kAct, 0, 0},      {112, kRd, 0, 0},        // the row stays open
      {300, kPre, 0, kNoRow}, {312, kRef, 0, kNoRow},  // tRP
      {600, kRef, 0, kNoRow}, {900, kRef, 0, kNoRow}, {1000, kAct, 0, 0}, {1012, kRd, 0, 0},
  };
  EXPECT_EQ(outcome.commands, expected);
  EXPECT_EQ(outcome.statistics.refreshes, 3u);
  EXPECT_EQ(outcome.rows.at(1), RowOutcome::kMiss);
}

TEST(Refresh, HoldsBackWhatArrivesMeanwhile) {
  // Opened just before the refresh is due: tRAS keeps the bank open, its read has to wait and to open the row again.
  const Outcome outcome = Bench(with_refresh(), {{295, 0, 32, false}, {301, 128, 32, false}}).run();
  const Commands expected = {
      {295, kAct, 0, 0}, {323, kPre, 0, kNoRow}, {335, kRef, 0, kNoRow}, {385, kAct, 0, 0},  // tRAS, tRP, tRFC
      {391, kAct, 1, 0}, {397, kRd, 0, 0},       {403, kRd, 1, 0},
  };
  EXPECT_EQ(outcome.commands, expected);
  EXPECT_EQ(outcome.statistics.wasted_by[static_cast<std::size_t>(DramWait::kRefresh)], 397u + 12 - 295);
}

TEST(Refresh, ACommandBeforeItIsDueIsIssued) {
  const Outcome outcome = Bench(with_refresh(), {{287, 0, 32, false}}).run();
  EXPECT_EQ(outcome.commands.at(1), (IssuedCommand{299, kRd, 0, 0}));
  const Outcome late = Bench(with_refresh(), {{288, 0, 32, false}}).run();
  EXPECT_EQ(late.commands.at(1).command, kPre);  // a read at 300 is too late
}

TEST(Refresh, DoesNotKeepASimulationAwake) {
  DramControllerCore core(with_refresh(), 1, 4);
  Access access;
  access.bytes = 32;
  core.requests(0).push(0, access);
  EXPECT_EQ(core.advance(1), 12u);
  EXPECT_EQ(core.advance(100), kNever);
  EXPECT_EQ(core.advance(1'000'000), kNever);
  EXPECT_EQ(core.statistics(299).refreshes, 0u);
  EXPECT_EQ(core.statistics(1'000'000).refreshes, 3333u);
  EXPECT_EQ(core.statistics(1'000'000).cycles, 1'000'000u);
}

TEST(ClosedPage, ClosesARowWhenNoRequestForTheBankIsPending) {
  DramConfig config = plain();
  config.page = "closed";
  const Outcome outcome =
      Bench(config, {{0, 0, 32, false}, {0, 32, 32, false}, {200, 0, 32, true}, {300, kNextRow, 32, false}})
          .run([](Cycle now) { return now + 1000; }, 1000);
  const Commands expected = {
      {0, kAct, 0, 0},       {12, kRd, 0, 0},  {15, kRd, 0, 0},         // tCCDL: both hit
      {28, kPre, 0, kNoRow},                                            // tRAS
      {200, kAct, 0, 0},     {212, kWr, 0, 0}, {230, kPre, 0, kNoRow},  // tWL + burst + tWR
      {300, kAct, 0, 1},     {312, kRd, 0, 1}, {328, kPre, 0, kNoRow},
  };
  EXPECT_EQ(outcome.commands, expected);
  EXPECT_EQ(outcome.statistics.row_conflicts, 0u);
}

TEST(ClosedPage, IsWhatHelpsRandomAccessesWithPauses) {
  for (const char* page : {"open", "closed"}) {
    DramConfig config = plain();
    config.page = page;
    std::vector<Arrival> arrivals;
    for (Cycle i = 0; i < 50; ++i) arrivals.push_back({200 * i, i * kNextRow, 32, false});
    const Outcome outcome = Bench(config, arrivals).run();
    const Cycle latency = outcome.responses.at(10).first - 2000;
    EXPECT_EQ(latency, page == std::string("open") ? 12u + 12 + 12 + 2 : 12u + 12 + 2);
  }
}

DramConfig with_write_queue(unsigned high, unsigned low) {
  DramConfig config = plain();
  config.write_queue = 16;
  config.write_high = high;
  config.write_low = low;
  return config;
}

/// Directions of the column commands: "RRWW...".
std::string directions(const Outcome& outcome) {
  std::string text;
  for (const auto& c : outcome.commands) {
    if (is_column(c.command)) text += c.command == kRd ? 'R' : 'W';
  }
  return text;
}

TEST(WriteQueue, ReadsGoFirstUntilTheHighWatermarkThenWritesDownToTheLowOne) {
  std::vector<Arrival> arrivals;
  for (Address i = 0; i < 6; ++i) arrivals.push_back({0, i * 128, 32, true});
  for (Address i = 0; i < 5; ++i) arrivals.push_back({0, 4096 + i * 128, 32, false});
  EXPECT_EQ(directions(Bench(with_write_queue(8, 2), arrivals).run()), "RRRRRWWWWWW");
  EXPECT_EQ(directions(Bench(with_write_queue(6, 2), arrivals).run()), "WWWWRRRRRWW");
  EXPECT_EQ(directions(Bench(with_write_queue(6, 4), arrivals).run()), "WWRRRRRWWWW");
  EXPECT_EQ(directions(Bench(with_write_queue(6, 0), arrivals).run()), "WWWWWWRRRRR");
}

TEST(WriteQueue, WritesGoWhenThereAreNoReads) {
  const Outcome outcome = Bench(with_write_queue(8, 2), {{0, 0, 32, true}, {500, 4096, 32, false}}).run();
  EXPECT_EQ(directions(outcome), "WR");
  EXPECT_EQ(outcome.responses.at(0).first, 12u + 4 + 2);
}

TEST(WriteQueue, AReadWaitsForAnEarlierWriteToItsAddressAndAWriteForARead) {
  // By itself the read would go first.
  EXPECT_EQ(directions(Bench(with_write_queue(8, 2), {{0, 0, 32, true}, {0, 4096, 32, false}}).run()), "RW");
  EXPECT_EQ(directions(Bench(with_write_queue(8, 2), {{0, 0, 32, true}, {0, 0, 32, false}}).run()), "WR");
  EXPECT_EQ(directions(Bench(with_write_queue(8, 2), {{0, 0, 128, true}, {0, 64, 32, false}}).run()), "WWWWR");
  // By itself the write would go first: the watermark is reached.
  EXPECT_EQ(directions(Bench(with_write_queue(1, 0), {{0, 4096, 32, false}, {0, 0, 32, true}}).run()), "WR");
  EXPECT_EQ(directions(Bench(with_write_queue(1, 0), {{0, 0, 32, false}, {0, 0, 32, true}}).run()), "RW");
}

TEST(WriteQueue, ARowThatAWriteWaitsForStaysOpenWithClosedPage) {
  DramConfig config = with_write_queue(8, 2);
  config.page = "closed";
  std::vector<Arrival> arrivals{{0, 0, 32, false}, {0, 32, 32, true}};                     // a row that a read opens
  for (Address i = 0; i < 5; ++i) arrivals.push_back({0, 128 + i * kNextRow, 32, false});  // bank 1, for 200 cycles
  const Outcome outcome = Bench(config, arrivals).run();
  Commands of_bank_0;
  for (const IssuedCommand& command : outcome.commands) {
    if (command.bank == 0 && of_bank_0.size() < 3) of_bank_0.push_back(command);
  }
  EXPECT_EQ(of_bank_0.back().command, kWr);
  EXPECT_GT(of_bank_0.back().at, 150u);
}

Cycle wasted_by(const Outcome& outcome, DramWait wait) {
  return outcome.statistics.wasted_by[static_cast<std::size_t>(wait)];
}

/// Expects only `wait`, and the access latency of the first burst.
void expect_wasted_by(const Outcome& outcome, DramWait wait, Cycle first) {
  EXPECT_GT(wasted_by(outcome, wait), 0u);
  Cycle others = 0;
  for (std::size_t i = 0; i < kDramWaits; ++i) {
    if (static_cast<DramWait>(i) != wait) others += outcome.statistics.wasted_by[i];
  }
  EXPECT_LE(others, first) << name_of(wait);
}

TEST(WastedCycles, AreChargedToWhatWasWaitedFor) {
  std::vector<Arrival> rows, activates, column, turn, responses;
  for (Address i = 0; i < 16; ++i) {
    rows.push_back({0, i * kNextRow, 32, false});                     // of one bank
    activates.push_back({0, i % 4 * 128 + i / 4 * 8192, 32, false});  // a bank each
    column.push_back({0, i * 32 % 128 + i / 4 * 512, 32, false});     // hits of one bank group
    turn.push_back({1000 * i + 1, 0, 32, false});
    turn.push_back({1000 * i + 1, 32, 32, true});
  }
  expect_wasted_by(Bench(plain(), rows).run(), DramWait::kRow, 0);
  expect_wasted_by(Bench(plain(), activates).run(), DramWait::kActivates, 24);
  expect_wasted_by(Bench(plain(), column).run(), DramWait::kColumn, 24);
  const Outcome turns = Bench(plain(), turn).run();
  EXPECT_EQ(wasted_by(turns, DramWait::kTurn) % 2, 0u);
  EXPECT_GE(wasted_by(turns, DramWait::kTurn), 16u * 2);      // tRTW
  EXPECT_EQ(wasted_by(turns, DramWait::kLatency), 15u * 12);  // of a hit that meets an idle channel: tCL
  const Outcome held = Bench(plain(), {{0, 0, 32, false}, {0, 32, 32, false}}, 1, 500).run();
  EXPECT_GT(wasted_by(held, DramWait::kResponses), 400u);
}

}  // namespace
}  // namespace gputlm
