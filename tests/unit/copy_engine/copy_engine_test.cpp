// Copy engines between a host and two memories that answer after a fixed time.

#include "models/copy_engine/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "tests/unit/copy_engine/copy_harness.h"

namespace gputlm::test {
namespace {

/// Every byte of [from, from + bytes), once.
std::map<Address, unsigned> once(Address from, Bytes bytes) {
  std::map<Address, unsigned> all;
  for (Address a = from; a < from + bytes; ++a) all[a] = 1;
  return all;
}

void moves_every_byte_once(const CopyEngineConfig& config, const std::vector<unsigned>& sms) {
  for (const Bytes bytes : {1u, 31u, 128u, 255u, 4096u, 10001u}) {
    for (const Address shift : {0u, 1u, 96u, 127u}) {
      for (const CopyKind kind :
           {CopyKind::kHostToDevice, CopyKind::kDeviceToHost, CopyKind::kDeviceToDevice, CopyKind::kMemset}) {
        CopyHarness engine(config, true, sms);
        const Address from = 0x10000 + shift, to = 0x80000000 + 3 * shift;
        engine.copy(kind, bytes, 0, from, to);
        ASSERT_TRUE(engine.run());
        const bool host_to = kind == CopyKind::kHostToDevice, to_host = kind == CopyKind::kDeviceToHost;
        EXPECT_EQ(engine.host_read, once(from, host_to ? bytes : 0));
        EXPECT_EQ(engine.host_written, once(to, to_host ? bytes : 0));
        EXPECT_EQ(engine.device_read, once(from, host_to || kind == CopyKind::kMemset ? 0 : bytes));
        EXPECT_EQ(engine.device_written, once(to, to_host ? 0 : bytes));
        const CopyEngineStatistics& s = engine.core.statistics();
        EXPECT_EQ(s.host_read + s.device_read, kind == CopyKind::kMemset ? 0 : bytes);
        EXPECT_EQ(s.host_written + s.device_written, bytes);
        const bool by_sms = !sms.empty() && !host_to && !to_host;
        EXPECT_EQ(s.by_sms, by_sms);
        EXPECT_EQ(std::accumulate(engine.packets_of_sms.begin(), engine.packets_of_sms.end(), std::size_t{0}) > 0,
                  by_sms);
      }
    }
  }
}

TEST(CopyEngine, MovesEveryByteOnceWhateverItsKindAndAlignment) { moves_every_byte_once({}, {}); }

TEST(CopiesBySms, MoveEveryByteOnceWhateverTheirKindAndAlignment) {
  moves_every_byte_once(two_packets_on_an_sm(), {2, 1});
}

TEST(CopiesBySms, HaveSoManyBytesUnderWayOnEachSm) {
  const auto cycles = [](const std::vector<unsigned>& sms, CopyKind kind) {
    CopyHarness engine(two_packets_on_an_sm(), true, sms);
    const Copy& copy = engine.copy(kind, 256 * 120);
    EXPECT_TRUE(engine.run());
    return static_cast<double>(copy.ended - copy.started);
  };
  // The links are wide; so each packet takes a round trip to read it, and one to write it.
  constexpr double kTrip = 2 * kHop + kMemory;
  for (const auto& [sms, together] :
       {std::pair{std::vector{1u}, 2.}, std::pair{std::vector{2u, 1u}, 6.}, std::pair{std::vector{3u, 3u, 4u}, 20.}}) {
    EXPECT_NEAR(cycles(sms, CopyKind::kDeviceToDevice), 700 + 120 / together * 2 * kTrip, 120 / together * 8);
    EXPECT_NEAR(cycles(sms, CopyKind::kMemset), 700 + 120 / together * kTrip, 120 / together * 8);
  }
}

TEST(CopiesBySms, GiveEachGpcAPartInProportionToItsSms) {
  CopyHarness engine(two_packets_on_an_sm(), true, {4, 1, 3});
  engine.copy(CopyKind::kDeviceToDevice, 256 * 800);
  ASSERT_TRUE(engine.run());
  for (const auto& [gpc, sms] : {std::pair{0, 4}, std::pair{1, 1}, std::pair{2, 3}}) {
    EXPECT_NEAR(engine.packets_of_sms[gpc], 4 * 800 * sms / 8, 60);  // two lines are read and written
  }
}

TEST(CopiesBySms, GoOneAfterTheOtherApartFromThoseThatWaitForEngines) {
  CopyHarness engine(two_packets_on_an_sm(), true, {2});
  const Copy& in = engine.copy(CopyKind::kHostToDevice, 100000);
  const Copy& within = engine.copy(CopyKind::kDeviceToDevice, 100000, 1);
  const Copy& clear = engine.copy(CopyKind::kMemset, 256, 2);
  const Copy& out = engine.copy(CopyKind::kDeviceToHost, 256, 3);
  ASSERT_TRUE(engine.run());
  EXPECT_EQ(in.started, 0u);
  EXPECT_EQ(within.started, 1u);
  EXPECT_EQ(within.engine, 1) << "behind the engines";
  EXPECT_EQ(clear.started, within.ended);
  EXPECT_EQ(out.started, in.ended);
  EXPECT_EQ(out.engine, 0);
  EXPECT_EQ(clear.arrived, 2u);
  EXPECT_EQ(engine.core.statistics().by_sms, 2u);
}

TEST(CopyEngine, WithoutALinkTheMemoryOfTheHostIsThatOfTheGpu) {
  CopyHarness engine({}, false);
  engine.copy(CopyKind::kHostToDevice, 1000);
  ASSERT_TRUE(engine.run());
  EXPECT_EQ(engine.device_read, once(0x10000, 1000));
  EXPECT_EQ(engine.device_written, once(0x80000000, 1000));
}

TEST(CopyEngine, OfSeveralClientsTheOneWhoseCopyCameFirstGoesFirstAndHearsOfItsEnd) {
  const MemoryMap map(MemoryMapConfig{}, 4);
  for (const Cycle second : {4, 5, 6}) {  // the second client's copy comes then, the first one's at 5
    PlainItems<Access> accesses;
    CopyEngineCore core({}, {16, {7, {40, 8}, kNetwork, map}, std::nullopt, 2}, accesses);
    Copy copies[2];
    for (Copy& copy : copies) {
      copy.kind = CopyKind::kMemset;
      copy.bytes = kLineBytes;
    }
    core.copies(0).push(5, copies[0]);
    core.copies(1).push(second, copies[1]);
    core.advance(2000);
    const unsigned first = second < 5 ? 1 : 0;
    EXPECT_EQ(copies[first].started, std::min<Cycle>(second, 5));
    EXPECT_EQ(copies[1 - first].started, 0u) << "the engine is busy";
    ASSERT_EQ(core.device_requests().departures().size(), 1u);
    core.device_replies().push(2100, *core.device_requests().departures()[0].item);
    core.advance(2200);
    ASSERT_EQ(core.completions(first).departures().size(), 1u);
    EXPECT_EQ(core.completions(first).departures()[0].item, &copies[first]);
    EXPECT_TRUE(core.completions(1 - first).departures().empty());
    EXPECT_EQ(copies[1 - first].started, 2100u);
  }
}

TEST(CopyEngine, ACopyLeavesTheQueueWhenAnEngineTakesItInOrderOfArrival) {
  CopyHarness engine({});
  const Copy& first = engine.copy(CopyKind::kHostToDevice, 100000);
  const Copy& second = engine.copy(CopyKind::kDeviceToHost, 256, 1);
  const Copy& third = engine.copy(CopyKind::kMemset, 256, 2);
  ASSERT_TRUE(engine.run());
  EXPECT_EQ(first.started, 0u);
  EXPECT_EQ(second.arrived, 1u);
  EXPECT_EQ(second.started, first.ended);
  EXPECT_EQ(third.started, second.ended);
  EXPECT_THAT(engine.ended, testing::ElementsAre(0, 1, 2));
}

TEST(CopyEngine, AsManyCopiesRunAtOnceAsThereAreEngines) {
  CopyEngineConfig config;
  config.engines = 2;
  CopyHarness engine(config);
  const Copy& first = engine.copy(CopyKind::kHostToDevice, 100000);
  const Copy& second = engine.copy(CopyKind::kDeviceToHost, 256, 1);
  const Copy& third = engine.copy(CopyKind::kMemset, 256, 2);
  ASSERT_TRUE(engine.run());
  EXPECT_EQ(second.started, 1u);
  EXPECT_EQ(second.engine, 1);
  EXPECT_EQ(third.started, second.ended);
  EXPECT_EQ(third.engine, 1);
  EXPECT_GT(first.ended, third.ended);
}

TEST(CopyEngine, EnginesTakeTurnsWherePacketsAreScarce) {
  CopyEngineConfig config;
  config.engines = 4;
  config.packets = 1;
  CopyHarness engine(config);
  std::vector<const Copy*> copies;
  for (int i = 0; i < 4; ++i) copies.push_back(&engine.copy(CopyKind::kDeviceToDevice, 256 * 100));
  ASSERT_TRUE(engine.run());
  // The last packets are one round.
  const Cycle packet = (copies[3]->ended - copies[0]->ended) / 3;
  EXPECT_LT(packet, copies[0]->ended / 300);
}

TEST(CopyEngine, TakesItsTimeForSetupAndForEachPacket) {
  CopyEngineConfig config;
  config.setup = 1000;
  config.bytes_per_cycle = 4;
  config.pageable_bytes_per_cycle = 2;
  const auto cycles = [&](bool pageable, CopyKind kind, bool staged = false) {
    CopyHarness engine(config);
    Copy& copy = engine.copy(kind, 256 * 100);
    copy.pageable = pageable;
    copy.staged = staged;
    EXPECT_TRUE(engine.run());
    return copy.ended - copy.started;
  };
  // The last packet begins after all others; then it is read and written: two lines, the second after the four flits
  // of the first.
  const Cycle last = 2 * (2 * kHop + kMemory) + 4;
  EXPECT_EQ(cycles(false, CopyKind::kHostToDevice), 1000 + 99 * 64 + last);
  EXPECT_EQ(cycles(true, CopyKind::kHostToDevice), 1000 + 99 * 128 + last);
  EXPECT_EQ(cycles(true, CopyKind::kDeviceToDevice), cycles(false, CopyKind::kDeviceToDevice));
  config.staging = 256 * 100;
  EXPECT_EQ(cycles(true, CopyKind::kHostToDevice, true), cycles(false, CopyKind::kHostToDevice)) << "all in the buffer";
  config.staging = 256 * 100 - 1;
  EXPECT_EQ(cycles(true, CopyKind::kHostToDevice, true), cycles(true, CopyKind::kHostToDevice)) << "part by part";
}

TEST(CopyEngine, PassesOverTheMiddleOfALargeCopyThatIsAloneInTheTimeThatItWouldTake) {
  for (const auto& [kind, sms] :
       {std::pair{CopyKind::kHostToDevice, 0}, std::pair{CopyKind::kDeviceToDevice, 0}, std::pair{CopyKind::kMemset, 0},
        std::pair{CopyKind::kDeviceToDevice, 4}, std::pair{CopyKind::kMemset, 4}}) {
    CopyEngineConfig config = two_packets_on_an_sm();
    config.detail = 65536;
    config.packets = 8;  // few of them, so that the engine soon gets into its stride
    const auto cycles = [&config, kind = kind, sms = sms](Bytes bytes, bool undisturbed, Bytes passed_over) {
      CopyHarness engine(config, true, sms ? std::vector<unsigned>{3, 1} : std::vector<unsigned>{});
      Copy& copy = engine.copy(kind, bytes);
      copy.undisturbed = undisturbed;
      EXPECT_TRUE(engine.run());
      EXPECT_EQ(engine.core.statistics().passed_over, passed_over);
      EXPECT_EQ(engine.core.statistics().host_written + engine.core.statistics().device_written, bytes - passed_over);
      return static_cast<double>(copy.ended - copy.started);
    };
    constexpr Bytes kSmall = 2 * 65536, kLarge = 1000003;
    EXPECT_EQ(cycles(kSmall, true, 0), cycles(kSmall, false, 0));
    const double whole = cycles(kLarge, false, 0);
    EXPECT_NEAR(cycles(kLarge, true, (kLarge - kSmall) / 256 * 256), whole, 0.03 * whole);
  }
}

TEST(CopyEngine, DoesTheSameForEveryWindow) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto times = [&](const std::function<Cycle()>& window) {
      std::mt19937_64 random(seed);
      CopyEngineConfig config;
      config.engines = static_cast<unsigned>(1 + random() % 3);
      config.packets = static_cast<unsigned>(1 + random() % 20);
      config.sm_bytes = 256 * (1 + random() % 3);
      const std::vector<unsigned> sms(random() % 3, 2);
      CopyHarness engine(config, true, sms);
      if (seed % 2 == 0) engine.core.only_copies_move();
      std::vector<const Copy*> copies;
      Cycle at = 0;
      for (int i = 0; i < 8; ++i) {
        copies.push_back(&engine.copy(static_cast<CopyKind>(random() % 4), 1 + random() % 3000, at += random() % 2000));
      }
      EXPECT_TRUE(engine.run(window));
      std::vector<Cycle> all;
      for (const Copy* copy : copies) all.insert(all.end(), {copy->started, copy->ended});
      return all;
    };
    const std::vector<Cycle> widest = times([] { return kHop; });
    ASSERT_EQ(times([] { return Cycle{1}; }), widest) << "seed " << seed;
    ASSERT_EQ(times([] { return Cycle{4}; }), widest) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gputlm::test
