/// A controller core with its surroundings, and traffic for it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "models/dram/controller_core.h"
#include "tests/unit/dram/command_checker.h"

namespace gputlm {

struct Arrival {
  Cycle at;
  Address address;
  std::uint16_t bytes;
  bool write;
  ApplicationId application = 0;
  unsigned link = 0;
};

struct Outcome {
  std::vector<IssuedCommand> commands;
  std::vector<std::pair<Cycle, std::uint32_t>> responses;  ///< cycle and tag of each response, in the order they left
  std::vector<RowOutcome> rows;                            ///< row outcomes, indexed by tag
  std::vector<std::vector<Cycle>> freed;                   ///< cycles of freed slots, by link
  DramStatistics statistics;
};

/// A core with its surroundings: arrivals are pushed when their window comes, responses' credits come back
/// `credit_delay` cycles later, at the start of the window after.
class Bench {
 public:
  Bench(const DramConfig& config, std::vector<Arrival> arrivals, unsigned credits = 1 << 16, Cycle credit_delay = 0)
      : core_(with_room(config, arrivals.size()), kLinks, credits), credits_(kLinks), delay_(credit_delay) {
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      Access access;
      access.address = arrivals[i].address;
      access.bytes = arrivals[i].bytes;
      access.write = arrivals[i].write;
      access.identity.application = arrivals[i].application;
      access.tag = static_cast<std::uint32_t>(i);
      accesses_.push_back(access);
    }
    arrivals_ = std::move(arrivals);
  }

  /// Asks for the statistics after every window, so that the core has nothing to catch up with.
  void keep_up() { keeps_up_ = true; }
  /// Commands are not watched; the outcome has none.
  void look_away() { watches_ = false; }
  /// Runs until all responses have left, or to `end`; `next_cut(now)` gives the end of the window that begins at `now`.
  template <class NextCut>
  Outcome run(NextCut next_cut, Cycle end = kNever) {
    if (watches_) core_.commands.watch([this](const IssuedCommand& command) { commands_.push_back(command); });
    Cycle now = 0, promised = 0;
    while (end == kNever ? outcome_.responses.size() < arrivals_.size() : now < end) {
      const Cycle until = std::min<Cycle>(next_cut(now), end);
      for (; pushed_ < arrivals_.size() && arrivals_[pushed_].at < until; ++pushed_) {
        core_.requests(arrivals_[pushed_].link).push(arrivals_[pushed_].at, accesses_[pushed_]);
      }
      for (unsigned i = 0; i < kLinks; ++i) {
        for (; !credits_[i].empty() && credits_[i].front() < until; credits_[i].pop_front()) {
          core_.responses(i).credit(credits_[i].front(), 1);
        }
      }
      const std::size_t before = commands_.size();
      const Cycle next = core_.advance(until);
      core_.commands.flush();
      EXPECT_GE(next, until);
      for (std::size_t c = before; quiet_ && c < commands_.size(); ++c) {
        // The core may catch up later than promised with work that no request waits for.
        if (commands_[c].row != kNoRow) {
          EXPECT_GE(commands_[c].at, promised);
        }
      }
      if (keeps_up_) core_.statistics(until);
      core_.commands.flush();
      promised = next;
      quiet_ = pushed_ == arrivals_.size() && delay_ == 0;
      collect();
      if (now > kLimit) {
        ADD_FAILURE() << "no progress";
        break;
      }
      now = until;
    }
    outcome_.statistics = core_.statistics(end == kNever ? 0 : end);
    core_.commands.flush();
    outcome_.commands = commands_;
    for (const Access& access : accesses_) outcome_.rows.push_back(access.row);
    for (unsigned i = 0; i < kLinks; ++i) outcome_.freed.push_back(core_.requests(i).freed_slots());
    return outcome_;
  }
  Outcome run() {
    return run([](Cycle now) { return now + 1000; });
  }

 private:
  static constexpr unsigned kLinks = 2;
  static constexpr Cycle kLimit = 10'000'000;
  static DramConfig with_room(DramConfig config, std::size_t arrivals) {
    config.input_queue = static_cast<unsigned>(arrivals);
    return config;
  }
  void collect() {
    const auto first = static_cast<std::ptrdiff_t>(outcome_.responses.size());
    for (unsigned i = 0; i < kLinks; ++i) {
      for (const auto& departure : core_.responses(i).departures()) {
        outcome_.responses.emplace_back(departure.slot, departure.item->tag);
        if (delay_ > 0) credits_[i].push_back(departure.slot + delay_);
      }
      core_.responses(i).departures().clear();
    }
    std::sort(outcome_.responses.begin() + first, outcome_.responses.end());
  }

  DramControllerCore core_;
  std::vector<std::deque<Cycle>> credits_;  ///< credits on their way back, by link
  Cycle delay_;
  std::vector<IssuedCommand> commands_;
  std::vector<Access> accesses_;
  std::vector<Arrival> arrivals_;
  std::size_t pushed_ = 0;
  bool quiet_ = false;
  bool keeps_up_ = false, watches_ = true;
  Outcome outcome_;
};

/// Reads and writes of 32 to 128 bytes by three applications, with hot rows and bursts of arrivals.
inline std::vector<Arrival> random_arrivals(unsigned seed, std::size_t count, double spacing) {
  std::mt19937_64 random(seed);
  std::vector<Arrival> arrivals;
  double at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto sectors = static_cast<unsigned>(1 + random() % 4);
    const Address line = random() % 3 != 0 ? random() % 64 : random() % (1 << 20);
    const Address address = line * 128 + (random() % (5 - sectors)) * 32;
    at += spacing * static_cast<double>(random() % 100) / 50;
    if (random() % 50 == 0) at += 300;
    arrivals.push_back({static_cast<Cycle>(at), address, static_cast<std::uint16_t>(sectors * 32), random() % 3 == 0,
                        static_cast<ApplicationId>(random() % 3), static_cast<unsigned>(random() % 2)});
  }
  return arrivals;
}
inline std::vector<Arrival> random_reads(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<Arrival> arrivals;
  for (std::size_t i = 0; i < count; ++i) {
    arrivals.push_back({0, random() % (1u << 28) * 32, 32, false, 0, static_cast<unsigned>(i % 2)});
  }
  return arrivals;
}
inline std::vector<Arrival> stream_of_reads(std::size_t lines) {
  std::vector<Arrival> arrivals;
  for (std::size_t i = 0; i < lines; ++i) arrivals.push_back({0, i * 128, 128, false});
  return arrivals;
}
inline void expect_same(const Outcome& a, const Outcome& b) {
  ASSERT_EQ(a.commands, b.commands);
  ASSERT_EQ(a.responses, b.responses);
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.freed, b.freed);
}

}  // namespace gputlm
