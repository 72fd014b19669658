#include "models/dram/controller_core.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/dram/controller_bench.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

double cycles_per_burst(const Outcome& outcome) {
  return static_cast<double>(outcome.statistics.last_data) /
         static_cast<double>(outcome.statistics.reads + outcome.statistics.writes);
}

TEST(DramController, AReadOfAClosedBankTakesActivateReadAndBurst) {
  const Outcome outcome = Bench(DramConfig{}, {{100, 0, 32, false}}).run();
  const std::vector<IssuedCommand> expected = {{100, Command::kActivate, 0, 0}, {112, Command::kRead, 0, 0}};
  EXPECT_EQ(outcome.commands, expected);
  EXPECT_EQ(outcome.responses.at(0).first, 100u + 12 + 12 + 2);  // tRCD, tCL, burst
  EXPECT_EQ(outcome.rows.at(0), RowOutcome::kMiss);
  EXPECT_EQ(outcome.freed.at(0), std::vector<Cycle>{100});
}

TEST(DramController, AWriteIsAnsweredWhenItsDataIsTaken) {
  const Outcome outcome = Bench(DramConfig{}, {{0, 0, 32, true}}).run();
  EXPECT_EQ(outcome.responses.at(0).first, 12u + 4 + 2);  // tRCD, tWL, burst
}

TEST(DramController, AnotherRowOfTheBankCostsPrechargeAndActivate) {
  DramConfig config;
  config.bank_hash = false;
  const Address other_row = 2048 * 16;
  const Outcome outcome =
      Bench(config, {{0, 0, 32, false}, {0, other_row, 32, false}, {200, other_row, 64, false}}).run();
  const std::vector<IssuedCommand> expected = {
      {0, Command::kActivate, 0, 0},  {12, Command::kRead, 0, 0}, {28, Command::kPrecharge, 0, 1},  // tRAS
      {40, Command::kActivate, 0, 1}, {52, Command::kRead, 0, 1}, {200, Command::kRead, 0, 1},
      {203, Command::kRead, 0, 1},  // tCCDL
  };
  EXPECT_EQ(outcome.commands, expected);
  EXPECT_EQ(outcome.rows, (std::vector<RowOutcome>{RowOutcome::kMiss, RowOutcome::kConflict, RowOutcome::kHit}));
  EXPECT_EQ(outcome.responses.at(2).first, 203u + 12 + 2);  // when the last burst is there
}

// The read of bank 0 becomes legal in the cycle of the activate of bank 1, and of the precharge of bank 2.
TEST(DramController, ARowCommandWaitsForAColumnCommandOnTheSameBusOnly) {
  for (const bool activate : {true, false}) {
    for (const unsigned buses : {1u, 2u}) {
      DramConfig config;
      config.bank_hash = false;
      config.command_buses = buses;
      const Address row = 2048 * 16, bank_1 = 128, bank_2 = 256;
      // The row of bank 2 is open from cycle 0 on.
      const Outcome outcome =
          Bench(config,
                {{0, bank_2, 32, false}, {100, 0, 32, false}, {112, activate ? bank_1 : bank_2 + row, 32, false}})
              .run();
      const Command command = activate ? Command::kActivate : Command::kPrecharge;
      const IssuedCommand read{112, Command::kRead, 0, 0};
      const IssuedCommand other{buses == 1 ? 113u : 112u, command, activate ? 1u : 2u, activate ? 0u : 1u};
      ASSERT_GE(outcome.commands.size(), 5u);
      EXPECT_EQ(outcome.commands[3], read) << buses;
      EXPECT_EQ(outcome.commands[4], other) << buses;
    }
  }
}

TEST(DramController, ABusCarriesOneCommandACycle) {
  DramConfig config;
  config.bank_hash = false;
  config.command_buses = 2;
  config.timing.tRRDS = config.timing.tRRDL = 0;
  const Outcome outcome = Bench(config, {{0, 0, 32, false}, {0, 128, 32, false}, {0, 256, 32, false}}).run();
  for (unsigned bank = 0; bank < 3; ++bank) {
    EXPECT_EQ(outcome.commands.at(bank), (IssuedCommand{bank, Command::kActivate, bank, 0}));
  }
}

TEST(DramController, AHitPassesAnOlderConflictUnderFrFcfsOnly) {
  for (const char* scheduler : {"fcfs", "fr_fcfs"}) {
    DramConfig config;
    config.bank_hash = false;
    config.scheduler = scheduler;
    const Outcome outcome = Bench(config, {{0, 0, 32, false}, {1, 32768, 32, false}, {2, 32, 32, false}}).run();
    std::vector<std::uint32_t> order;
    for (const auto& response : outcome.responses) order.push_back(response.second);
    const bool first_ready = std::string(scheduler) == "fr_fcfs";
    EXPECT_EQ(order, first_ready ? (std::vector<std::uint32_t>{0, 2, 1}) : (std::vector<std::uint32_t>{0, 1, 2}));
  }
}

TEST(DramController, ColumnCommandsGoOnInTheirDirection) {
  // Rows of banks 0, 1 and 2 are opened in one direction; later an older access in the other one comes along with two
  // in this one.
  for (const bool write : {false, true}) {
    DramConfig config;
    config.bank_hash = false;
    const Outcome outcome = Bench(config, {{0, 0, 32, write},
                                           {0, 128, 32, write},
                                           {0, 256, 32, write},
                                           {100, 0, 32, !write},
                                           {100, 128, 32, write},
                                           {100, 256, 32, write}})
                                .run();
    std::vector<unsigned> banks;
    for (std::size_t i = outcome.commands.size() - 3; i < outcome.commands.size(); ++i) {
      banks.push_back(outcome.commands[i].bank);
    }
    EXPECT_EQ(banks, (std::vector<unsigned>{1, 2, 0}));
    EXPECT_EQ(outcome.statistics.turns, write ? 2u : 1u);  // the bus begins in the direction of reads
  }
}

TEST(DramController, NamesTheNextCycleWithWork) {
  DramControllerCore core(DramConfig{}, 1, 4);
  Access access;
  access.bytes = 32;
  EXPECT_EQ(core.advance(10), kNever);
  core.requests(0).push(500, access);
  EXPECT_EQ(core.advance(20), 500u);   // the arrival
  EXPECT_EQ(core.advance(501), 512u);  // the read, tRCD after the activate
  EXPECT_EQ(core.advance(513), 526u);  // the response
  EXPECT_EQ(core.advance(527), kNever);
}

TEST(DramController, EveryCommandObeysTheTable) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    DramConfig config;
    config.scheduler = seed % 2 == 0 ? "fr_fcfs" : "fcfs";
    config.timing.tFAW = seed % 3 == 0 ? 32 : 0;
    config.bank_groups = 1u << seed % 4;
    config.queue = seed % 4 == 0 ? 8 : 64;
    if (seed % 5 == 0) {  // GDDR6-like
      config.bus_bits = 16;
      config.timing = {20, 8, 20, 20, 20, 50, 62, 10, 0, 0, 4, 4, 9, 0, 2, 20, 4, 0, 0};
    }
    const Outcome outcome = Bench(config, random_arrivals(seed, 1500, 2 + seed)).run();
    expect_legal(outcome.commands, config);
    const DramStatistics& s = outcome.statistics;
    EXPECT_EQ(s.row_hits + s.row_misses + s.row_conflicts, 1500u);
    EXPECT_EQ(s.activates + s.precharges + s.reads + s.writes, outcome.commands.size());
    std::uint64_t reads = 0, writes = 0;
    for (const auto& application : s.applications) reads += application.reads, writes += application.writes;
    EXPECT_EQ(reads, s.reads);
    EXPECT_EQ(writes, s.writes);
    EXPECT_EQ(s.data_cycles, (s.reads + s.writes) * burst_cycles(config));
    for (std::size_t i = 1; i < outcome.responses.size(); ++i) {
      EXPECT_GE(outcome.responses[i].first, outcome.responses[i - 1].first);
    }
  }
}

TEST(DramController, AccessesToTheSameAddressKeepTheirOrder) {
  auto arrivals = random_arrivals(3, 3000, 1);
  for (auto& arrival : arrivals)
    arrival.address = arrival.address % 4096 / 128 * 128, arrival.bytes = 32, arrival.link = 0;
  const Outcome outcome = Bench(DramConfig{}, arrivals).run();
  std::vector<std::uint32_t> newest(32);
  for (const auto& response : outcome.responses) {
    std::uint32_t& last = newest[arrivals[response.second].address / 128];
    EXPECT_GE(response.second + 1, last);
    last = response.second + 1;
  }
}

TEST(DramController, TheCutsBetweenWindowsChangeNothing) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    for (const double spacing : {0.5, 6.0, 40.0}) {
      const auto arrivals = random_arrivals(seed, 800, spacing);
      // Credits come back 40 cycles after a response: windows up to 40 cycles see them in time. Three credits are
      // fewer than are under way, so responses wait for them.
      const unsigned credits = seed % 2 == 0 ? 3 : 64;
      const auto run = [&](auto next_cut) { return Bench(DramConfig{}, arrivals, credits, 40).run(next_cut); };
      const Outcome single = run([](Cycle now) { return now + 1; });
      expect_same(run([](Cycle now) { return now + 40; }), single);
      std::mt19937 random(seed);
      expect_same(run([&](Cycle now) { return now + 1 + random() % 40; }), single);
    }
  }
}

TEST(DramController, TheLengthOfAWindowIsUnlimitedWithoutFeedback) {
  const auto arrivals = random_arrivals(9, 2000, 4);
  const Outcome whole = Bench(DramConfig{}, arrivals).run([](Cycle) { return kNever; });
  expect_same(Bench(DramConfig{}, arrivals).run([](Cycle now) { return now + 7; }), whole);
}

TEST(DramController, WithoutCreditsItHoldsABoundedNumberOfAccesses) {
  DramConfig config;
  config.queue = 8;
  config.input_queue = 64;
  DramControllerCore core(config, 1, 1);
  std::vector<Access> accesses(64);
  for (auto& access : accesses) {
    access.address = static_cast<Address>(&access - accesses.data()) * 4096;
    access.bytes = 32;
    core.requests(0).push(0, access);
  }
  EXPECT_EQ(core.advance(100000), kNever);  // one response left; nothing happens without a credit
  EXPECT_EQ(core.responses(0).departures().size(), 1u);
  EXPECT_EQ(core.in_flight(), 16u);
  EXPECT_EQ(core.requests(0).size(), 64u - 17);
  for (Cycle at = 100000; core.responses(0).departures().size() < 64; at += 10) {
    core.responses(0).credit(at, 1);
    core.advance(at + 10);
    ASSERT_LT(at, 200000u);
  }
  EXPECT_EQ(core.in_flight(), 0u);
}

TEST(DramController, RandomReadsAreLimitedByTheActivateDistance) {
  const Outcome outcome = Bench(DramConfig{}, random_reads(20000)).run();
  EXPECT_GE(cycles_per_burst(outcome), 6.0);  // tRRD
  EXPECT_LE(cycles_per_burst(outcome), 6.6);
  RecordProperty("cycles_per_burst", std::to_string(cycles_per_burst(outcome)));
}

TEST(DramController, AStreamUsesTheWholeDataBus) {
  const Outcome outcome = Bench(DramConfig{}, stream_of_reads(20000)).run();
  EXPECT_GE(cycles_per_burst(outcome), 2.0);  // tCCD
  EXPECT_LE(cycles_per_burst(outcome), 2.1);
  RecordProperty("cycles_per_burst", std::to_string(cycles_per_burst(outcome)));
}

TEST(DramController, ALoneBankIsLimitedByItsRowCycle) {
  DramConfig config;
  config.bank_hash = false;
  std::vector<Arrival> arrivals;
  for (Address i = 0; i < 100; ++i) arrivals.push_back({0, i * 32768, 32, false});
  const Outcome outcome = Bench(config, arrivals).run();
  EXPECT_EQ(outcome.statistics.last_data, 99u * 40 + 12 + 12 + 2);  // tRC each
}

TEST(DramController, LinksEnterInTheOrderOfArrivalAndDoNotBlockEachOthersResponses) {
  DramConfig config;
  config.queue = 4;
  DramControllerCore core(config, 2, 1);
  std::vector<Access> accesses(6);
  for (auto& access : accesses) access.bytes = 128;
  for (unsigned i = 0; i < 3; ++i) {
    core.requests(0).push(10 * i, accesses[2 * i]);
    core.requests(1).push(10 * i, accesses[2 * i + 1]);
  }
  EXPECT_EQ(core.advance(10000), kNever);
  for (unsigned i = 0; i < 2; ++i) EXPECT_EQ(core.responses(i).departures().size(), 1u);  // a credit each
  std::vector<Cycle> taken;                                                               // link 0, link 1, link 0, ...
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned link = 0; link < 2; ++link) taken.push_back(core.requests(link).freed_slots().at(i));
  }
  for (std::size_t i = 1; i < taken.size(); ++i) EXPECT_GT(taken[i], taken[i - 1]);
  core.responses(1).credit(10000, 1);
  core.advance(10001);
  EXPECT_EQ(core.responses(1).departures().size(), 2u);
  EXPECT_EQ(core.responses(0).departures().size(), 1u);
}

TEST(DramController, AnAccessEntersBeforeOneOfAnotherLinkThatCameEarlierForLater) {
  DramControllerCore core(DramConfig{}, 2, 4);
  std::vector<Access> accesses(2);
  for (auto& access : accesses) access.bytes = 32;
  core.requests(1).push(500, accesses[1]);
  EXPECT_EQ(core.advance(100), 500u);
  core.requests(0).push(200, accesses[0]);
  core.advance(300);
  EXPECT_EQ(core.requests(0).freed_slots(), std::vector<Cycle>{200});
  EXPECT_TRUE(core.requests(1).freed_slots().empty());
  core.advance(600);
  EXPECT_EQ(core.requests(1).freed_slots(), std::vector<Cycle>{500});
}

TEST(DramController, RefusesAnAccessThatCannotEverFit) {
  DramConfig config;
  config.queue = 4;
  DramControllerCore core(config, 1, 4);
  Access access;
  access.bytes = 160;
  core.requests(0).push(0, access);
  EXPECT_THROW(core.advance(10), InputError);
  config.queue = 3;
  EXPECT_THROW(DramControllerCore(config, 1, 4), InputError);
}

}  // namespace
}  // namespace gputlm
