#include "tlm/sampler.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/assembly.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::Pair;

const Clock kToyClock(1'000'000);
/// Cycle, and what the units have counted before it.
using Samples = std::vector<std::pair<Cycle, std::vector<std::size_t>>>;

std::size_t count_of(const Report& report) {
  const auto counts = report.all<ToyCount>();
  return counts.empty() ? 0 : counts.front().count;
}

Sampler::Take into(Samples& samples) {
  return [&samples](Femtoseconds at, const std::vector<Report>& reports) {
    samples.emplace_back(kToyClock.at_or_after(at), std::vector<std::size_t>());
    for (const Report& report : reports) samples.back().second.push_back(count_of(report));
  };
}

/// A producer and a consumer with clocks that do not divide each other, sampled.
struct Sampled {
  Assembly assembly;
  Producer* producer = nullptr;
  Samples samples;
  std::unique_ptr<Sampler> sampler;

  Sampled(const std::string& name, Cycle window, Cycle period) {
    const Clock odd(1'300'000);
    const Link link = toy_link(kToyClock, odd, 1, 8, 8);
    Producer::Setup setup;
    setup.accesses = 300;
    producer = &assembly.add<Producer>(name + "_producer", kToyClock, link, setup);
    auto& consumer = assembly.add<Consumer>(name + "_consumer", odd, link, 3);
    assembly.bind(producer->port, consumer.port);
    assembly.set_step(kToyClock.edge(window));
    sampler = std::make_unique<Sampler>(assembly.units(), kToyClock.edge(period), into(samples));
  }
};

class Samplers : public Simulation {};

TEST_F(Samplers, CountWhatWasBeforeATimeWhateverTheWindow) {
  Sampled narrow("narrow", 1, 7), odd("odd", 13, 7), wide("wide", kToyLatency, 7);
  narrow.assembly.run();  // SystemC runs all of them
  const Femtoseconds end = kToyClock.edge(narrow.producer->responses.back().first + 1);
  for (Sampled* sampled : {&narrow, &odd, &wide}) sampled->sampler->finish(end);
  ASSERT_GT(narrow.samples.size(), 100u);
  EXPECT_EQ(odd.samples, narrow.samples);
  EXPECT_EQ(wide.samples, narrow.samples);
  for (const auto& [cycle, counts] : wide.samples) {
    const Log& log = wide.producer->responses;
    const auto before =
        std::find_if(log.begin(), log.end(), [c = cycle](const auto& entry) { return entry.first >= c; });
    EXPECT_EQ(counts[0], static_cast<std::size_t>(before - log.begin())) << "before cycle " << cycle;
  }
  EXPECT_EQ(wide.samples.back().second, (std::vector<std::size_t>{300, 300})) << "the run's end";
}

TEST_F(Samplers, MayHavePeriodsOfTheirOwnShorterThanAWindowToo) {
  Sampled sampled("pair", kToyLatency, 50);
  Samples fine;
  Sampler often(sampled.assembly.units(), kToyClock.edge(1), into(fine));
  sampled.assembly.run();
  const Femtoseconds end = kToyClock.edge(sampled.producer->responses.back().first + 1);
  sampled.sampler->finish(end);
  often.finish(end);
  ASSERT_EQ(fine.size(), kToyClock.at_or_after(end));
  for (const auto& [cycle, counts] : sampled.samples) EXPECT_EQ(fine[cycle - 1], std::make_pair(cycle, counts));
}

/// Counts a beat at each of some cycles, and sleeps between them.
class Drummer final : public Unit {
 public:
  Drummer(const sc_core::sc_module_name& module_name, std::vector<Cycle> beats)
      : Unit(module_name, kToyClock), beats_(std::move(beats)) {
    wake(clock().edge(beats_.front()));
  }
  bool done() const override { return played_ == beats_.size(); }
  void report(Report& report, Cycle) override { report.add(ToyCount{played_}); }

 private:
  Cycle compute(Cycle until) override {
    while (!done() && beats_[played_] < until) ++played_;
    return done() ? kNever : beats_[played_];
  }
  std::vector<Cycle> beats_;
  std::size_t played_ = 0;
};

TEST_F(Samplers, SkipNoTimeThatAllUnitsHaveSleptThrough) {
  Assembly assembly;
  assembly.add<Drummer>("early", std::vector<Cycle>{5, 10});
  assembly.add<Drummer>("late", std::vector<Cycle>{10, 45});
  Samples samples;
  Sampler sampler(assembly.units(), kToyClock.edge(10), into(samples));
  EXPECT_EQ(assembly.run(), RunState::kComplete);
  sampler.finish(kToyClock.edge(47));
  EXPECT_THAT(samples,
              ElementsAre(Pair(10, ElementsAre(1, 0)), Pair(20, ElementsAre(2, 1)), Pair(30, ElementsAre(2, 1)),
                          Pair(40, ElementsAre(2, 1)), Pair(47, ElementsAre(2, 2))));
}

TEST_F(Samplers, TakeTheEndOfTheRunOnce) {
  Assembly assembly;
  assembly.add<Drummer>("drummer", std::vector<Cycle>{5, 19});
  Samples samples;
  Sampler sampler(assembly.units(), kToyClock.edge(10), into(samples));
  assembly.run();
  sampler.finish(kToyClock.edge(20));
  EXPECT_THAT(samples, ElementsAre(Pair(10, ElementsAre(1)), Pair(20, ElementsAre(2))));
}

TEST_F(Samplers, WakeNobody) {
  Sampled sampled("pair", kToyLatency, 10);
  auto& stuck = sampled.assembly.add<Drummer>("stuck", std::vector<Cycle>{1'000'000});
  Assembly::Limits limits;
  limits.end = kToyClock.edge(900'000);
  EXPECT_EQ(sampled.assembly.run(limits), RunState::kCycleLimit);
  EXPECT_FALSE(stuck.done());
  EXPECT_LT(sampled.producer->computed_until(), kToyClock.edge(100'000)) << "nothing is computed for samples";
  sampled.sampler->finish(limits.end);
  EXPECT_EQ(sampled.samples.size(), 90'000u);
}

}  // namespace
}  // namespace gputlm
