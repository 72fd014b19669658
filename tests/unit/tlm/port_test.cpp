#include "tlm/port.h"

#include <memory>
#include <string>
#include <tuple>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/checker.h"

namespace gputlm {
namespace {

const Clock kProducerClock = Clock::from_mhz(1365);

/// A producer and a consumer with a checker between them.
struct Pair {
  Pair(const std::string& name, Cycle window_cycles, const Clock& consumer_clock, unsigned width, unsigned batch,
       const Producer::Setup& setup, unsigned slowness)
      : window(window_cycles * kProducerClock.period()),
        producer((name + "_producer").c_str(), window, kProducerClock,
                 toy_link(kProducerClock, kProducerClock, consumer_clock, width, batch), width, setup),
        consumer((name + "_consumer").c_str(), window, consumer_clock,
                 toy_link(consumer_clock, kProducerClock, consumer_clock, width, batch), width, setup.depth,
                 setup.reply_depth, slowness),
        checker((name + "_checker").c_str()) {
    producer.socket().bind(checker.target);
    checker.initiator.bind(consumer.socket());
  }
  void expect_clean(const Producer::Setup& setup) const {
    EXPECT_EQ(checker.violation_count(), 0u) << (checker.violations().empty() ? "" : checker.violations().front());
    EXPECT_EQ(checker.transactions(), setup.accesses);
    EXPECT_EQ(checker.unfinished(), 0u);
    EXPECT_EQ(consumer.arrivals.size(), setup.accesses);
    EXPECT_EQ(producer.responses.size(), setup.accesses);
    EXPECT_EQ(producer.in_use(), 0u);
  }
  Femtoseconds window;
  Producer producer;
  Consumer consumer;
  ProtocolChecker checker;
};

/// Consumer clock in MHz, link width, credit batch, queue depth, slowness of the consumer.
using Case = std::tuple<double, unsigned, unsigned, unsigned, unsigned>;

class PortsOfAnyWidthAndDepth : public Simulation, public testing::WithParamInterface<Case> {};

TEST_P(PortsOfAnyWidthAndDepth, GiveTheSameCyclesForEveryWindowAndLoseNothing) {
  const auto [mhz, width, batch, depth, slowness] = GetParam();
  const Clock consumer_clock = Clock::from_mhz(mhz);
  Producer::Setup setup;
  setup.depth = depth;
  setup.reply_depth = depth;
  setup.accesses = 2000;
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const Cycle window : {Cycle{1}, Cycle{4}, kToyLatency}) {
    pairs.push_back(std::make_unique<Pair>("window_" + std::to_string(window), window, consumer_clock, width, batch,
                                           setup, slowness));
  }
  sc_core::sc_start();
  for (const auto& pair : pairs) {
    pair->expect_clean(setup);
    EXPECT_EQ(pair->consumer.arrivals, pairs[0]->consumer.arrivals) << pair->window;
    EXPECT_EQ(pair->producer.responses, pairs[0]->producer.responses) << pair->window;
    EXPECT_LE(pair->consumer.most_held, depth);
    EXPECT_LE(pair->producer.most_replies_held, depth);
    for (std::uint32_t i = 0; i < setup.accesses; ++i) {  // a link keeps the order
      ASSERT_EQ(pair->consumer.arrivals[i].second, i);
      ASSERT_EQ(pair->producer.responses[i].second, i);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ports, PortsOfAnyWidthAndDepth,
                         testing::Values(Case{1365, 1, 1, 64, 1}, Case{1365, 4, 4, 64, 2}, Case{1365, 1, 1, 1, 1},
                                         Case{1750, 1, 1, 2, 9}, Case{877, 2, 2, 8, 4}, Case{3000, 4, 1, 3, 30}));

class Ports : public Simulation {};

TEST_F(Ports, MakeASenderWaitWhenTheReceiverIsSlow) {
  Producer::Setup setup;
  setup.accesses = 500;
  setup.depth = 2;
  Pair slow("slow", 4, kProducerClock, 1, 1, setup, 60);
  Pair fast("fast", 4, kProducerClock, 1, 1, setup, 1);
  sc_core::sc_start();
  slow.expect_clean(setup);
  fast.expect_clean(setup);
  EXPECT_EQ(slow.consumer.most_held, 2u);
  EXPECT_GT(slow.producer.responses.back().first, fast.producer.responses.back().first);
}

TEST_F(Ports, TakeTwoHopsAndTheFlitsForAnAccessThatNobodyDelays) {
  Producer::Setup setup;
  setup.accesses = 1;
  Pair pair("pair", kToyLatency, kProducerClock, 1, 1, setup, 1);
  sc_core::sc_start();
  const Cycle arrived = pair.consumer.arrivals[0].first;
  EXPECT_GE(arrived, kToyLatency + 1);
  EXPECT_LE(arrived, kToyLatency + 4 + 300);                               // up to four flits, after a pause
  EXPECT_EQ(pair.producer.responses[0].first, arrived + kToyLatency + 1);  // one flit, served at once
}

TEST_F(Ports, ReturnACreditForEveryAccess) {
  Producer::Setup setup;
  Pair pair("pair", 4, kProducerClock, 1, 1, setup, 3);
  sc_core::sc_start();
  EXPECT_EQ(pair.checker.credits(), 2u * setup.accesses);  // requests on the way back, responses on the way forth
}

}  // namespace
}  // namespace gputlm
