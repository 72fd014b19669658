#include "models/host/ready_streams.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

namespace gputlm {
namespace {

TEST(ReadyStreams, GoByLaunchesThenPriorityThenNumber) {
  ReadyStreams ready(1);
  for (const ReadyStream& stream : {ReadyStream{1, -5, 0}, {0, 0, 3}, {0, 0, 2}, {0, -1, 4}}) ready.add(0, stream);
  for (const StreamId expected : {4, 2, 3, 0}) {
    ASSERT_EQ(ready.next(), expected);
    ready.take();
  }
  EXPECT_EQ(ready.next(), std::nullopt);
}

/// Streams come, go, and come again, applications shut and open: the next is always the least of all that may go.
TEST(ReadyStreams, AreWhatTheLeastOfAllIs) {
  using Key = std::tuple<std::uint32_t, int, StreamId>;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t applications = 1 + random() % 4;
    ReadyStreams ready(applications);
    std::map<Key, ApplicationId> all;
    std::vector<bool> shut(applications);
    for (int step = 0; step < 200; ++step) {
      const auto a = static_cast<ApplicationId>(random() % applications);
      const auto number = static_cast<StreamId>(random() % 8 * applications + a);
      const Key key{random() % 2, -static_cast<int>(number % 3), number};
      switch (random() % 3) {
        case 0:
          if (all.count({0, std::get<1>(key), number}) + all.count({1, std::get<1>(key), number}) > 0) break;
          all[key] = a;
          ready.add(a, {std::get<0>(key), std::get<1>(key), number});
          break;
        case 1:
          shut[a] = random() % 2 > 0;
          ready.shut(a, shut[a]);
          break;
        default:
          if (const auto next = ready.next()) {
            ready.take();
            for (auto it = all.begin(); it != all.end(); ++it) {
              if (std::get<2>(it->first) != *next) continue;
              all.erase(it);
              break;
            }
          }
      }
      std::optional<StreamId> least;
      for (const auto& [stream, application] : all) {
        if (!least && !shut[application]) least = std::get<2>(stream);
      }
      ASSERT_EQ(ready.next(), least) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace gputlm
