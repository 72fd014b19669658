#include "models/sm/qaws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace gputlm {
namespace {

using Slots = std::vector<unsigned>;

std::uint64_t mask_of(const Slots& slots) {
  std::uint64_t mask = 0;
  for (const unsigned slot : slots) mask |= std::uint64_t{1} << slot;
  return mask;
}

/// The policy, with what can be seen of its state.
struct Observed {
  Qaws policy;
  std::uint64_t present = 0;

  void assign(const Slots& slots, unsigned budget) {
    for (const unsigned slot : slots) {
      policy.assigned(slot, budget);
      present |= std::uint64_t{1} << slot;
    }
  }
  void release(unsigned slot) {
    policy.released(slot);
    present &= ~(std::uint64_t{1} << slot);
  }
  /// A cycle in which these warps are ready; what issues.
  unsigned cycle(const Slots& ready) {
    const unsigned slot = policy.pick(mask_of(ready));
    policy.issued(slot);
    return slot;
  }
  /// Q_issue.
  Slots order() const {
    Slots slots;
    for (std::uint64_t rest = present; rest;) {
      slots.push_back(policy.pick(rest));
      rest &= ~(std::uint64_t{1} << slots.back());
    }
    return slots;
  }
  unsigned turn() const { return policy.groups()[policy.turn()].budget; }
  unsigned switches(unsigned budget) const {
    for (const Qaws::Group& group : policy.groups()) {
      if (group.budget == budget) return group.switches;
    }
    return ~0u;
  }
};

/// "2301": slots 2, 3, 0 and 1.
Slots slots(const std::string& digits) {
  Slots result;
  for (const char digit : digits) result.push_back(static_cast<unsigned>(digit - '0'));
  return result;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// A state between two cycles: whose turn it is, and what each of the groups has counted.
struct State {
  unsigned turn, low, high;
  const char* order;  ///< slots
};

/// What algorithm 1 does with one cycle, by its lines. Warps 0 and 1 are of the kernel with budget 1 and older; 2 and 3
/// are of the one with budget 3.
struct Branch {
  const char* lines;
  const char* before_cycles;  ///< sets of ready warps that lead there from the start
  State before;
  const char* ready;
  unsigned issues;
  State after;
};

TEST(Qaws, EveryBranchOfAlgorithm1) {
  const Branch branches[] = {
      {"7: no history, so g0 is the group with the larger budget", "", {3, 0, 0, "2301"}, "0123", 2, {3, 0, 0, "2301"}},
      {"11-12: the head issued", "2", {3, 0, 0, "2301"}, "23", 2, {3, 0, 0, "2301"}},
      {"14-17: below its budget", "2", {3, 0, 0, "2301"}, "03", 3, {3, 0, 1, "3201"}},
      {"14-17: the last one below its budget", "2 3 2", {3, 0, 2, "2301"}, "013", 3, {3, 0, 3, "3201"}},
      {"14, 18-20: at its budget", "2 3 2 3", {3, 0, 3, "3201"}, "12", 2, {1, 0, 0, "0123"}},
      {"22-23: all of g0 stalled", "2 3", {3, 0, 1, "3201"}, "1", 1, {3, 0, 1, "2310"}},
      {"22-23: and again; the greedy warp of g1 is the first of g1",
       "2 3 1",
       {3, 0, 1, "2310"},
       "01",
       1,
       {3, 0, 1, "2310"}},
      {"11-12: back in g0, whose head is the oldest since the last to issue was of g1",
       "2 3 1",
       {3, 0, 1, "2310"},
       "12",
       2,
       {3, 0, 1, "2301"}},
      {"14-17: back in g0, but not with its head", "2 3 1", {3, 0, 1, "2310"}, "3", 3, {3, 0, 2, "3201"}},
      {"14-17: the other group, whose budget is one", "2 3 2 3 2", {1, 0, 0, "0123"}, "123", 1, {1, 1, 0, "1023"}},
      {"14, 18-20: the turn goes back", "2 3 2 3 2 1", {1, 1, 0, "1023"}, "03", 0, {3, 0, 0, "2301"}},
  };
  for (const Branch& branch : branches) {
    SCOPED_TRACE(branch.lines);
    Observed qaws;
    qaws.assign({0, 1}, 1);
    qaws.assign({2, 3}, 3);
    for (const std::string& ready : words(branch.before_cycles)) qaws.cycle(slots(ready));
    EXPECT_EQ(qaws.turn(), branch.before.turn);
    EXPECT_EQ(qaws.switches(1), branch.before.low);
    EXPECT_EQ(qaws.switches(3), branch.before.high);
    EXPECT_EQ(qaws.order(), slots(branch.before.order));
    EXPECT_EQ(qaws.cycle(slots(branch.ready)), branch.issues);
    EXPECT_EQ(qaws.turn(), branch.after.turn);
    EXPECT_EQ(qaws.switches(1), branch.after.low);
    EXPECT_EQ(qaws.switches(3), branch.after.high);
    EXPECT_EQ(qaws.order(), slots(branch.after.order));
  }
}

TEST(Qaws, OneGroupIsGreedyThenOldestAndCountsNothing) {  // lines 8 and 9
  std::mt19937_64 random(11);
  Observed qaws;
  const auto gto = make_warp_scheduler("gto");
  Slots present;
  for (int i = 0; i < 20000; ++i) {
    const auto slot = static_cast<unsigned>(random() % 64);
    const auto at = std::find(present.begin(), present.end(), slot);
    switch (random() % 6) {
      case 0:
        if (at != present.end()) break;
        qaws.assign({slot}, 5);
        gto->assigned(slot, 5);
        present.push_back(slot);
        break;
      case 1:
        if (at == present.end()) break;
        qaws.release(slot);
        gto->released(slot);
        present.erase(at);
        break;
      default: {
        const std::uint64_t ready = qaws.present & random() & random();
        if (!ready) break;
        ASSERT_EQ(qaws.policy.pick(ready), gto->pick(ready));
        qaws.policy.issued(gto->pick(ready));
        gto->issued(gto->pick(ready));
        ASSERT_EQ(qaws.switches(5), 0u);
      }
    }
  }
}

/// Algorithm 1 as it is printed, called every cycle, with two groups that never become empty.
struct Algorithm1 {
  struct Group {
    unsigned budget, ncs = 0;
    Slots by_age = {};
    bool has(unsigned slot) const { return std::find(by_age.begin(), by_age.end(), slot) != by_age.end(); }
  };
  Group g0, g1;
  std::optional<unsigned> greedy = std::nullopt;
  bool issued_head = false, issued_any = false;

  Slots sort(const Group& group) const {
    Slots slots = group.by_age;
    if (greedy && group.has(*greedy)) {
      slots.erase(std::find(slots.begin(), slots.end(), *greedy));
      slots.insert(slots.begin(), *greedy);
    }
    return slots;
  }
  Slots both() const {
    Slots slots = sort(g0);
    for (const unsigned slot : sort(g1)) slots.push_back(slot);
    return slots;
  }
  Slots sort_warps() {
    if (issued_head || !issued_any || !greedy || !g0.has(*greedy)) return both();
    if (g0.ncs < g0.budget) {
      ++g0.ncs;
      return both();
    }
    g0.ncs = 0;
    std::swap(g0, g1);
    return both();
  }
  /// The warp that issues, if one does.
  std::optional<unsigned> cycle(std::uint64_t ready) {
    const Slots queue = sort_warps();
    issued_any = false;
    for (const unsigned slot : queue) {
      if (!(ready >> slot & 1)) continue;
      issued_head = slot == queue.front();
      issued_any = true;
      greedy = slot;
      return slot;
    }
    return std::nullopt;
  }
};

TEST(Qaws, AgreesWithTheListingCalledEveryCycle) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const unsigned low = 1 + static_cast<unsigned>(random() % 3), high = low + 1 + static_cast<unsigned>(random() % 6);
    const std::uint64_t stalls = 1 + random() % 4;
    Observed qaws;
    Algorithm1 listing{{high}, {low}};
    for (unsigned slot = 0; slot < 8; ++slot) {
      const bool is_high = random() % 2 || slot == 7;
      qaws.assign({slot}, is_high && slot != 0 ? high : low);
      (is_high && slot != 0 ? listing.g0 : listing.g1).by_age.push_back(slot);
    }
    for (int cycle = 0; cycle < 3000; ++cycle) {
      std::uint64_t ready = random() & 0xff;
      for (std::uint64_t i = 0; i < stalls; ++i) ready &= random();
      const auto expected = listing.cycle(ready);
      if (!ready) continue;  // not told to the policy
      ASSERT_EQ(qaws.policy.pick(ready), *expected) << "seed " << seed << " cycle " << cycle;
      qaws.policy.issued(*expected);
    }
  }
}

TEST(Qaws, GroupsTakeTurnsInDescendingBudgetOrderSkippingEmptyOnes) {
  Observed qaws;
  qaws.assign({0, 1}, 2);
  qaws.assign({2, 3}, 4);
  qaws.assign({4, 5}, 1);
  EXPECT_EQ(qaws.order(), (Slots{2, 3, 0, 1, 4, 5}));
  const auto turns = [&](int cycles) {
    Slots seen{qaws.turn()};
    for (int i = 0; i < cycles; ++i) {
      // All are ready but the head: every issue is a switch.
      qaws.policy.issued(qaws.policy.pick(qaws.present & ~(std::uint64_t{1} << qaws.order().front())));
      if (qaws.turn() != seen.back()) seen.push_back(qaws.turn());
    }
    return seen;
  };
  EXPECT_EQ(turns(19), (Slots{4, 2, 1, 4, 2, 1}));  // 5, 3 and 2 switches each
  qaws.release(0);
  qaws.release(1);
  EXPECT_EQ(turns(14), (Slots{1, 4, 1, 4, 1}));
}

TEST(Qaws, AGroupThatEndsHandsTheTurnOnAndIsForgotten) {
  Observed qaws;
  qaws.assign({0, 1}, 1);
  qaws.assign({2, 3}, 4);
  qaws.assign({4, 5}, 2);
  qaws.cycle({2});
  qaws.cycle({3});
  EXPECT_EQ(qaws.switches(4), 1u);
  qaws.release(2);
  EXPECT_EQ(qaws.turn(), 4u);
  qaws.release(3);
  EXPECT_EQ(qaws.order(), (Slots{4, 5, 0, 1}));
  qaws.assign({6}, 4);
  EXPECT_EQ(qaws.turn(), 2u) << "it has no right to the turn that it gave away";
  EXPECT_EQ(qaws.switches(4), 0u);
  EXPECT_EQ(qaws.order(), (Slots{4, 5, 0, 1, 6}));
}

TEST(Qaws, TheLastGroupInTheOrderHandsTheTurnToTheFirst) {
  Observed qaws;
  qaws.assign({0}, 1);
  qaws.cycle({0});
  qaws.assign({1}, 4);
  qaws.assign({2}, 2);
  EXPECT_EQ(qaws.turn(), 1u) << "prioritised so far, though alone";
  qaws.release(0);
  EXPECT_EQ(qaws.turn(), 4u);
}

TEST(Qaws, HistoryEndsWhenTheSubCoreIsEmpty) {
  Observed qaws;
  qaws.assign({0}, 1);
  qaws.cycle({0});
  qaws.release(0);
  qaws.assign({0}, 1);
  qaws.assign({1}, 2);
  EXPECT_EQ(qaws.turn(), 2u);
}

/// The rules of the header written down once more, without an eye to speed, for any number of groups.
struct Rules {
  std::vector<std::pair<unsigned, unsigned>> by_age;  ///< slot, budget
  std::map<unsigned, unsigned> switches;              ///< by budget, of the groups there are
  std::optional<unsigned> turn, greedy;
  bool history = false;

  std::vector<unsigned> budgets_from_turn() const {
    std::vector<unsigned> descending;
    for (auto group = switches.rbegin(); group != switches.rend(); ++group) descending.push_back(group->first);
    std::rotate(descending.begin(), std::find(descending.begin(), descending.end(), *turn), descending.end());
    return descending;
  }
  Slots order() const {
    Slots slots;
    if (by_age.empty()) return slots;
    for (const unsigned budget : budgets_from_turn()) {
      for (const bool want_greedy : {true, false}) {
        for (const auto& [slot, its] : by_age) {
          if (its == budget && (greedy == slot) == want_greedy) slots.push_back(slot);
        }
      }
    }
    return slots;
  }
  unsigned budget_of(unsigned slot) const {
    return std::find_if(by_age.begin(), by_age.end(), [=](auto& warp) { return warp.first == slot; })->second;
  }
  void pass_turn() {
    const auto budgets = budgets_from_turn();
    turn = budgets[1 % budgets.size()];
  }
  void issued(unsigned slot) {
    if (switches.size() > 1 && budget_of(slot) == *turn && slot != order().front()) {
      unsigned& count = switches[*turn];
      count = count < *turn ? count + 1 : 0;
      if (count == 0) pass_turn();
    }
    greedy = slot;
    history = true;
  }
  void assigned(unsigned slot, unsigned budget) {
    by_age.emplace_back(slot, budget);
    switches.emplace(budget, 0);
    if (!history) turn = switches.rbegin()->first;
  }
  void released(unsigned slot) {
    const unsigned budget = budget_of(slot);
    by_age.erase(std::find_if(by_age.begin(), by_age.end(), [=](auto& warp) { return warp.first == slot; }));
    if (greedy == slot) greedy.reset();
    if (std::any_of(by_age.begin(), by_age.end(), [=](auto& warp) { return warp.second == budget; })) return;
    if (turn == budget) pass_turn();
    switches.erase(budget);
    if (by_age.empty()) history = false;
  }
};

TEST(Qaws, KeepsToTheRulesWithAnyNumberOfGroupsThatComeAndGo) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const unsigned slots = 1 + static_cast<unsigned>(random() % 24), budgets = 1 + static_cast<unsigned>(random() % 5);
    Observed qaws;
    Rules rules;
    for (int i = 0; i < 4000; ++i) {
      const auto slot = static_cast<unsigned>(random() % slots);
      const bool there = qaws.present >> slot & 1;
      const std::uint64_t what = random() % 12;
      if (what == 0 && there) {
        qaws.release(slot);
        rules.released(slot);
      } else if (what == 1 && !there) {
        const unsigned budget = 1 + static_cast<unsigned>(random() % budgets) * 2;
        qaws.assign({slot}, budget);
        rules.assigned(slot, budget);
      } else if (const std::uint64_t ready = qaws.present & random(); what > 1 && ready) {
        const unsigned picked = qaws.policy.pick(ready);
        qaws.policy.issued(picked);
        rules.issued(picked);
      }
      ASSERT_EQ(qaws.order(), rules.order()) << "seed " << seed << " step " << i;
      for (const Qaws::Group& group : qaws.policy.groups()) {
        ASSERT_EQ(group.switches, rules.switches.at(group.budget)) << "seed " << seed << " step " << i;
        ASSERT_LE(group.switches, group.budget);
      }
    }
  }
}

/// All states that three groups of two warps can be in, and every set of ready warps in each: between two turns of a
/// group at most the sum of the other budgets, each plus one, switches are counted, and as many are possible.
TEST(Qaws, AGroupWaitsForAtMostTheBudgetsOfTheOthersPlusOneEach) {
  const std::vector<unsigned> budgets{5, 3, 2};
  Observed start;
  for (unsigned g = 0; g < 3; ++g) start.assign({2 * g, 2 * g + 1}, budgets[g]);

  const auto key = [](const Observed& state) {
    std::vector<unsigned> text = state.order();
    for (const Qaws::Group& group : state.policy.groups()) text.push_back(group.switches);
    text.push_back(state.turn());
    return text;
  };
  struct Edge {
    std::size_t to;
    bool counted;
  };
  std::vector<Observed> states{start};
  std::map<std::vector<unsigned>, std::size_t> index{{key(start), 0}};
  std::vector<std::vector<Edge>> edges;
  for (std::size_t s = 0; s < states.size(); ++s) {
    edges.emplace_back();
    for (std::uint64_t ready = 1; ready < 64; ++ready) {
      Observed next = states[s];
      const unsigned turn = next.turn(), before = next.switches(turn);
      next.policy.issued(next.policy.pick(ready));
      const auto [place, is_new] = index.emplace(key(next), states.size());
      if (is_new) states.push_back(next);
      edges[s].push_back({place->second, next.turn() != turn || next.switches(turn) != before});
    }
  }
  std::set<std::pair<unsigned, unsigned>> counts;
  for (const Observed& state : states) counts.emplace(state.turn(), state.switches(state.turn()));
  EXPECT_EQ(counts.size(), 6u + 4u + 3u) << "every count of every group";
  for (const unsigned budget : budgets) {
    const unsigned bound = 5 + 3 + 2 + 3 - (budget + 1);
    // Most switches from each state until the group has the turn, by value iteration; cycles that count nothing add
    // nothing.
    std::vector<unsigned> most(states.size(), 0);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t s = 0; s < states.size(); ++s) {
        if (states[s].turn() == budget) continue;
        for (const Edge& edge : edges[s]) {
          const unsigned count = most[edge.to] + (edge.counted ? 1 : 0);
          ASSERT_LE(count, bound);
          if (count <= most[s]) continue;
          most[s] = count;
          changed = true;
        }
      }
    }
    EXPECT_EQ(*std::max_element(most.begin(), most.end()), bound) << "budget " << budget;
  }
}

TEST(Qaws, CountsContextSwitchesAndTheTurnsThatTheyEnd) {
  Qaws qaws;
  qaws.assigned(0, 2);
  qaws.assigned(1, 2);
  qaws.assigned(2, 1);
  for (const unsigned slot : {0u, 0u, 1u, 0u, 1u}) qaws.issued(slot);  // the third switch is one more than the budget
  PolicyCounts counts;
  qaws.count(counts);
  EXPECT_EQ(counts.values(), (std::vector<std::uint64_t>{3, 1}));
}

}  // namespace
}  // namespace gputlm
