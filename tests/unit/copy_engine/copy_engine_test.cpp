// Copy engines between a host and two memories that answer after a fixed time.

#include "models/copy_engine/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>

#include "models/host_link/core.h"
#include "models/host_memory/core.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {
namespace {

constexpr Cycle kHop = 20;
constexpr Cycle kMemory = 100;
constexpr Cycle kPacket = 2 * (2 * kHop + kMemory);  ///< latency of a packet: read, then written
const Clock kClock(1000000);

/// What leaves an outbox comes back, or goes on, a hop later.
void carry(Outbox<Access>& from, std::deque<std::pair<Cycle, Access*>>& to, Cycle after) {
  for (const auto& departure : from.departures())
    to.emplace_back(departure.slot / from.width() + after, departure.item);
  from.departures().clear();
}
void deliver(std::deque<std::pair<Cycle, Access*>>& from, Inbox<Access>& to, Cycle until) {
  for (; !from.empty() && from.front().first < until; from.pop_front())
    to.push(from.front().first, *from.front().second);
}
template <class Receiver, class Sender>
void give_back(Receiver& receiver, Sender& sender) {
  std::sort(receiver.freed_slots().begin(), receiver.freed_slots().end());
  for (const Cycle at : receiver.freed_slots()) sender.credit(at + kHop, 1);
  receiver.freed_slots().clear();
}

const Link kNetwork{1, {1, 1, 64}, {1, 1, 64}};
const Link kWide{1, {1, 16, 1024}, {1, 16, 1024}};  ///< of the SMs of a GPC
constexpr std::uint16_t kPlace = 7, kPlaceOfSms = 100;

class CopyHarness {
 public:
  /// `sms`: that make copies, of each GPC.
  explicit CopyHarness(const CopyEngineConfig& config, bool linked = true, const std::vector<unsigned>& sms = {})
      : map_(MemoryMapConfig{}, 4), of_sms_(sms.size()), core(config, around(linked, sms), accesses_),
        packets_of_sms(sms.size()) {}

  Copy& copy(CopyKind kind, Bytes bytes, Cycle at = 0, Address from = 0x10000, Address to = 0x80000000) {
    Copy& copy = *copies_.emplace_back(std::make_unique<Copy>());
    copy.kind = kind;
    copy.bytes = bytes;
    copy.from = from;
    copy.to = to;
    copy.command = static_cast<std::uint32_t>(copies_.size() - 1);
    wanted_.emplace_back(at, &copy);
    return copy;
  }
  bool run(const std::function<Cycle()>& window, Cycle limit = 1000000) {
    for (Cycle now = 0; now < limit;) {
      const Cycle until = now + window();
      for (; !wanted_.empty() && wanted_.front().first < until; wanted_.pop_front())
        core.copies().push(wanted_.front().first, *wanted_.front().second);
      deliver(device_, core.device_replies(), until);
      deliver(host_, core.host_replies(), until);
      for (std::size_t g = 0; g < of_sms_.size(); ++g) deliver(of_sms_[g], core.sm_replies(g), until);
      core.advance(until);
      look(core.device_requests(), kPlace);
      for (std::size_t g = 0; g < of_sms_.size(); ++g) {
        look(core.sm_requests(g), static_cast<std::uint16_t>(kPlaceOfSms + g));
        packets_of_sms[g] += core.sm_requests(g).departures().size();
        carry(core.sm_requests(g), of_sms_[g], 2 * kHop + kMemory);
        give_back(core.sm_replies(g), core.sm_requests(g));
      }
      for (const auto& departure : core.host_requests().departures())
        seen(departure.item->write ? host_written : host_read, *departure.item);
      carry(core.device_requests(), device_, 2 * kHop + kMemory);
      carry(core.host_requests(), host_, 2 * kHop + kMemory);
      give_back(core.device_replies(), core.device_requests());
      give_back(core.host_replies(), core.host_requests());
      for (const auto& departure : core.completions().departures()) {
        ended.push_back(departure.item->command);
        core.completions().credit(departure.slot + 2 * kHop, 1);
      }
      core.completions().departures().clear();
      core.copies().freed_slots().clear();
      now = until;
      if (ended.size() == copies_.size()) return accesses_.in_use() == 0;
    }
    return false;
  }
  bool run(Cycle limit = 1000000) {
    return run([] { return kHop; }, limit);
  }

 private:
  CopyEngineCore::Surroundings around(bool linked, const std::vector<unsigned>& sms) const {
    CopyEngineCore::Surroundings all{16, {kPlace, {40, 8}, kNetwork, map_}, linked ? std::optional(64u) : std::nullopt};
    for (const unsigned count : sms) {
      const auto place = static_cast<std::uint16_t>(kPlaceOfSms + all.sms.size());
      all.sms.push_back({{place, {40, 8}, kWide, map_}, count});
    }
    return all;
  }
  void look(Outbox<Access>& requests, std::uint16_t source) {
    for (const auto& departure : requests.departures()) {
      const Access& access = *departure.item;
      EXPECT_EQ(access.address / kLineBytes, (access.address + access.bytes - 1) / kLineBytes) << "leaves its line";
      EXPECT_EQ(access.source, source);
      seen(access.write ? device_written : device_read, access);
    }
  }
  static void seen(std::map<Address, unsigned>& bytes, const Access& access) {
    for (Address a = access.address; a < access.address + access.bytes; ++a) ++bytes[a];
  }

  MemoryMap map_;
  PlainItems<Access> accesses_;
  std::vector<std::unique_ptr<Copy>> copies_;
  std::deque<std::pair<Cycle, Copy*>> wanted_;
  std::deque<std::pair<Cycle, Access*>> device_, host_;
  std::vector<std::deque<std::pair<Cycle, Access*>>> of_sms_;

 public:
  CopyEngineCore core;
  std::vector<std::size_t> packets_of_sms;  ///< accesses, by GPC
  std::vector<std::uint32_t> ended;
  std::map<Address, unsigned> device_read, device_written, host_read, host_written;  ///< how often each byte was
};

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

/// Of the default packet of 256 bytes two are under way on an SM.
CopyEngineConfig two_packets_on_an_sm() {
  CopyEngineConfig config;
  config.sm_bytes = 512;
  config.sm_setup = 700;
  return config;
}

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
  const auto cycles = [&](bool pageable, CopyKind kind) {
    CopyHarness engine(config);
    Copy& copy = engine.copy(kind, 256 * 100);
    copy.pageable = pageable;
    EXPECT_TRUE(engine.run());
    return copy.ended - copy.started;
  };
  // The last packet begins after all others; then it is read and written: two lines, the second after the four flits
  // of the first.
  const Cycle last = 2 * (2 * kHop + kMemory) + 4;
  EXPECT_EQ(cycles(false, CopyKind::kHostToDevice), 1000 + 99 * 64 + last);
  EXPECT_EQ(cycles(true, CopyKind::kHostToDevice), 1000 + 99 * 128 + last);
  EXPECT_EQ(cycles(true, CopyKind::kDeviceToDevice), cycles(false, CopyKind::kDeviceToDevice));
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

TEST(CopyEngine, ACopyTakesTheTimeOfOnesBeforeItThatWereAloneWithoutAnyPackets) {
  for (const CopyKind kind :
       {CopyKind::kHostToDevice, CopyKind::kDeviceToHost, CopyKind::kDeviceToDevice, CopyKind::kMemset}) {
    for (const unsigned sms : {0, 2}) {
      SCOPED_TRACE(testing::Message() << to_string(kind) << " " << sms);
      CopyEngineConfig config = two_packets_on_an_sm();
      config.detail = 65536;
      config.packets = 8;
      CopyHarness engine(config, true, sms ? std::vector<unsigned>{3, 1} : std::vector<unsigned>{});
      engine.core.only_copies_move();
      engine.copy(CopyKind::kDeviceToDevice, config.detail / 2);  // fills the caches
      std::vector<const Copy*> copies;
      const std::vector<Bytes> sizes{1000, 1000, 900, 30000, 15000, 4, 80000, 1000000, 40000};
      for (const Bytes bytes : sizes) copies.push_back(&engine.copy(kind, bytes, (copies.size() + 1) * 100000));
      EXPECT_TRUE(engine.run(4000000));
      std::vector<Cycle> cycles;
      for (const Copy* copy : copies) cycles.push_back(copy->ended - copy->started);
      EXPECT_EQ(cycles[1], cycles[0]);
      EXPECT_EQ(cycles[2], cycles[0]) << "in whole packets";
      // The 1000 bytes are moved once, of the 30000 all, of the 80000 the first 65536; and what was under way then.
      const CopyEngineStatistics s = engine.core.statistics();
      const Bytes moved = s.device_written + s.host_written - config.detail / 2,
                  all = std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
      EXPECT_EQ(moved + s.passed_over, all);
      EXPECT_GE(moved, 1000 + 30000 + 65536);
      EXPECT_LE(moved, 1000 + 30000 + 65536 + 8 * 256);
      for (const std::size_t i : {4, 6, 7, 8}) {
        CopyHarness alone(config, true, sms ? std::vector<unsigned>{3, 1} : std::vector<unsigned>{});
        const Copy& copy = alone.copy(kind, sizes[i]);
        EXPECT_TRUE(alone.run(2000000));
        const auto exact = static_cast<double>(copy.ended - copy.started);
        EXPECT_NEAR(static_cast<double>(cycles[i]), exact, 0.01 * exact + kPacket) << sizes[i];
      }
    }
  }
}

// Copies that come beside others: each is moved in packets while it is not alone, from where it has come to.
TEST(CopyEngine, CopiesThatLearnTakeAsLongBesideEachOther) {
  Bytes passed_over = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto run = [&](bool learn) {
      std::mt19937_64 random(seed);
      CopyEngineConfig config;
      config.engines = static_cast<unsigned>(1 + random() % 3);
      config.packets = static_cast<unsigned>(4 + random() % 20);
      config.detail = Bytes{32768} << random() % 3;
      config.sm_bytes = 256 * (1 + random() % 3);
      config.learn = learn;
      const std::vector<unsigned> sms(random() % 3, 2);
      CopyHarness engine(config, true, sms);
      engine.core.only_copies_move();
      std::vector<const Copy*> copies{&engine.copy(CopyKind::kDeviceToDevice, config.detail / 2)};  // fills the caches
      Cycle at = 0;
      Bytes all = config.detail / 2;
      for (int i = 0; i < 16; ++i) {
        const Bytes bytes = 1 + random() % (random() % 3 == 0 ? 300000 : 5000);
        copies.push_back(&engine.copy(static_cast<CopyKind>(random() % 4), bytes, at += random() % 30000));
        all += bytes;
      }
      EXPECT_TRUE(engine.run());
      const CopyEngineStatistics s = engine.core.statistics();
      EXPECT_EQ(s.copies, copies.size());
      EXPECT_EQ(s.device_written + s.host_written + s.passed_over, all);
      if (!learn) EXPECT_EQ(s.passed_over, 0);
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

/// A link with a memory at its end.
class LinkHarness {
 public:
  LinkHarness(const HostLinkConfig& config, const HostMemoryConfig& memory_config)
      : link(config, kClock), memory(memory_config, kClock, config.queue) {}
  void run(Cycle end) {
    for (Cycle until = kHop; until <= end; until += kHop) {
      while (!wanted.empty() && link.requests_in().size() < 60) {
        link.requests_in().push(at_, *wanted.front());
        wanted.pop_front();
        ++at_;
      }
      deliver(to_memory_, memory.requests(), until);
      deliver(to_link_, link.responses_in(), until);
      link.advance(until);
      memory.advance(until);
      carry(link.requests_out(), to_memory_, kHop);
      carry(memory.responses(), to_link_, kHop);
      give_back(memory.requests(), link.requests_out());
      give_back(link.responses_in(), memory.responses());
      for (const auto& departure : link.responses_out().departures()) {
        answered.push_back(departure.slot);
        link.responses_out().credit(departure.slot + kHop, 1);
      }
      link.responses_out().departures().clear();
      for (const Cycle at : link.requests_in().freed_slots()) {
        EXPECT_GE(at, until - kHop) << "room is given back in a window that is over";
        EXPECT_LT(at, until);
      }
      link.requests_in().freed_slots().clear();
      at_ = until;
    }
  }
  void access(bool write, std::uint16_t bytes) {
    Access& access = source_.allocate();
    access.write = write;
    access.bytes = bytes;
    wanted.push_back(&access);
  }

  HostLinkCore link;
  HostMemoryCore memory;
  std::deque<Access*> wanted;
  std::vector<Cycle> answered;

 private:
  Cycle at_ = 0;
  PlainItems<Access> source_;
  std::deque<std::pair<Cycle, Access*>> to_memory_, to_link_;
};

TEST(HostLink, APacketTakesTheTimeOfItsDataAndItsHeader) {
  HostLinkConfig config;
  config.lanes = 1;
  config.lane_gbits = 8;  // a byte a nanosecond, a cycle here
  config.header = 24;
  HostMemoryConfig memory;
  memory.gb_per_s = 1000000;
  memory.latency = 100;
  LinkHarness harness(config, memory);
  harness.access(false, 256);
  harness.run(2000);
  // There: 24 bytes and a hop; the memory; back: a hop and 280 bytes.
  EXPECT_THAT(harness.answered, testing::ElementsAre(24 + kHop + 1 + 100 + kHop + 280));
}

TEST(HostLink, ReadsReachTheShareOfTheBandwidthThatHeadersLeave) {
  HostLinkConfig config;
  config.lanes = 1;
  config.lane_gbits = 8;
  LinkHarness harness(config, {});
  for (int i = 0; i < 1000; ++i) harness.access(false, 256);
  harness.run(400000);
  ASSERT_EQ(harness.answered.size(), 1000u);
  for (std::size_t i = 500; i < 1000; ++i) EXPECT_EQ(harness.answered[i] - harness.answered[i - 1], 256u + 24u);
  EXPECT_EQ(harness.link.statistics().to_device, 256000u);
  EXPECT_EQ(harness.link.statistics().to_device_with_headers, 280000u);
  EXPECT_EQ(harness.memory.statistics().read, 256000u);
}

TEST(HostLink, DirectionsDoNotSlowEachOtherDownButForTheRequestsOfReads) {
  HostLinkConfig config;
  config.lanes = 1;
  config.lane_gbits = 8;
  LinkHarness harness(config, {});
  for (int i = 0; i < 500; ++i) {
    harness.access(false, 256);
    harness.access(true, 256);
  }
  harness.run(400000);
  ASSERT_EQ(harness.answered.size(), 1000u);
  const double cycles = static_cast<double>(harness.answered.back());
  EXPECT_NEAR(cycles, 500.0 * (256 + 24 + 24), 0.02 * cycles);
  EXPECT_EQ(harness.memory.statistics().written, harness.link.statistics().to_host);
}

TEST(HostMemory, ServesWhatItsBandwidthAllows) {
  HostLinkConfig config;
  config.lane_gbits = 1000;
  HostMemoryConfig memory;
  memory.gb_per_s = 10;
  LinkHarness harness(config, memory);
  for (int i = 0; i < 1000; ++i) harness.access(false, 100);
  harness.run(100000);
  ASSERT_EQ(harness.answered.size(), 1000u);
  EXPECT_EQ(harness.answered[999] - harness.answered[499], 5000u);
}

}  // namespace
}  // namespace gputlm::test
