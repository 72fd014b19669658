// The turns in which units compute: two if neighbours can have different ones.
#include "tlm/window_turns.h"

#include <deque>
#include <random>
#include <string>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/assembly.h"

namespace gputlm {
namespace {

const Clock kUnitClock(1'000'000);
using Neighbours = std::vector<std::pair<std::size_t, std::size_t>>;

TEST(TurnsOf, NeighboursDiffer) {
  EXPECT_EQ(turns_of(5, {{3, 2}, {2, 1}, {1, 0}}), (std::vector<unsigned>{0, 1, 0, 1, 0}));
  EXPECT_EQ(turns_of(2, {{1, 0}, {0, 1}, {0, 1}}), (std::vector<unsigned>{0, 1})) << "several links";
  EXPECT_EQ(turns_of(0, {}), std::vector<unsigned>());
}

TEST(TurnsOf, ThereAreNoneInARingOfAnOddNumber) {
  for (std::size_t units = 2; units < 12; ++units) {
    Neighbours ring;
    for (std::size_t i = 0; i < units; ++i) ring.emplace_back(i, (i + 1) % units);
    EXPECT_EQ(turns_of(units + 3, ring).empty(), units % 2 == 1) << units;
  }
}

/// Units in two layers, in any order and with any links between the layers; then one link within a layer that closes a
/// ring.
TEST(TurnsOf, AnyTwoLayersHaveThem) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t units = 2 + random() % 40;
    std::vector<unsigned> layer(units);
    for (unsigned& l : layer) l = random() % 2;
    Neighbours neighbours;
    for (std::size_t i = 0; i < 2 * units; ++i) {
      const std::size_t a = random() % units, b = random() % units;
      if (layer[a] != layer[b]) neighbours.emplace_back(a, b);
    }
    const std::vector<unsigned> turns = turns_of(units, neighbours);
    ASSERT_EQ(turns.size(), units);
    for (const auto& [a, b] : neighbours) EXPECT_NE(turns[a], turns[b]);
    if (neighbours.empty()) continue;
    const auto [a, b] = neighbours[random() % neighbours.size()];
    neighbours.emplace_back(units, a);
    neighbours.emplace_back(units, b);
    EXPECT_TRUE(turns_of(units + 1, neighbours).empty());
  }
}

Link link_of(Cycle latency) {
  Link link = toy_link(kUnitClock, kUnitClock, 1, 8, 8);
  link.latency = kUnitClock.edge(latency);
  return link;
}

/// Has work in every `work`-th cycle, and notes in which cycle each of its windows begins and ends.
class Node final : public Unit {
 public:
  /// `asks`, `answers`: latencies of its links.
  Node(const sc_core::sc_module_name& module_name, Cycle work, Femtoseconds notice, const std::vector<Cycle>& asks,
       const std::vector<Cycle>& answers)
      : Unit(module_name, kUnitClock), work_(work) {
    for (const Cycle latency : asks)
      initiators.emplace_back("asks_" + std::to_string(initiators.size()), *this, link_of(latency), out_, in_);
    for (const Cycle latency : answers)
      targets.emplace_back("answers_" + std::to_string(targets.size()), *this, link_of(latency), in_, out_);
    tells_end(notice);
    wake(0);
  }
  struct Window {
    Cycle begin, end;
    bool operator==(const Window& other) const { return begin == other.begin && end == other.end; }
  };
  std::vector<Window> windows;
  static constexpr Cycle kLast = 200;
  bool done() const override { return !windows.empty() && windows.back().end >= kLast; }

 private:
  Cycle compute(Cycle until) override {
    windows.push_back({clock().at_or_before(now()), until});
    return until < kLast ? (until + work_ - 1) / work_ * work_ : kNever;
  }
  Cycle work_;
  Outbox<Access> out_{1, 8};  // nothing is ever sent
  Inbox<Access> in_{8};

 public:
  std::deque<InitiatorPort<Access>> initiators;
  std::deque<TargetPort<Access>> targets;
};

class Turns : public Simulation {
 protected:
  struct Linked {
    std::size_t asks, answers;
    Cycle latency;
  };
  /// Runs nodes that are linked so; the first one tells the end with `notice`. Returns the windows of each.
  static std::vector<std::vector<Node::Window>> windows(std::size_t nodes, const std::vector<Linked>& links,
                                                        Femtoseconds notice = kNever, unsigned threads = 1,
                                                        Cycle work = 1) {
    Assembly assembly;
    assembly.set_threads(threads);
    std::vector<Node*> all;
    for (std::size_t i = 0; i < nodes; ++i) {
      std::vector<Cycle> asks, answers;
      for (const Linked& link : links) {
        if (link.asks == i) asks.push_back(link.latency);
        if (link.answers == i) answers.push_back(link.latency);
      }
      all.push_back(&assembly.add<Node>("node_" + std::to_string(i), work, i == 0 ? notice : kNever, asks, answers));
    }
    std::vector<std::size_t> asked(nodes), answered(nodes);
    for (const Linked& link : links)
      assembly.bind(all[link.asks]->initiators[asked[link.asks]++],
                    all[link.answers]->targets[answered[link.answers]++]);
    assembly.run();
    std::vector<std::vector<Node::Window>> windows;
    for (const Node* node : all) windows.push_back(node->windows);
    return windows;
  }
};

const std::vector<Node::Window> kEven = {{0, 40}, {40, 80}, {80, 120}, {120, 160}, {160, 200}},
                                kOdd = {{0, 20}, {20, 60}, {60, 100}, {100, 140}, {140, 180}, {180, 220}};

std::vector<Node::Window> windows_of_a_step() {
  std::vector<Node::Window> windows;
  for (Cycle begin = 0; begin < Node::kLast; begin += 20) windows.push_back({begin, begin + 20});
  return windows;
}

TEST_F(Turns, AreForTwoStepsEachThatOverlapByOne) {
  EXPECT_EQ(windows(3, {{0, 1, 20}, {2, 1, 39}}), (std::vector<std::vector<Node::Window>>{kEven, kOdd, kEven}));
}

TEST_F(Turns, MayBeTheSameForUnitsWithALinkOfTwoSteps) {
  const auto all = windows(3, {{0, 1, 20}, {1, 2, 20}, {2, 0, 40}});
  EXPECT_EQ(all, (std::vector<std::vector<Node::Window>>{kEven, kOdd, kEven}));
}

TEST_F(Turns, AreNotTakenInARingOfThree) {
  for (const auto& windows : windows(3, {{0, 1, 20}, {1, 2, 20}, {2, 0, 39}})) EXPECT_EQ(windows, windows_of_a_step());
}

TEST_F(Turns, AreTakenWhereTheEndIsToldTwoStepsAhead) {
  EXPECT_EQ(windows(2, {{0, 1, 20}}, kUnitClock.edge(40))[0], kEven);
}

/// It must be told before anybody has computed so far.
TEST_F(Turns, AreNotTakenWhereTheEndIsToldLater) {
  EXPECT_EQ(windows(2, {{0, 1, 20}}, kUnitClock.edge(40) - 1)[0], windows_of_a_step());
}

TEST_F(Turns, OfUnitsThatSleepBeginWithTheWindowOfWhatTheyHaveToDo) {
  const auto all = windows(2, {{0, 1, 20}}, kNever, 1, 95);
  EXPECT_EQ(all[0], (std::vector<Node::Window>{{0, 40}, {80, 120}, {160, 200}}));
  EXPECT_EQ(all[1], (std::vector<Node::Window>{{0, 20}, {60, 100}, {180, 220}}));
}

/// A thread learns a step later what another one's units have sent.
TEST_F(Turns, NeedAnEndToldAStepEarlierWithSeveralThreads) {
  EXPECT_EQ(windows(2, {{0, 1, 20}}, kUnitClock.edge(60) - 1, 2)[0], windows_of_a_step());
}

TEST_F(Turns, AreTakenWithSeveralThreads) {
  EXPECT_EQ(windows(2, {{0, 1, 20}}, kUnitClock.edge(60), 2), (std::vector<std::vector<Node::Window>>{kEven, kOdd}));
}

}  // namespace
}  // namespace gputlm
