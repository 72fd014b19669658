#include "tlm/window_schedule.h"

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/assembly.h"
#include "tlm/base/error.h"
#include "tlm/sampler.h"

namespace gputlm {
namespace {

const Clock kUnitsClock(1'000'000);
const std::vector<unsigned> kThreads = {1, 2, 3, 7};

/// Producers and consumers in one assembly: none has the same plan as another, and some have clocks of their own.
struct Crowd {
  Crowd(const std::string& name, unsigned threads, bool check_protocol = false) : assembly(check_protocol) {
    assembly.set_threads(threads);
    for (unsigned i = 0; i < 12; ++i) {
      const Clock consumer_clock(i % 3 == 0 ? 700'000 : 1'000'000);
      const Link link = toy_link(kUnitsClock, consumer_clock, 1 + i % 2, 4 + i % 5, 4);
      Producer::Setup setup;
      setup.accesses = 500;
      setup.seed = i;
      const std::string number = name + "_" + std::to_string(i);
      producers.push_back(&assembly.add<Producer>("producer_" + number, kUnitsClock, link, setup));
      consumers.push_back(&assembly.add<Consumer>("consumer_" + number, consumer_clock, link, 1 + i));
      assembly.bind(producers.back()->port, consumers.back()->port);
    }
  }
  std::vector<Log> logs() const {
    std::vector<Log> all;
    for (const Producer* producer : producers) all.push_back(producer->responses);
    for (const Consumer* consumer : consumers) all.push_back(consumer->arrivals);
    return all;
  }
  Assembly assembly;
  std::vector<Producer*> producers;
  std::vector<Consumer*> consumers;
};

class Threads : public Simulation {};

TEST_F(Threads, DoNotChangeWhatUnitsDo) {
  std::vector<std::unique_ptr<Crowd>> crowds;
  for (const unsigned threads : kThreads)
    crowds.push_back(std::make_unique<Crowd>("with_" + std::to_string(threads), threads));
  sc_core::sc_start();
  for (const auto& crowd : crowds) {
    EXPECT_EQ(crowd->consumers[0]->arrivals.size(), 500u);
    EXPECT_EQ(crowd->logs(), crowds[0]->logs()) << crowd->assembly.threads();
  }
}

TEST_F(Threads, DoNotChangeWhatCheckersSee) {
  Crowd one("one", 1, true), three("three", 3, true);
  sc_core::sc_start();
  EXPECT_EQ(three.logs(), one.logs());
  for (std::size_t i = 0; i < one.assembly.checkers().size(); ++i) {
    EXPECT_EQ(three.assembly.checkers()[i]->violation_count(), 0u);
    EXPECT_EQ(three.assembly.checkers()[i]->transactions(), one.assembly.checkers()[i]->transactions());
  }
}

TEST_F(Threads, DoNotChangeSamples) {
  std::vector<std::unique_ptr<Crowd>> crowds;
  std::vector<std::unique_ptr<Sampler>> samplers;
  std::vector<std::vector<std::size_t>> samples(kThreads.size());
  for (std::size_t t = 0; t < kThreads.size(); ++t) {
    crowds.push_back(std::make_unique<Crowd>("with_" + std::to_string(kThreads[t]), kThreads[t]));
    samplers.push_back(std::make_unique<Sampler>(crowds[t]->assembly.units(), 170'000'000,
                                                 [&samples, t](Femtoseconds, const std::vector<Report>& reports) {
                                                   for (const Report& report : reports)
                                                     samples[t].push_back(report.all<ToyCount>().front().count);
                                                 }));
  }
  sc_core::sc_start();
  EXPECT_GT(samples[0].size(), 100u);
  for (std::size_t t = 0; t < kThreads.size(); ++t) EXPECT_EQ(samples[t], samples[0]) << kThreads[t];
}

/// Notes who delivers to it, and whether a thread finds another one at it.
class Witness final : public Unit {
 public:
  /// `notice`: of the end of the run.
  Witness(const sc_core::sc_module_name& module_name, const Link& link, bool sends, Femtoseconds notice)
      : Unit(module_name, kUnitsClock), out_(1, 8), in_(8, *this) {
    if (sends) {
      initiator = std::make_unique<InitiatorPort<Access>>("port", *this, link, out_, in_);
    } else {
      target = std::make_unique<TargetPort<Access>>("port", *this, link, in_, out_);
    }
    tells_end(notice);
    wake(0);
  }
  std::unique_ptr<InitiatorPort<Access>> initiator;
  std::unique_ptr<TargetPort<Access>> target;
  std::set<std::thread::id> computed_by, delivered_by;
  std::atomic<unsigned> at_work{0}, met{0};  ///< threads, and how often one found another there
  std::function<void(Cycle until)> action;   ///< done in each window
  Cycle last = 10'000;
  bool done() const override { return computed_until() >= clock().edge(last); }
  void end_run_at(Cycle at) { end_run(clock().edge(at)); }
  Access& access() { return pool_.allocate(); }

 private:
  class Visit {
   public:
    explicit Visit(Witness& witness) : witness_(witness) {
      if (witness_.at_work.fetch_add(1) > 0) ++witness_.met;
    }
    ~Visit() { --witness_.at_work; }

   private:
    Witness& witness_;
  };

  /// Sends what it has got, or asks.
  class Queue final : public Receiver<Access> {
   public:
    Queue(unsigned depth, Witness& witness) : Receiver<Access>(depth), witness_(witness), queue_(depth) {}
    void push(Cycle at, Access& access) override {
      const Visit visit(witness_);
      witness_.delivered_by.insert(std::this_thread::get_id());
      queue_.push(at, access);
    }
    Inbox<Access>& queue() { return queue_; }

   private:
    Witness& witness_;
    Inbox<Access> queue_;
  };

  Cycle compute(Cycle until) override {
    const Visit visit(*this);
    computed_by.insert(std::this_thread::get_id());
    if (action) action(until);
    while (in_.queue().next() < until && (initiator || out_.ready_at() < until)) {
      const Cycle at = target ? std::max(in_.queue().next(), out_.ready_at()) : in_.queue().next();
      Access& access = in_.queue().take();
      in_.freed(at);
      if (initiator) pool_.release(access);
      if (target) out_.send(at, access);
    }
    if (initiator && until < last && out_.ready_at() < until) {
      Access& access = pool_.allocate();
      access.bytes = 32;
      out_.send(std::max(until - 1, out_.ready_at()), access);
    }
    return until < last ? until : in_.queue().next();
  }

  Outbox<Access> out_;
  Queue in_;
  PayloadPool<Access> pool_;
};

struct Witnesses {
  /// The end is told three steps ahead: so long that units take turns, with several threads, too.
  explicit Witnesses(unsigned threads, Femtoseconds notice = kUnitsClock.edge(60)) {
    assembly.set_threads(threads);
    const Link link = toy_link(kUnitsClock, kUnitsClock, 1, 8, 8);
    for (unsigned i = 0; i < 8; ++i) {
      Witness& asks = assembly.add<Witness>("asks_" + std::to_string(i), link, true, notice);
      Witness& answers = assembly.add<Witness>("answers_" + std::to_string(i), link, false, notice);
      assembly.bind(*asks.initiator, *answers.target);
      all.push_back(&asks);
      all.push_back(&answers);
    }
  }
  Assembly assembly;
  std::vector<Witness*> all;
};

TEST_F(Threads, NeverMeetAtAUnit) {
  Witnesses witnesses(3);
  EXPECT_EQ(witnesses.assembly.run(), RunState::kComplete);
  std::set<std::thread::id> threads;
  for (const Witness* unit : witnesses.all) {
    EXPECT_EQ(unit->met, 0u);
    EXPECT_FALSE(unit->delivered_by.empty());
    threads.insert(unit->delivered_by.begin(), unit->delivered_by.end());
  }
  // Each delivers to units of its own. A slow one may compute none: others take what it has offered.
  EXPECT_EQ(threads.size(), 3u);
}

/// A thread learns a step later what another one's units have sent, and with it the end of the run.
TEST_F(Threads, AreNotAskedWhereTheEndIsToldLessThanTwoStepsAhead) {
  Witnesses soon(3, kUnitsClock.edge(40) - 1);
  soon.assembly.run();
  std::set<std::thread::id> threads;
  for (const Witness* unit : soon.all) threads.insert(unit->computed_by.begin(), unit->computed_by.end());
  EXPECT_EQ(threads.size(), 1u);
}

TEST_F(Threads, PassOnWhatAUnitHasThrown) {
  Witnesses witnesses(2);
  for (const std::size_t unit : {5, 11}) {
    witnesses.all[unit]->action = [unit](Cycle until) {
      if (until > 1000) throw InputError("unit " + std::to_string(unit));
    };
  }
  try {
    witnesses.assembly.run();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unit 5");  // the one that was added first
  }
  EXPECT_TRUE(witnesses.all[11]->failure()) << "all units that had the same turn have computed the window";
  EXPECT_FALSE(witnesses.all[9]->failure());
}

TEST_F(Threads, PassOnWhatADeliveryHasThrown) {
  Witnesses witnesses(2);
  Witness& late = *witnesses.all[2];
  late.action = [&](Cycle until) {
    // For a window that the other side has computed: no unit of the model can have sent it.
    if (until == 1000) late.initiator->out().departures().push_back({0, &late.access()});
  };
  EXPECT_THROW(witnesses.assembly.run(), std::logic_error);
  EXPECT_TRUE(late.failure());
}

TEST_F(Threads, EndTheRunAtTheFirstTimeThatAUnitNames) {
  Witnesses witnesses(3);
  for (Witness* unit : witnesses.all) unit->last = 1403;
  witnesses.all[3]->action = [&](Cycle until) {
    if (until == 1020) witnesses.all[3]->end_run_at(1500);
  };
  witnesses.all[7]->action = [&](Cycle until) {
    if (until == 1020) witnesses.all[7]->end_run_at(1403);
  };
  EXPECT_EQ(witnesses.assembly.run(), RunState::kComplete);
  EXPECT_EQ(witnesses.assembly.end(), kUnitsClock.edge(1403));
  for (const Witness* unit : witnesses.all) EXPECT_EQ(unit->computed_until(), kUnitsClock.edge(1403));
}

}  // namespace
}  // namespace gputlm
