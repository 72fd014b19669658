// Copies that are passed over at the pace of those before them (models/copy_engine/fast_forward.h).

#include <numeric>

#include "tests/unit/copy_engine/copy_harness.h"

namespace gputlm::test {
namespace {

TEST(CopyEngine, ACopyTakesTheTimeOfOnesBeforeItThatBeganAlikeWithoutAnyPackets) {
  for (const CopyKind kind :
       {CopyKind::kHostToDevice, CopyKind::kDeviceToHost, CopyKind::kDeviceToDevice, CopyKind::kMemset}) {
    for (const unsigned sms : {0, 2}) {
      SCOPED_TRACE(testing::Message() << to_string(kind) << " " << sms);
      CopyEngineConfig config = two_packets_on_an_sm();
      config.sample = 131072;
      config.packets = 8;
      CopyHarness engine(config, true, sms ? std::vector<unsigned>{3, 1} : std::vector<unsigned>{});
      engine.core.only_copies_move();
      std::vector<const Copy*> copies;
      const std::vector<Bytes> sizes{1000, 1000, 900, 30000, 15000, 4, 80000, 1000000, 40000, 1000000};
      for (const Bytes bytes : sizes) copies.push_back(&engine.copy(kind, bytes, copies.size() * 100000));
      EXPECT_TRUE(engine.run(4000000));
      std::vector<Cycle> cycles;
      for (const Copy* copy : copies) cycles.push_back(copy->ended - copy->started);
      EXPECT_EQ(cycles[1], cycles[0]);
      EXPECT_EQ(cycles[2], cycles[0]) << "in whole packets";
      EXPECT_EQ(cycles[9], cycles[7]);
      const CopyEngineStatistics s = engine.core.statistics();
      const Bytes moved = s.device_written + s.host_written,
                  all = std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
      EXPECT_EQ(moved + s.passed_over, all);
      EXPECT_LE(moved, config.sample * 5 / 4) << "and what was under way before a copy flowed";
      for (const std::size_t i : {4, 6, 7, 8}) {
        CopyHarness alone(config, true, sms ? std::vector<unsigned>{3, 1} : std::vector<unsigned>{});
        const Copy& copy = alone.copy(kind, sizes[i]);
        EXPECT_TRUE(alone.run(2000000));
        const auto exact = static_cast<double>(copy.ended - copy.started);
        EXPECT_NEAR(static_cast<double>(cycles[i]), exact, 0.02 * exact + kPacket) << sizes[i];
      }
    }
  }
}

// Copies of all kinds, sizes and engines that begin and end beside each other.
TEST(CopyEngine, CopiesThatLearnTakeAsLongBesideEachOther) {
  Bytes passed_over = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto run = [&](bool learn) {
      std::mt19937_64 random(seed);
      CopyEngineConfig config;
      config.engines = static_cast<unsigned>(1 + random() % 3);
      config.packets = static_cast<unsigned>(4 + random() % 20);
      config.sample = Bytes{65536} << random() % 3;
      config.sm_bytes = 256 * (1 + random() % 3);
      config.learn = learn;
      const std::vector<unsigned> sms(random() % 3, 2);
      CopyHarness engine(config, true, sms);
      engine.core.only_copies_move();
      std::vector<const Copy*> copies{&engine.copy(CopyKind::kDeviceToDevice, config.sample / 2)};  // fills the caches
      Cycle at = 0;
      Bytes all = config.sample / 2;
      for (int i = 0; i < 16; ++i) {
        const Bytes bytes = 1 + random() % (random() % 3 == 0 ? 300000 : 5000);
        copies.push_back(&engine.copy(static_cast<CopyKind>(random() % 4), bytes, at += random() % 30000));
        all += bytes;
      }
      EXPECT_TRUE(engine.run());
      const CopyEngineStatistics s = engine.core.statistics();
      EXPECT_EQ(s.copies, copies.size());
      EXPECT_EQ(s.device_written + s.host_written + s.passed_over, all);
      EXPECT_TRUE(learn || s.passed_over == 0);
      passed_over += s.passed_over;
      std::vector<std::pair<double, double>> times;
      for (const Copy* copy : copies) {
        times.emplace_back(static_cast<double>(copy->started), static_cast<double>(copy->ended));
      }
      return times;
    };
    const auto exact = run(false), learnt = run(true);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      // A packet's latency for each one that has come, or gone, beside it; and the rate is that of some bursts of packets.
      double others = 0;
      for (std::size_t k = 0; k < exact.size(); ++k) {
        for (const auto& times : {exact, learnt}) {
          others += k != i && times[k].first <= times[i].second && times[i].first <= times[k].second ? 1 : 0;
        }
      }
      const double cycles = exact[i].second - exact[i].first;
      EXPECT_NEAR(learnt[i].second - learnt[i].first, cycles, 0.05 * cycles + kPacket * (1 + others))
          << "seed " << seed << " copy " << i;
    }
  }
  EXPECT_GT(passed_over, 0);
}

}  // namespace
}  // namespace gputlm::test
