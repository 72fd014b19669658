#include "models/noc/output_queue.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace gputlm {
namespace {

/// What an OutputQueue is, in the plainest way.
class Model {
 public:
  explicit Model(unsigned inputs) : queues_(inputs) {}
  void push(unsigned input, Cycle at, Access& access) { queues_[input].push_back({at, &access}); }
  std::size_t size() const {
    std::size_t size = 0;
    for (const auto& queue : queues_) size += queue.size();
    return size;
  }
  Cycle next() const {
    Cycle next = kNever;
    for (const auto& queue : queues_) next = queue.empty() ? next : std::min(next, queue.front().at);
    return next;
  }
  unsigned choose(Cycle now) const {
    for (unsigned i = 0; i < queues_.size(); ++i) {
      const auto input = static_cast<unsigned>((turn_ + i) % queues_.size());
      if (!queues_[input].empty() && queues_[input].front().at <= now) return input;
    }
    return ~0u;
  }
  OutputQueue::Arrival pop(unsigned input) {
    const OutputQueue::Arrival arrival = queues_[input].front();
    queues_[input].pop_front();
    turn_ = input + 1;
    return arrival;
  }

 private:
  std::vector<std::deque<OutputQueue::Arrival>> queues_;
  unsigned turn_ = 0;
};

template <unsigned words>
void run_beside_the_model(unsigned inputs, unsigned seed) {
  OutputQueue queue(inputs);
  Model model(inputs);
  std::mt19937 random(seed);
  std::vector<Cycle> last(inputs, 0);
  std::deque<Access> packets;
  Cycle now = 0;
  for (int step = 0; step < 3000; ++step) {
    if (const unsigned input = random() % inputs; random() % 8 < (step / 200 % 2 ? 3u : 5u)) {
      last[input] = std::max(last[input], now + random() % 30);
      Access& access = packets.emplace_back();
      queue.push(input, last[input], access);
      model.push(input, last[input], access);
    } else if (model.size() > 0) {
      ASSERT_EQ(std::max(now, queue.next<words>()), std::max(now, model.next()));
      now = std::max(now, model.next()) + random() % 3;
      const unsigned chosen = queue.choose<words>(now);
      ASSERT_EQ(chosen, model.choose(now)) << "step " << step;
      const auto popped = queue.pop<words>(chosen, now), expected = model.pop(chosen);
      ASSERT_EQ(popped.access, expected.access);
      ASSERT_EQ(popped.at, expected.at);
    }
    ASSERT_EQ(queue.size(), model.size());
    ASSERT_EQ(queue.empty<words>(), model.size() == 0);
  }
}

TEST(OutputQueue, GivesWhatThePlainestModelGives) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const unsigned inputs : {1u, 2u, 6u, 63u, 64u}) run_beside_the_model<1>(inputs, seed);
  }
}

TEST(OutputQueue, NeedsNoSearchForOneInput) {
  for (unsigned seed = 0; seed < 20; ++seed) run_beside_the_model<0>(1, seed);
}

TEST(OutputQueue, GivesTheSameWithMoreInputsThanAWordHasBits) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    for (const unsigned inputs : {3u, 65u, 160u, OutputQueue::kMostInputs}) run_beside_the_model<4>(inputs, seed);
  }
}

TEST(OutputQueue, HasNothingToTakeBeforeTheFirstPacketArrives) {
  OutputQueue queue(3);
  Access access;
  EXPECT_EQ(queue.next<1>(), kNever);
  queue.push(2, 30, access);
  queue.push(0, 40, access);
  EXPECT_EQ(queue.next<1>(), 30u);
  EXPECT_EQ(queue.choose<1>(30), 2u);
  EXPECT_EQ(queue.next<1>(), 0u);  // one is there
  queue.pop<1>(2, 30);
  EXPECT_EQ(queue.next<1>(), 40u);
}

}  // namespace
}  // namespace gputlm
