#include "tlm/assembly.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

const Clock kClock(1'000'000);
constexpr Femtoseconds kHop = kToyLatency * 1'000'000;

Link toy_link(unsigned latency = kToyLatency) {
  Link link = toy_link(kClock, kClock, 1, 8, 8);
  link.latency = latency * kClock.period();
  return link;
}

/// A unit that only performs an action of the test at a cycle.
class Sleeper final : public Unit {
 public:
  /// `woken`: by the test, if at all.
  Sleeper(const sc_core::sc_module_name& module_name, Cycle at, std::function<void()> action, bool woken = false)
      : Unit(module_name, kClock), at_(at), action_(std::move(action)) {
    if (!woken) wake(clock().edge(at));
  }
  bool done() const override { return done_; }

 private:
  Cycle compute(Cycle until) override {
    if (done_ || at_ >= until) return done_ ? kNever : at_;
    done_ = true;
    action_();
    return kNever;
  }
  Cycle at_;
  std::function<void()> action_;
  bool done_ = false;
};

/// What a call throws, by its message; empty if nothing.
template <class Error>
std::string thrown(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

class Assemblies : public Simulation {
 protected:
  struct Pair {
    Producer& producer;
    Consumer& consumer;
  };
  Pair add(Assembly& assembly, const std::string& name, const Link& link, unsigned accesses = 100) {
    Producer::Setup setup;
    setup.accesses = accesses;
    return {assembly.add<Producer>(name + "_producer", kClock, link, setup),
            assembly.add<Consumer>(name + "_consumer", kClock, link, 3)};
  }
  Pair bind(Assembly& assembly, const std::string& name, const Link& link, unsigned accesses = 100) {
    const Pair pair = add(assembly, name, link, accesses);
    assembly.bind(pair.producer.port, pair.consumer.port);
    return pair;
  }
};

TEST_F(Assemblies, LookAheadAsFarAsTheShortestHop) {
  Assembly assembly;
  const Pair near = bind(assembly, "near", toy_link(7));
  const Pair far = bind(assembly, "far", toy_link(30));
  EXPECT_EQ(assembly.shortest_hop(), 7 * kClock.period());
  EXPECT_EQ(assembly.run(), RunState::kComplete);
  for (const auto& unit : assembly.units()) EXPECT_EQ(unit->step(), 7 * kClock.period());
  EXPECT_EQ(near.producer.responses.size(), 100u);
  EXPECT_EQ(far.producer.responses.size(), 100u);
}

TEST_F(Assemblies, LookAheadLessIfAsked) {
  Assembly assembly;
  const Pair pair = bind(assembly, "pair", toy_link());
  assembly.set_step(3 * kClock.period());
  assembly.run();
  EXPECT_EQ(pair.producer.step(), 3 * kClock.period());
}

TEST_F(Assemblies, RefuseAWindowLongerThanAHopHoweverLateTheHopIsBound) {
  Assembly assembly;
  bind(assembly, "far", toy_link());
  EXPECT_EQ(
      thrown<InputError>([&] { assembly.set_step(kHop + 1); }),
      "look-ahead window: found 20000001 fs, allowed: 1 fs to 20 ns, the shortest hop, between far_producer.port and "
      "far_consumer.port");
  assembly.set_step(kHop);
  EXPECT_NE(thrown<InputError>([&] {
              bind(assembly, "near", toy_link(19));
            }).find("1 fs to 19 ns, the shortest hop, between near_producer.port and near_consumer.port"),
            std::string::npos);
}

TEST_F(Assemblies, RefuseAWindowThatTakesNoTime) {
  Assembly assembly;
  bind(assembly, "pair", toy_link());
  EXPECT_NE(thrown<InputError>([&] { assembly.set_step(0); }).find("found 0 s, allowed: 1 fs to 20 ns"),
            std::string::npos);
}

TEST_F(Assemblies, RefuseAHopToAForeignPeerThatIsShorterThanACycle) {
  Assembly assembly;
  Link link = toy_link();
  link.latency = kClock.period() - 1;
  const Pair pair = add(assembly, "pair", link);
  assembly.bind(pair.producer.port, pair.consumer.port.socket);
  EXPECT_EQ(
      thrown<std::logic_error>([&] { assembly.run(); }),
      "look-ahead window of pair_producer: found 1 ns, a cycle, allowed: up to 999999 fs, the latency of the link of "
      "pair_producer.port");
}

TEST_F(Assemblies, RefuseAHopToAForeignPeerThatTakesNoTime) {
  Assembly assembly;
  const Pair pair = add(assembly, "pair", toy_link(0));
  assembly.bind(pair.producer.port, pair.consumer.port.socket);
  EXPECT_NE(thrown<std::logic_error>([&] { assembly.run(); }).find("allowed: up to 0 s, the latency of the link of"),
            std::string::npos);
}

TEST_F(Assemblies, RefuseALinkThatTakesNoTime) {
  Assembly assembly;
  EXPECT_NE(thrown<std::logic_error>([&] { bind(assembly, "pair", toy_link(0)); }).find("takes no time"),
            std::string::npos);
}

TEST_F(Assemblies, RefuseToBindPortsThatDescribeTheirLinkDifferently) {
  Assembly assembly;
  Link other = toy_link();
  other.response.queue = 9;
  const Pair pair = add(assembly, "pair", toy_link());
  const Pair odd = add(assembly, "odd", other);
  EXPECT_EQ(thrown<std::logic_error>([&] { assembly.bind(pair.producer.port, odd.consumer.port); }),
            "pair_producer.port and odd_consumer.port differ in what their link is");
}

TEST_F(Assemblies, NameAPortThatIsNotBound) {
  Assembly assembly;
  add(assembly, "pair", toy_link());
  EXPECT_EQ(thrown<std::logic_error>([&] { assembly.run(); }), "pair_producer.port is not bound");
}

TEST_F(Assemblies, GiveAUnitWithAForeignPeerAWindowOfOneCycle) {
  Assembly assembly;
  const Pair pair = add(assembly, "pair", toy_link());
  assembly.bind(pair.producer.port, pair.consumer.port.socket);  // a socket that nothing is known about
  const Pair other = bind(assembly, "other", toy_link());
  EXPECT_EQ(assembly.run(), RunState::kComplete);
  EXPECT_EQ(pair.producer.step(), kClock.period());
  EXPECT_EQ(pair.consumer.step(), kClock.period());
  EXPECT_EQ(other.consumer.step(), kHop);
  EXPECT_EQ(pair.producer.responses.size(), 100u);
}

TEST_F(Assemblies, FailWhenSomethingArrivesInAComputedWindow) {
  Assembly assembly;
  const Pair pair = bind(assembly, "pair", toy_link());
  // The consumer has computed its first window when a request comes at its beginning.
  PayloadPool<Access> pool;
  Access& access = pool.allocate();
  pair.consumer.wake(0);
  assembly.add<Sleeper>("late", 25, [&] {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    pair.producer.port.socket->nb_transport_fw(*access.transaction, phase, delay);
  });
  EXPECT_NE(thrown<std::logic_error>([&] { assembly.run(); }).find("in a window that is computed until"),
            std::string::npos);
}

TEST_F(Assemblies, EndARunWhenEveryUnitIsDone) {
  Assembly assembly;
  unsigned ran = 0;
  assembly.add<Sleeper>("early", 10, [&] { ++ran; });
  assembly.add<Sleeper>("late", 10'000'000, [&] { ++ran; });
  EXPECT_EQ(assembly.run(), RunState::kComplete);
  EXPECT_EQ(ran, 2u);
}

TEST_F(Assemblies, ComputeNothingFromTheEndOfTheRunOn) {
  Assembly assembly;
  const Pair pair = bind(assembly, "pair", toy_link(), 1000);
  Assembly::Limits limits;
  limits.end = 777 * kClock.period();
  EXPECT_EQ(assembly.run(limits), RunState::kCycleLimit);
  EXPECT_EQ(assembly.end(), limits.end);
  EXPECT_EQ(now_fs(), limits.end);
  EXPECT_EQ(pair.consumer.computed_until(), limits.end);
  ASSERT_FALSE(pair.consumer.arrivals.empty());
  EXPECT_LT(pair.consumer.arrivals.back().first, 777u);
}

TEST_F(Assemblies, ReportADeadlockAndWhoWaits) {
  Assembly assembly;
  const Link link = toy_link();
  Producer::Setup setup;
  setup.accesses = 100;
  auto& producer = assembly.add<Producer>("producer", kClock, link, setup);
  auto& consumer = assembly.add<Consumer>("consumer", kClock, link, 3);
  assembly.bind(producer.port, consumer.port);
  consumer.serve_no_more_after(40);
  EXPECT_EQ(assembly.run(), RunState::kDeadlocked);
  EXPECT_EQ(assembly.waiting(), std::vector<std::string>{"producer: 40 responses"});
}

TEST_F(Assemblies, AskWhetherToGoOnBeforeAnythingIsSimulated) {
  Assembly assembly;
  bind(assembly, "pair", toy_link());
  Assembly::Limits limits;
  limits.proceed = [](Femtoseconds) { return false; };
  EXPECT_EQ(assembly.run(limits), RunState::kInterrupted);
  EXPECT_EQ(now_fs(), 0u);
}

/// Computes every cycle from `at` on, and is never done.
class Restless final : public Unit {
 public:
  Restless(const sc_core::sc_module_name& module_name, Cycle at) : Unit(module_name, kClock), next_(at) {
    wake(clock().edge(at));
  }
  bool done() const override { return false; }

 private:
  Cycle compute(Cycle until) override { return next_ = std::max(next_, until); }
  Cycle next_;
};

TEST_F(Assemblies, AskEveryTenthOfASecondWhetherToGoOnHoweverLateWorkComes) {
  constexpr Cycle kHour = 3'600'000'000'000;
  Assembly assembly;
  assembly.add<Restless>("restless", kHour);
  Assembly::Limits limits;
  std::vector<Femtoseconds> asked;
  const auto began = std::chrono::steady_clock::now();
  limits.proceed = [&](Femtoseconds now) {
    asked.push_back(now);
    return asked.size() < 4;
  };
  EXPECT_EQ(assembly.run(limits), RunState::kInterrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(3));  // three tenths, and ten times as much
  EXPECT_GT(asked.back(), kClock.edge(kHour)) << "it was about its work";
}

/// A cycle whose time in femtoseconds is a little more than 2^64.
constexpr Cycle kBeyondTime = 18'446'744'074'710;

TEST_F(Assemblies, EndARunWhereSimulatedTimeEnds) {
  Assembly assembly;
  bool ran = false;
  auto& sleeper = assembly.add<Sleeper>(
      "sleeper", kBeyondTime, [&] { ran = true; }, true);
  sleeper.wake(0);
  EXPECT_EQ(assembly.run(), RunState::kTimeLimit);
  EXPECT_EQ(now_fs(), kEndOfTime);
  EXPECT_FALSE(ran);
}

TEST_F(Assemblies, LeaveTheEndOfTimeToSystemCWhereTheyAreNotRun) {
  Assembly assembly;
  auto& sleeper = assembly.add<Sleeper>(
      "sleeper", kBeyondTime, [] {}, true);
  sleeper.wake(0);
  EXPECT_NE(thrown<sc_core::sc_report>([&] {
              sc_core::sc_start();
            }).find("sleeper: simulated time has reached its end, 18000 s"),
            std::string::npos);
}

TEST_F(Assemblies, LeaveFailuresToSystemCWhereTheyAreNotRun) {
  Assembly assembly;
  assembly.add<Sleeper>("sleeper", 100, [] { throw InputError("broken"); });
  EXPECT_NE(thrown<sc_core::sc_report>([&] { sc_core::sc_start(); }).find("broken"), std::string::npos);
}

TEST(TimeResolutions, OtherThanAFemtosecondAreRefusedWithWhatToCall) {
  if (sc_core::sc_get_status() != sc_core::SC_ELABORATION) GTEST_SKIP() << "needs a process of its own: run by ctest";
  sc_core::sc_set_time_resolution(10, sc_core::SC_FS);
  EXPECT_EQ(thrown<std::logic_error>([&] { Sleeper("sleeper", 1, [] {}); }),
            "SystemC's time resolution: found 10 fs, allowed: 1 fs; call sc_core::sc_set_time_resolution(1, "
            "sc_core::SC_FS) before the first unit or sc_time is made");
}

TEST_F(Assemblies, RethrowWhatTheFirstUnitToFailHasThrown) {
  Assembly assembly;
  assembly.add<Sleeper>("third", 300, [] { throw InputError("third"); });
  // Both throw in the same cycle, and SystemC runs the one that was added last before the other.
  auto& first = assembly.add<Sleeper>(
      "first", 200, [] { throw InputError("first"); }, true);
  auto& second = assembly.add<Sleeper>("second", 200, [&] {
    first.wake(200 * kClock.period());
    throw InputError("second");
  });
  EXPECT_EQ(thrown<InputError>([&] { assembly.run(); }), "first");
  EXPECT_TRUE(first.failure());
  EXPECT_TRUE(second.failure()) << "all units have computed the time at which one has failed";
  EXPECT_EQ(now_fs(), 200 * kClock.period());
}

}  // namespace
}  // namespace gputlm
