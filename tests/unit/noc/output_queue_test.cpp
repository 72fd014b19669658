#include "models/noc/output_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <random>
#include <vector>

namespace gputlm {
namespace {

/// What an OutputQueue is, in the plainest way.
class Model {
 public:
  explicit Model(unsigned inputs) : queues_(inputs) {}
  void push(Packet& packet) { queues_[packet.input].push_back(&packet); }
  void passed(const Packet& packet) { turn_ = packet.input + 1u; }
  Packet* pop() {
    for (unsigned i = 0; i < queues_.size(); ++i) {
      auto& queue = queues_[(turn_ + i) % queues_.size()];
      if (queue.empty()) continue;
      Packet* const packet = queue.front();
      queue.pop_front();
      passed(*packet);
      return packet;
    }
    return nullptr;
  }

 private:
  std::vector<std::deque<Packet*>> queues_;
  unsigned turn_ = 0;
};

template <OutputChoice choice>
void run_beside_the_model(unsigned inputs, unsigned seed) {
  constexpr bool kAsks = choice == OutputChoice::kByPolicy;
  OutputQueue queue(inputs);
  if (kAsks) queue.ask(flit_arbiters().at(kRoundRobin).make({inputs}), inputs);
  Access access;
  Model model(inputs);
  std::mt19937 random(seed);
  std::deque<Packet> packets;
  std::size_t size = 0;
  for (int step = 0; step < 3000; ++step) {
    if (random() % 8 < (step / 200 % 2 ? 3u : 5u)) {
      Packet& packet = packets.emplace_back();
      packet.access = &access;
      packet.input = static_cast<std::uint16_t>(random() % inputs);
      if (!kAsks && size == 0 && random() % 2) {
        queue.passed(packet);
        model.passed(packet);
      } else {
        queue.push<choice>(packet);
        model.push(packet);
        ++size;
      }
    } else if (size > 0) {
      ASSERT_EQ(&queue.pop<choice>(0), model.pop()) << inputs << " inputs, step " << step;
      --size;
    }
    ASSERT_EQ(queue.empty(), size == 0);
  }
}

TEST(OutputQueue, GivesWhatThePlainestModelGives) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const unsigned inputs : {1u, 2u, 6u, 63u, 64u}) run_beside_the_model<OutputChoice::kFewTurn>(inputs, seed);
  }
}

TEST(OutputQueue, GivesTheSameWithMoreInputsThanAWordHasBits) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const unsigned inputs : {3u, 65u, 160u, OutputQueue::kMaxInputs})
      run_beside_the_model<OutputChoice::kTurn>(inputs, seed);
  }
}

TEST(OutputQueue, GivesTheSameWhenItAsksForTheTurn) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const unsigned inputs : {1u, 6u, 64u, 160u}) run_beside_the_model<OutputChoice::kByPolicy>(inputs, seed);
  }
}

/// Networks at half the SMs' clock: what was issued in cycles 100 and 160 there is 50 and 20 cycles old in cycle 100.
TEST(OutputQueue, TellsThePolicyWhenAnAccessWasIssuedInCyclesOfTheNetworks) {
  for (const Cycle first_issued : {100u, 160u}) {
    OutputQueue queue(2);
    queue.ask(flit_arbiters().at("oldest").make({2}), 2, ClockChange{Clock(500), Clock(1000)});
    std::array<Access, 2> accesses;
    std::array<Packet, 2> packets;
    for (unsigned input = 0; input < 2; ++input) {
      accesses[input].issued = input == 0 ? first_issued : 260 - first_issued;
      packets[input].access = &accesses[input];
      packets[input].input = static_cast<std::uint16_t>(input);
      queue.push<OutputChoice::kByPolicy>(packets[input]);
    }
    EXPECT_EQ(queue.pop<OutputChoice::kByPolicy>(100).input, first_issued == 100 ? 0 : 1) << first_issued;
  }
}

}  // namespace
}  // namespace gputlm
