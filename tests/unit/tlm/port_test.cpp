#include "tlm/port.h"

#include <memory>
#include <string>
#include <tuple>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/assembly.h"

namespace gputlm {
namespace {

const Clock kProducerClock = Clock::from_mhz(1365);

struct PairSetup {
  Clock consumer_clock = kProducerClock;
  unsigned width = 1;
  unsigned batches = 1;  ///< of credits
  unsigned depth = 8;    ///< of both queues
  unsigned slowness = 1;
  Producer::Setup producer{};
};

/// A producer and a consumer with a checker between them.
struct Pair {
  Pair(const std::string& name, Cycle window_cycles, const PairSetup& setup)
      : window(window_cycles * kProducerClock.period()), assembly(true),
        link(toy_link(kProducerClock, setup.consumer_clock, setup.width, setup.depth, setup.depth, setup.batches)),
        producer(assembly.add<Producer>(name + "_producer", kProducerClock, link, setup.producer)),
        consumer(assembly.add<Consumer>(name + "_consumer", setup.consumer_clock, link, setup.slowness)) {
    assembly.bind(producer.port, consumer.port);
    assembly.set_step(window);
  }
  const ProtocolChecker& checker() const { return *assembly.checkers().front(); }
  void expect_clean(const PairSetup& setup) const {
    const std::size_t accesses = setup.producer.accesses;
    EXPECT_EQ(checker().violation_count(), 0u)
        << (checker().violations().empty() ? "" : checker().violations().front());
    EXPECT_EQ(checker().transactions(), accesses);
    EXPECT_EQ(checker().unfinished(), 0u);
    EXPECT_EQ(consumer.arrivals.size(), accesses);
    EXPECT_EQ(producer.responses.size(), accesses);
    EXPECT_EQ(producer.in_use(), 0u);
  }
  Femtoseconds window;
  Assembly assembly;
  Link link;
  Producer& producer;
  Consumer& consumer;
};

/// Consumer clock in MHz, link width, credit batches, queue depth, slowness of the consumer.
using Case = std::tuple<double, unsigned, unsigned, unsigned, unsigned>;

class PortsOfAnyWidthAndDepth : public Simulation, public testing::WithParamInterface<Case> {};

TEST_P(PortsOfAnyWidthAndDepth, GiveTheSameCyclesForEveryWindowAndLoseNothing) {
  const auto [mhz, width, batches, depth, slowness] = GetParam();
  PairSetup setup{Clock::from_mhz(mhz), width, batches, depth, slowness};
  setup.producer.accesses = 2000;
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const Cycle window : {Cycle{1}, Cycle{4}, kToyLatency}) {
    pairs.push_back(std::make_unique<Pair>("window_" + std::to_string(window), window, setup));
  }
  sc_core::sc_start();
  for (const auto& pair : pairs) {
    pair->expect_clean(setup);
    EXPECT_EQ(pair->consumer.arrivals, pairs[0]->consumer.arrivals) << pair->window;
    EXPECT_EQ(pair->producer.responses, pairs[0]->producer.responses) << pair->window;
    EXPECT_LE(pair->consumer.most_held, depth);
    EXPECT_LE(pair->producer.most_replies_held, depth);
    for (std::uint32_t i = 0; i < setup.producer.accesses; ++i) {  // a link keeps the order
      ASSERT_EQ(pair->consumer.arrivals[i].second, i);
      ASSERT_EQ(pair->producer.responses[i].second, i);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ports, PortsOfAnyWidthAndDepth,
                         testing::Values(Case{1365, 1, 1, 64, 1}, Case{1365, 4, 4, 64, 2}, Case{1365, 1, 1, 1, 1},
                                         Case{1750, 1, 1, 2, 9}, Case{877, 2, 2, 8, 4}, Case{3000, 4, 1, 3, 30}));

class Ports : public Simulation {};

TEST_F(Ports, SayTimesToTheLastFemtosecond) {
  for (const Femtoseconds t : {Femtoseconds{0}, Femtoseconds{1}, (Femtoseconds{1} << 53) + 1, kEndOfTime, kNever}) {
    EXPECT_EQ(to_sc_time(t).value(), t);
    EXPECT_EQ(to_sc_time(t), sc_core::sc_time::from_value(t));
  }
}

TEST_F(Ports, MakeASenderWaitWhenTheReceiverIsSlow) {
  PairSetup setup;
  setup.producer.accesses = 500;
  setup.depth = 2;
  Pair fast("fast", 4, setup);
  setup.slowness = 60;
  Pair slow("slow", 4, setup);
  sc_core::sc_start();
  slow.expect_clean(setup);
  fast.expect_clean(setup);
  EXPECT_EQ(slow.consumer.most_held, 2u);
  EXPECT_GT(slow.producer.responses.back().first, fast.producer.responses.back().first);
}

TEST_F(Ports, TakeTwoHopsAndTheFlitsForAnAccessThatNobodyDelays) {
  PairSetup setup;
  setup.producer.accesses = 1;
  Pair pair("pair", kToyLatency, setup);
  sc_core::sc_start();
  const Cycle arrived = pair.consumer.arrivals[0].first;
  EXPECT_GE(arrived, kToyLatency + 1);
  EXPECT_LE(arrived, kToyLatency + 4 + 300);                               // up to four flits, after a pause
  EXPECT_EQ(pair.producer.responses[0].first, arrived + kToyLatency + 1);  // one flit, served at once
}

TEST_F(Ports, ReturnACreditForEveryAccess) {
  PairSetup setup;
  setup.slowness = 3;
  Pair pair("pair", 4, setup);
  sc_core::sc_start();
  EXPECT_EQ(pair.checker().credits(),
            2u * setup.producer.accesses);  // requests on the way back, responses on the way forth
}

}  // namespace
}  // namespace gputlm
