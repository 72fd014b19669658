// Properties of the controller over devices, policies, queues and windows of all kinds.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/unit/dram/controller_bench.h"
#include "tests/unit/dram/random_config.h"

namespace gputlm {
namespace {

constexpr unsigned kConfigurations = 60;

/// fr_fcfs, told of everything and always asked.
class ToldAll final : public RequestScheduler {
 public:
  explicit ToldAll(const SchedulerSetup& setup)
      : told_(std::move(make_request_schedulers("fr_fcfs", {1, setup.entries, setup.row_hit_cap}).front())) {}
  std::size_t pick(const RequestView& candidates, Row open_row) const override {
    return told_->pick(candidates, open_row);
  }
  void activated(Row row) override { told_->activated(row); }
  void served(const Request& request) override { told_->served(request); }

 private:
  std::unique_ptr<RequestScheduler> told_;
};

GPUTLM_REGISTER { request_schedulers().add<ToldAll>({{"fr_fcfs_told_all"}, "fr_fcfs, told of everything", "a test"}); }

TEST(DramControllerProperty, EveryCommandIsLegalAndEveryBurstServed) {
  unsigned refreshes = 0, turns = 0;
  for (unsigned seed = 0; seed < kConfigurations; ++seed) {
    const DramConfig config = random_config(seed);
    SCOPED_TRACE(seed);
    const auto arrivals = random_arrivals(seed, 700, 2 + seed % 12);
    const Outcome outcome = Bench(config, arrivals).run();
    expect_legal(outcome.commands, config);
    std::uint64_t bursts = 0;
    for (const Arrival& arrival : arrivals) bursts += arrival.bytes / config.burst_bytes;
    const DramStatistics& s = outcome.statistics;
    EXPECT_EQ(s.reads + s.writes, bursts);
    EXPECT_EQ(s.activates + s.precharges + s.reads + s.writes + s.refreshes, outcome.commands.size());
    EXPECT_EQ(s.row_hits + s.row_misses + s.row_conflicts, arrivals.size());
    DramStatistics parts;
    for (const auto& a : s.applications) {
      parts.reads += a.reads, parts.writes += a.writes, parts.row_hits += a.rows.hits;
      parts.row_misses += a.rows.misses, parts.row_conflicts += a.rows.conflicts;
    }
    EXPECT_EQ(parts.reads, s.reads);
    EXPECT_EQ(parts.writes, s.writes);
    EXPECT_EQ(parts.row_hits, s.row_hits);
    EXPECT_EQ(parts.row_misses, s.row_misses);
    EXPECT_EQ(parts.row_conflicts, s.row_conflicts);
    for (const auto& bank : s.banks) parts.activates += bank.activates, parts.data_cycles += bank.reads + bank.writes;
    EXPECT_EQ(parts.activates, s.activates);
    EXPECT_EQ(parts.data_cycles, bursts);
    refreshes += s.refreshes > 0 ? 1 : 0;
    turns += s.turns > 0 ? 1 : 0;
  }
  EXPECT_GT(refreshes, kConfigurations / 4);
  EXPECT_GT(turns, kConfigurations / 2);
}

TEST(DramControllerProperty, TheCutsBetweenWindowsChangeNothing) {
  for (unsigned seed = 0; seed < kConfigurations; ++seed) {
    SCOPED_TRACE(seed);
    const DramConfig config = random_config(seed);
    const auto arrivals = random_arrivals(seed, 250, seed % 3 == 0 ? 60 : 3);
    const unsigned credits = seed % 2 == 0 ? 3 : 64;
    const auto run = [&](auto next_cut) { return Bench(config, arrivals, credits, 40).run(next_cut); };
    const Outcome single = run([](Cycle now) { return now + 1; });
    expect_same(run([](Cycle now) { return now + 40; }), single);
    std::mt19937 random(seed);
    expect_same(run([&](Cycle now) { return now + 1 + random() % 40; }), single);
  }
}

TEST(DramControllerProperty, WhatASchedulerNeedNotHearOfChangesNothing) {
  for (unsigned seed = 0; seed < kConfigurations; ++seed) {
    SCOPED_TRACE(seed);
    DramConfig config = random_config(seed);
    const auto arrivals = random_arrivals(seed, 400, seed % 3 == 0 ? 60 : 3);
    config.scheduler = "fr_fcfs";
    const Outcome less = Bench(config, arrivals).run();
    config.scheduler = "fr_fcfs_told_all";
    expect_same(less, Bench(config, arrivals).run());
  }
}

// What is made up for when the next access arrives is what a controller does that never sleeps.
TEST(DramControllerProperty, SleepingWhileNothingIsPendingChangesNothing) {
  for (unsigned seed = 0; seed < kConfigurations; ++seed) {
    SCOPED_TRACE(seed);
    const DramConfig config = random_config(seed);
    auto arrivals = random_arrivals(seed, 120, 3);
    for (std::size_t i = 20; i < arrivals.size(); ++i) arrivals[i].at += i / 20 * 2777;  // idle for some refreshes
    const Cycle end = arrivals.back().at + 5000;
    Bench awake(config, arrivals), asleep(config, arrivals);
    awake.keep_up();
    const Outcome a = awake.run([](Cycle now) { return now + 1; }, end);
    const Outcome b = asleep.run([](Cycle) { return kNever; }, end);
    expect_same(a, b);
    expect_legal(b.commands, config);
    EXPECT_EQ(a.statistics.refreshes, b.statistics.refreshes);
    if (config.timing.tREFI > 0) {
      EXPECT_GE(b.statistics.refreshes, (end - longest_closing(config) - 1) / config.timing.tREFI);
    }
    EXPECT_EQ(a.statistics.idle, b.statistics.idle);
    EXPECT_EQ(a.statistics.wasted, b.statistics.wasted);
  }
}

// Refreshes that nobody sees are not issued one by one.
TEST(DramControllerProperty, WatchingTheCommandsChangesNothing) {
  for (unsigned seed = 0; seed < kConfigurations; ++seed) {
    SCOPED_TRACE(seed);
    const DramConfig config = random_config(seed);
    std::mt19937 random(seed);
    auto arrivals = random_arrivals(seed, 120, 3);
    Cycle idle = 0;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      if (i % 20 == 0) idle += random() % 40000;
      arrivals[i].at += idle;
    }
    Cycle end = arrivals.back().at + random() % 100000;
    if (seed % 2 == 0 && config.timing.tREFI > 0) end += config.timing.tREFI - end % config.timing.tREFI;
    Bench watched(config, arrivals), unwatched(config, arrivals);
    unwatched.look_away();
    const Outcome a = watched.run([&](Cycle now) { return now + 1 + random() % 9000; }, end);
    const Outcome b = unwatched.run([&](Cycle now) { return now + 1 + random() % 9000; }, end);
    EXPECT_EQ(a.responses, b.responses);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.statistics.refreshes, b.statistics.refreshes);
    EXPECT_EQ(a.statistics.activates, b.statistics.activates);
    EXPECT_EQ(a.statistics.precharges, b.statistics.precharges);
    EXPECT_EQ(a.statistics.idle, b.statistics.idle);
    EXPECT_EQ(a.statistics.wasted_by, b.statistics.wasted_by);
  }
}

TEST(DramControllerProperty, AccessesToTheSameAddressKeepTheirOrder) {
  for (unsigned seed = 0; seed < kConfigurations; ++seed) {
    SCOPED_TRACE(seed);
    const DramConfig config = random_config(seed);
    auto arrivals = random_arrivals(seed, 600, 1);
    for (auto& arrival : arrivals) {
      const Address line = arrival.address / 128 % 32;
      arrival.address = line % 8 * 128 | line / 8 << 17;
      arrival.bytes = 32;
      arrival.link = 0;
      arrival.application = static_cast<ApplicationId>(line / 8);  // applications share no row
    }
    const Outcome outcome = Bench(config, arrivals).run();
    // By address: reads and writes end in the order in which they arrived.
    std::map<Address, std::uint32_t> newest;
    for (const auto& response : outcome.responses) {
      std::uint32_t& last = newest[arrivals[response.second].address];
      EXPECT_GE(response.second + 1, last);
      last = response.second + 1;
    }
  }
}

/// The cycles of a run up to `end` one by one, from what can be seen from outside.
struct CycleByCycle {
  Cycle useful = 0, wasted = 0, idle = 0, bank_cycles = 0, any_bank_cycles = 0;
  CycleByCycle(const Outcome& outcome, const DramConfig& config, Cycle end) {
    std::vector<int> pending(end + 1), data(end + 1);
    const auto add = [&](std::vector<int>& to, Cycle at, int n) { to[std::min(at, end)] += n; };
    for (const auto& link : outcome.freed) {
      for (const Cycle at : link) add(pending, at, 1);
    }
    for (const auto& response : outcome.responses) add(pending, response.first, -1);
    std::vector<int> at_work(end + 1);
    std::vector<Cycle> work_since(config.banks, kNever), work_until(config.banks, 0);
    const auto work = [&](unsigned bank, Cycle from, Cycle until) {
      add(at_work, std::max(from, work_until[bank]), 1);
      add(at_work, until, -1);
      work_until[bank] = until;
      work_since[bank] = kNever;
    };
    for (const IssuedCommand& c : outcome.commands) {
      if (is_column(c.command)) {
        const Cycle from = c.at + (c.command == Command::kRead ? config.timing.tCL : config.timing.tWL);
        add(data, from, 1);
        add(data, from + burst_cycles(config), -1);
        work(c.bank, std::min(work_since[c.bank], c.at), from + burst_cycles(config));
      } else if (c.command != Command::kRefresh && c.row != kNoRow) {
        work_since[c.bank] = std::min(work_since[c.bank], c.at);
      }
    }
    for (unsigned b = 0; b < config.banks; ++b) {
      if (work_since[b] != kNever) work(b, work_since[b], end);
    }
    int now_pending = 0, now_data = 0, now_at_work = 0;
    for (Cycle t = 0; t < end; ++t) {
      now_pending += pending[t], now_data += data[t], now_at_work += at_work[t];
      ++(now_data > 0 ? useful : now_pending > 0 ? wasted : idle);
      bank_cycles += static_cast<Cycle>(now_at_work);
      any_bank_cycles += now_at_work > 0 ? 1 : 0;
    }
  }
};

TEST(DramControllerProperty, CyclesAddUpAndAgreeWithACountCycleByCycle) {
  for (unsigned seed = 0; seed < kConfigurations; ++seed) {
    const DramConfig config = random_config(seed);
    const auto arrivals = random_arrivals(seed, 300, seed % 3 == 0 ? 50 : 4);
    std::mt19937 random(seed);
    for (int cut = 0; cut < 8; ++cut) {
      const Cycle end = 1 + random() % (arrivals.back().at + 600);
      SCOPED_TRACE(testing::Message() << seed << " until " << end);
      const unsigned credits = seed % 5 == 0 ? 2 : 64;
      const Outcome outcome = Bench(config, arrivals, credits, 40).run([](Cycle now) { return now + 40; }, end);
      const CycleByCycle expected(outcome, config, end);
      const DramStatistics& s = outcome.statistics;
      EXPECT_EQ(s.cycles, end);
      EXPECT_EQ(s.useful, expected.useful);
      EXPECT_EQ(s.wasted, expected.wasted);
      EXPECT_EQ(s.idle, expected.idle);
      EXPECT_EQ(s.useful + s.wasted + s.idle, s.cycles);
      EXPECT_EQ(s.bank_cycles, expected.bank_cycles);
      EXPECT_EQ(s.any_bank_cycles, expected.any_bank_cycles);
      Cycle useful = 0, wasted = 0;
      for (const auto& a : s.applications) useful += a.useful;
      for (const Cycle w : s.wasted_by) wasted += w;
      EXPECT_EQ(useful, s.useful);
      EXPECT_EQ(wasted, s.wasted);
    }
  }
}

}  // namespace
}  // namespace gputlm
