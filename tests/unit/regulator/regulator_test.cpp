#include "models/regulator/regulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <tuple>

#include "models/policy/tally.h"
#include "models/regulator/budget.h"
#include "models/regulator/regulation.h"

namespace gputlm {
namespace {

TEST(PartsOfABudget, ComeToTheWholeAndDifferByAByteAtMost) {
  for (const Bytes budget : {Bytes{1}, Bytes{80}, Bytes{65536}, Bytes{65537}, kMaxBudget}) {
    for (unsigned places = 1; places <= 144; ++places) {
      Bytes sum = 0, least = budget, most = 0;
      for (unsigned i = 0; i < places; ++i) {
        const Bytes part = part_of_budget(budget, i, places);
        sum += part;
        least = std::min(least, part);
        most = std::max(most, part);
      }
      EXPECT_EQ(sum, budget);
      EXPECT_LE(most - least, 1u);
    }
  }
}

// --- What every policy promises ---

/// A queue of requests of each application, as they come at a place.
struct Stream {
  std::vector<Bytes> budgets;
  std::deque<Bytes> queues[3];
  /// The applications that wait in vain.
  std::uint64_t waiting(const BandwidthRegulator& regulator) const {
    std::uint64_t set = 0;
    for (unsigned n = 0; n < budgets.size(); ++n)
      set |= std::uint64_t{!queues[n].empty() && !regulator.fits(n, queues[n].front())} << n;
    return set;
  }
};

// Over random budgets and requests, with periods of all lengths: of every run of periods in a row.
TEST(HardBudgets, AreNeverExceededAndNeverWithheld) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto up_to = [&](std::uint64_t most) { return random() % (most + 1); };
    Stream stream;
    for (unsigned n = 0; n < 3; ++n) stream.budgets.push_back(1 + up_to(seed % 3 ? 60 : 2000));
    const auto regulator = bandwidth_regulators().at("hard").make({stream.budgets});
    std::vector<Bytes> taken[3];  // in each period
    Bytes left[3];                // as told by the rule, told again
    for (unsigned n = 0; n < 3; ++n) {
      left[n] = stream.budgets[n];
      taken[n].push_back(0);
    }
    for (unsigned step = 0; step < 3000; ++step) {
      const auto n = static_cast<unsigned>(up_to(2));
      if (up_to(3) > 0) stream.queues[n].push_back(32 * (1 + up_to(3)));
      if (up_to(15) == 0) {
        const std::uint64_t begins = up_to(7), waiting = stream.waiting(*regulator);
        for (unsigned i = 0; i < 3; ++i) {
          if (!(begins >> i & 1)) continue;
          left[i] = stream.budgets[i] + (waiting >> i & 1 ? left[i] : 0);
          taken[i].push_back(0);
        }
        regulator->begin_period(begins, waiting);
      }
      for (unsigned i = 0; i < 3; ++i) {
        while (!stream.queues[i].empty()) {
          const Bytes bytes = stream.queues[i].front();
          ASSERT_EQ(regulator->fits(i, bytes), left[i] >= bytes);  // never withheld
          if (left[i] < bytes) break;
          regulator->passed(i, bytes);
          stream.queues[i].pop_front();
          left[i] -= bytes;
          taken[i].back() += bytes;
        }
      }
    }
    for (unsigned i = 0; i < 3; ++i) {
      for (std::size_t from = 0; from < taken[i].size(); ++from) {
        Bytes sum = 0;
        for (std::size_t to = from; to < taken[i].size(); ++to) {
          sum += taken[i][to];
          ASSERT_LT(sum, (to - from + 1) * stream.budgets[i] + kLineBytes);  // never exceeded
        }
      }
    }
  }
}

TEST(ReclaimedBudgets, AreWhatOthersLeftInTheLastPeriod) {
  const auto regulator = bandwidth_regulators().at("reclaim").make({{1000, 300}});
  EXPECT_FALSE(regulator->fits(1, 301));
  regulator->passed(0, 400);
  regulator->passed(1, 300);
  EXPECT_FALSE(regulator->fits(1, 1));
  regulator->begin_period(0b11, 0b10);  // 600 were left
  EXPECT_TRUE(regulator->fits(1, 900));
  regulator->passed(1, 800);
  EXPECT_FALSE(regulator->fits(1, 101));
  EXPECT_TRUE(regulator->fits(0, 1100));
  EXPECT_TRUE(regulator->fits(0, 1000));  // its own, whatever the others took
  regulator->passed(0, 1000);
  regulator->begin_period(0b11, 0);
  EXPECT_FALSE(regulator->fits(1, 301));  // nobody left anything; what was left before has lapsed
  PolicyTally tally;
  regulator->count(tally.of(bandwidth_regulators(), "reclaim"));
  EXPECT_EQ(tally.records().front().counters.front().value, 500u);
}

TEST(ReclaimedBudgets, NeverTakeWhatIsAnothers) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<Bytes> budgets{200 + random() % 500, 200 + random() % 500};
    const auto regulator = bandwidth_regulators().at("reclaim").make({budgets});
    Bytes last[2] = {budgets[0], budgets[1]};
    for (unsigned period = 0; period < 300; ++period) {
      Bytes taken[2] = {0, 0};
      for (unsigned step = 0; step < random() % 40; ++step) {
        const unsigned n = random() % 2;
        const Bytes bytes = 32 * (1 + random() % 4);
        if (taken[n] + bytes <= budgets[n]) {
          EXPECT_TRUE(regulator->fits(n, bytes));
        }
        if (!regulator->fits(n, bytes)) continue;
        regulator->passed(n, bytes);
        taken[n] += bytes;
      }
      const Bytes left = budgets[0] - std::min(budgets[0], last[0]) + budgets[1] - std::min(budgets[1], last[1]);
      EXPECT_LE(taken[0] + taken[1], budgets[0] + budgets[1] + left);
      regulator->begin_period(0b11, 0);
      std::copy(taken, taken + 2, last);
    }
  }
}

// --- Places ---

class Place : public testing::Test {
 protected:
  struct Passed {
    Cycle at;
    const Access* access;
    bool operator==(const Passed& other) const { return at == other.at && access == other.access; }
  };
  struct Queue final : Receiver<Access> {
    Queue() : Receiver(1000) {}
    void push(Cycle at, Access& access) override {
      if (!passed.empty()) {
        EXPECT_LE(passed.back().at, at);
      }
      passed.push_back({at, &access});
    }
    std::vector<Passed> passed;
  };
  Access& access(ApplicationId application, Bytes bytes = 128, bool write = false) {
    Access& made = accesses_.emplace_back();
    made.identity.application = application;
    made.bytes = static_cast<std::uint16_t>(bytes);
    made.write = write;
    return made;
  }
  static Regulation regulation(const char* policy = "hard") { return {policy, {{1, 100, true, true}}, {{256}}}; }
  std::deque<Access> accesses_;
};

TEST_F(Place, PassesWhatTheBudgetOfAPeriodAllowsAndTheRestInTheNext) {
  Queue queue;
  RegulatedPlace place(regulation(), 0, {&queue});
  for (unsigned i = 0; i < 5; ++i) place.input(0).push(10, access(1));
  EXPECT_EQ(place.advance(50), 100u);
  EXPECT_EQ(place.held(), 3u);
  EXPECT_EQ(place.advance(150), 200u);
  EXPECT_EQ(place.advance(250), kNever);
  std::vector<Cycle> at;
  for (const Passed& p : queue.passed) at.push_back(p.at);
  EXPECT_THAT(at, testing::ElementsAre(10, 10, 100, 100, 200));
  const BudgetStatistics of = place.statistics(250).at(1);
  EXPECT_EQ(of.bytes, 640u);
  EXPECT_EQ(of.delayed, 3u);
  EXPECT_EQ(of.wait, 90u + 90 + 190);
  EXPECT_EQ(of.throttled, 190u);
  EXPECT_EQ(of.exhausted, 2u);
}

TEST_F(Place, LetsOthersByAndWhatDoesNotCount) {
  Regulation reads = regulation();
  reads.applications[0].writes = false;
  Queue queue;
  RegulatedPlace place(reads, 0, {&queue});
  for (unsigned i = 0; i < 3; ++i) place.input(0).push(10, access(1));
  place.input(0).push(11, access(0));
  place.input(0).push(12, access(2));
  place.input(0).push(13, access(1, 128, true));
  place.advance(50);
  std::vector<Cycle> at;
  for (const Passed& p : queue.passed) at.push_back(p.at);
  EXPECT_THAT(at, testing::ElementsAre(10, 10, 11, 12, 13));
}

TEST_F(Place, KeepsTokensForARequestThatIsLargerThanTheBudget) {
  Regulation small = regulation();
  small.budgets = {{50}};
  Queue queue;
  RegulatedPlace place(small, 0, {&queue});
  for (unsigned i = 0; i < 2; ++i) place.input(0).push(10, access(1));
  place.advance(2000);
  ASSERT_EQ(queue.passed.size(), 2u);
  EXPECT_EQ(queue.passed[0].at, 200u);  // 50 a period: 150
  EXPECT_EQ(queue.passed[1].at, 500u);  // 22 are left: 172
}

TEST_F(Place, FreesSlotsWhenTheyAreFreedBehind) {
  Queue queue;
  RegulatedPlace place(regulation(), 0, {&queue});
  queue.freed(40);
  queue.freed(41);
  place.hand_back();
  EXPECT_THAT(place.input(0).freed_slots(), testing::ElementsAre(40, 41));
  EXPECT_TRUE(queue.freed_slots().empty());
}

// Random requests of four applications by two queues, with two lengths of periods: a window of any length tells the same.
TEST_F(Place, IsTheSameForEveryWindow) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::mt19937_64 random(seed);
    const bool reclaim = seed % 2;
    Regulation regulation{reclaim ? "reclaim" : "hard", {}, {{}}};
    for (ApplicationId a = 0; a < 3; ++a) {
      regulation.applications.push_back({a, reclaim || a ? Cycle{97} : Cycle{30}, true, a != 2});
      regulation.budgets[0].push_back(random() % 2 ? 50 + random() % 900 : 30);
    }
    struct Arrival {
      Cycle at;
      Access* access;
    };
    std::vector<Arrival> arrivals;
    for (Cycle at = 0; at < 6000; at += random() % (seed % 5 ? 12 : 400))
      arrivals.push_back(
          {at, &access(static_cast<ApplicationId>(random() % 4), 32 * (1 + random() % 4), random() % 2)});
    const auto run = [&](Cycle window) {
      Queue queues[2];
      RegulatedPlace place(regulation, 0, {&queues[0], &queues[1]});
      std::vector<std::tuple<Cycle, int, unsigned, Bytes>> decisions;
      place.decisions.watch([&](const RegulatorEvent& event) {
        decisions.emplace_back(event.at, static_cast<int>(event.kind), event.number, event.bytes);
      });
      std::size_t next = 0;
      for (Cycle until = 0; until < 40000;) {
        until = std::min<Cycle>(until + window, 40000);
        for (; next < arrivals.size() && arrivals[next].at < until + 40; ++next)  // some are known early
          place.input(arrivals[next].access->identity.application % 2).push(arrivals[next].at, *arrivals[next].access);
        place.advance(until);
      }
      place.decisions.flush();
      std::vector<std::uint64_t> counted;
      for (const BudgetStatistics& s : place.statistics(40000))
        counted.insert(counted.end(), {s.bytes, s.delayed, s.wait, s.throttled, s.exhausted});
      return std::make_tuple(queues[0].passed, queues[1].passed, counted, decisions);
    };
    const auto expected = run(1);
    for (const Cycle window : {7, 64, 1000, 39999}) EXPECT_TRUE(run(window) == expected) << seed << " " << window;
  }
}

}  // namespace
}  // namespace gputlm
