// The ports of the smallest units, between peers that do everything that the base protocol allows.
#include "tests/unit/tlm/torture.h"

#include <memory>
#include <string>
#include <vector>

#include "tests/unit/tlm/simulation.h"
#include "tests/unit/tlm/toy_units.h"
#include "tlm/checker.h"

namespace gputlm {
namespace {

constexpr unsigned kBenches = 60;

Clock clock_of(unsigned seed) { return Clock::from_mhz(700 + 37 * (seed % 30)); }

/// `Initiator` against a consumer with a store.
template <class Initiator>
struct ConsumerBench {
  explicit ConsumerBench(unsigned seed, bool illegal)
      : random(seed), link(toy_link(clock_of(random()), clock_of(seed), 1, 1 + random() % 12, 1 + random() % 4)),
        initiator(("initiator_" + std::to_string(seed)).c_str(), {200, 0, 8192, 2000, store.capacity(), true, illegal},
                  seed),
        consumer(("consumer_" + std::to_string(seed)).c_str(), clock_of(seed), link, 1 + random() % 30) {
    consumer.port.serve({store.capacity(), &store});
    if (illegal) {  // a checker would complain
      initiator.socket.bind(consumer.port.socket);
      return;
    }
    checker = std::make_unique<ProtocolChecker>(("checker_" + std::to_string(seed)).c_str());
    initiator.socket.bind(checker->target);
    checker->initiator.bind(consumer.port.socket);
  }
  void expect_clean() const {
    EXPECT_EQ(initiator.answered, 200u) << initiator.name();
    if (!checker) return;
    EXPECT_EQ(checker->violation_count(), 0u) << checker->violations().front();
    EXPECT_EQ(checker->transactions(), 200u);
    EXPECT_EQ(checker->unfinished(), 0u);
  }
  std::mt19937 random;
  BackingStore store{8192};
  Link link;
  Initiator initiator;
  Consumer consumer;
  std::unique_ptr<ProtocolChecker> checker;
};

template <class Initiator>
void torture_consumers() {
  std::vector<std::unique_ptr<ConsumerBench<Initiator>>> benches;
  for (unsigned seed = 1; seed <= kBenches; ++seed) {
    benches.push_back(std::make_unique<ConsumerBench<Initiator>>(seed, seed % 4 == 0));
  }
  sc_core::sc_start();
  for (const auto& bench : benches) bench->expect_clean();
}

class Torture : public Simulation {};

TEST_F(Torture, ByANonBlockingInitiatorLosesNothingAndBreaksNoRule) { torture_consumers<NonBlockingTorture>(); }
TEST_F(Torture, ByABlockingInitiatorLosesNothingAndBreaksNoRule) { torture_consumers<BlockingTorture>(); }

TEST_F(Torture, ByATargetLosesNothingAndBreaksNoRule) {
  struct Bench {
    explicit Bench(unsigned seed)
        : producer(("producer_" + std::to_string(seed)).c_str(), clock_of(seed),
                   toy_link(clock_of(seed), clock_of(seed + 7), 1 + seed % 4, 1 + seed % 9, 1 + seed % 5),
                   {300, 1 + seed % 40, seed}),
          target(("target_" + std::to_string(seed)).c_str(), seed),
          checker(("checker_" + std::to_string(seed)).c_str()) {
      producer.port.socket.bind(checker.target);
      checker.initiator.bind(target.socket);
    }
    Producer producer;
    TortureTarget target;
    ProtocolChecker checker;
  };
  std::vector<std::unique_ptr<Bench>> benches;
  for (unsigned seed = 1; seed <= kBenches; ++seed) benches.push_back(std::make_unique<Bench>(seed));
  sc_core::sc_start();
  for (const auto& bench : benches) {
    EXPECT_EQ(bench->checker.violation_count(), 0u) << bench->checker.violations().front();
    EXPECT_EQ(bench->checker.unfinished(), 0u);
    EXPECT_EQ(bench->target.answered, 300u);
    EXPECT_EQ(bench->producer.in_use(), 0u);
    std::vector<bool> seen(300);
    for (const auto& [at, tag] : bench->producer.responses) {
      EXPECT_FALSE(seen.at(tag)) << "answered twice";
      seen[tag] = true;
    }
    EXPECT_EQ(bench->producer.responses.size(), 300u);
  }
}

}  // namespace
}  // namespace gputlm
