/// Random traffic through random small slices, where every queue and table overflows, against properties of any
/// cache.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/unit/l2/slice_harness.h"

namespace gputlm {
namespace {

using test::Request;
using test::SliceHarness;

struct Scenario {
  L2Config config;
  L2SliceLinks links;
  test::Surroundings surroundings;
  std::vector<Request> requests;
};

/// Every third cache writes through.
Scenario random_scenario(unsigned seed, bool cache = true) {
  std::mt19937_64 random(seed);
  const auto pick = [&](unsigned low, unsigned high) {
    return low + static_cast<unsigned>(random() % (high - low + 1));
  };
  Scenario s;
  s.config.enabled = cache;
  s.config.write_through = seed % 3 == 0;
  const unsigned sets = pick(1, 16);
  s.config.ways = pick(1, 5);
  s.config.bytes = Bytes{sets} * s.config.ways * kLineBytes;
  s.config.banks = pick(1, 4);
  s.config.data_sectors = pick(0, 1) ? pick(1, 5) : 0;
  s.config.fill_bytes = 32u << pick(0, 2);
  s.config.latency = pick(1, 40);
  s.config.mshrs = pick(0, 1) ? pick(1, 8) : 64;
  s.config.mshr_merges = pick(1, 6);
  s.config.queue = pick(1, 16);
  s.links.reply_width = pick(1, 2);
  s.links.reply_credits = pick(1, 8);
  s.links.memory_width = pick(1, 2);
  s.links.memory_credits = pick(1, 12);
  s.links.memory_reply_queue = s.links.memory_credits;
  s.surroundings.hop = 20;
  s.surroundings.reply_credit = 20 + pick(0, 30);
  s.surroundings.memory_latency = [spread = pick(1, 200)](const Access& access) {
    return 20 + ((access.address * 0x9E3779B97F4A7C15 + access.issued * 0xC2B2AE3D27D4EB4F) >> 33) % spread;
  };
  const unsigned lines = pick(1, 4 * sets * s.config.ways);
  const unsigned gap = pick(0, 8);
  Cycle at = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    Request r;
    r.wanted = at += random() % (gap + 1);
    r.application = static_cast<ApplicationId>(random() % 3);
    const unsigned first = pick(0, 3), count = pick(1, 4 - first);
    r.address = (random() % lines) * kLineBytes + first * kSectorBytes;
    r.bytes = static_cast<std::uint16_t>(count * kSectorBytes);
    switch (random() % 8) {
      case 0:
      case 1: r.write = true; break;
      case 2: r.write = r.partial = true; break;
      case 3:
        r.write = r.partial = r.atomic = true;
        r.bytes = 4;
        break;
      default: break;
    }
    s.requests.push_back(r);
  }
  return s;
}

SliceHarness harness(const Scenario& s) { return SliceHarness(s.config, s.links, s.surroundings, s.requests); }

/// Compares windows of a cycle and random windows.
void expect_the_same_however_cut(const Scenario& s, unsigned seed) {
  auto whole = harness(s);
  ASSERT_TRUE(whole.run());
  for (unsigned cut = 0; cut < 3; ++cut) {
    auto parts = harness(s);
    std::mt19937_64 random(seed * 3 + cut);
    ASSERT_TRUE(parts.run([&]() -> Cycle { return cut == 0 ? 1 : 1 + random() % s.surroundings.hop; }));
    ASSERT_EQ(whole.answers, parts.answers);
    ASSERT_EQ(whole.memory, parts.memory);
    ASSERT_EQ(whole.core.statistics().stall_cycles, parts.core.statistics().stall_cycles);
  }
}

bool covers(Address address, unsigned bytes, Address sector) {
  return address < sector + kSectorBytes && address + bytes > sector;
}

class RandomL2Traffic : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomL2Traffic, IsAnsweredExactlyOnceAndLeavesNothingBehind) {
  const Scenario s = random_scenario(GetParam());
  auto b = harness(s);
  ASSERT_TRUE(b.run()) << "deadlock: stalled " << b.core.stalled() << " for " << static_cast<int>(b.core.stall());
  for (std::size_t i = 0; i < b.answers.size(); ++i) {
    ASSERT_EQ(b.answers[i].replies, 1u) << "request " << i;
    ASSERT_GE(b.answers[i].replied, b.answers[i].started + s.config.latency) << "request " << i;
    ASSERT_GE(b.answers[i].started, b.answers[i ? i - 1 : 0].started);
  }
  EXPECT_EQ(b.accesses_in_use(), 0u);
  EXPECT_EQ(b.core.fills_outstanding(), 0u);
  const auto& statistics = b.core.statistics();
  EXPECT_EQ(statistics.reads + statistics.writes + statistics.atomics, s.requests.size());
  for (SectoredTags::Slot slot = 0; slot < b.core.tags().slots(); ++slot) EXPECT_FALSE(b.core.tags()[slot].pending);
}

TEST_P(RandomL2Traffic, GetsNoDataBeforeItsFillOrAWriteThatCoversIt) {
  const Scenario s = random_scenario(GetParam());
  auto b = harness(s);
  ASSERT_TRUE(b.run());
  for (std::size_t i = 0; i < s.requests.size(); ++i) {
    const Request& r = s.requests[i];
    if (r.write && !r.atomic) continue;
    const Cycle taken = b.answers[i].replied - s.config.latency;  // or earlier
    for (Address sector = r.address / 32 * 32; sector < r.address + r.bytes; sector += 32) {
      bool known = false;
      for (const auto& m : b.memory) known |= !m.write && covers(m.address, m.bytes, sector) && m.answered <= taken;
      for (std::size_t j = 0; j < i && !known; ++j) {
        const Request& w = s.requests[j];
        known = w.write && !w.partial && covers(w.address, w.bytes, sector) && b.answers[j].started <= taken;
      }
      ASSERT_TRUE(known) << "request " << i << ", sector " << sector;
    }
  }
}

TEST_P(RandomL2Traffic, KeepsOrWritesBackEveryDirtySectorAndNoOther) {
  const Scenario s = random_scenario(GetParam());
  auto b = harness(s);
  ASSERT_TRUE(b.run());
  struct Sector {
    unsigned writes = 0, write_backs = 0;
    Cycle last_write = 0, last_write_back = 0;
    ApplicationId writer = 0;
  };
  std::map<Address, Sector> sectors;
  for (std::size_t i = 0; i < s.requests.size(); ++i) {
    const Request& r = s.requests[i];
    if (!r.write) continue;
    // What is written back together is dirty together; what is written through goes alone.
    const bool through = s.config.write_through && !r.atomic;
    const Address fill = through ? kSectorBytes : s.config.fill_bytes;
    const Address end = (r.address + r.bytes + fill - 1) / fill * fill;
    for (Address a = r.address / fill * fill; a < end; a += 32) {
      ++sectors[a].writes;
      sectors[a].last_write = std::max(sectors[a].last_write, b.answers[i].started);
    }
  }
  for (const auto& m : b.memory) {
    if (!m.write) continue;
    ASSERT_EQ(m.flits, m.bytes / kSectorBytes);
    for (Address a = m.address; a < m.address + m.bytes; a += 32) {
      ++sectors[a].write_backs;
      sectors[a].last_write_back = m.sent;
    }
  }
  std::uint64_t dirty = 0;
  for (const auto& [address, sector] : sectors) {
    const auto slot = b.core.tags().find(address / kLineBytes);
    const bool here = slot != SectoredTags::kNoSlot && (b.core.tags()[slot].dirty & touched_sectors(address, 32));
    ASSERT_TRUE(here || sector.last_write_back > sector.last_write) << "sector " << address << " was lost";
    ASSERT_LE(sector.write_backs + here, sector.writes) << "sector " << address << " was not written as often";
    dirty += here;
  }
  std::uint64_t all_dirty = 0;
  for (SectoredTags::Slot slot = 0; slot < b.core.tags().slots(); ++slot)
    all_dirty += sector_bytes(b.core.tags()[slot].dirty) / kSectorBytes;
  EXPECT_EQ(dirty, all_dirty);
}

TEST_P(RandomL2Traffic, IsTheSameForEveryWayOfCuttingTime) {
  expect_the_same_however_cut(random_scenario(GetParam()), GetParam());
}

TEST(RandomL2TrafficItself, MakesTheHeadWaitForEveryReason) {
  std::array<std::uint64_t, kL2Stalls> cycles{};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    auto b = harness(random_scenario(seed));
    ASSERT_TRUE(b.run());
    for (std::size_t i = 0; i < kL2Stalls; ++i) cycles[i] += b.core.statistics().stall_cycles[i];
  }
  for (std::size_t i = 0; i < kL2Stalls; ++i) EXPECT_GT(cycles[i], 1000u) << "reason " << i;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomL2Traffic, ::testing::Range(1u, 61u));

class RandomTrafficWithoutACache : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomTrafficWithoutACache, PassesToDramAsItIsAndIsAnsweredExactlyOnce) {
  const Scenario s = random_scenario(GetParam(), false);
  auto b = harness(s);
  ASSERT_TRUE(b.run()) << "deadlock: stalled " << b.core.stalled() << " for " << static_cast<int>(b.core.stall());
  std::vector<test::MemoryAccess> passed;
  for (std::size_t i = 0; i < s.requests.size(); ++i) {
    const Request& r = s.requests[i];
    ASSERT_EQ(b.answers[i].replies, 1u) << "request " << i;
    EXPECT_FALSE(b.answers[i].l2_hit);
    test::MemoryAccess access;
    access.address = r.address, access.bytes = (r.bytes + 31u) / 32 * 32, access.application = r.application;
    if (!r.write || r.atomic) passed.push_back(access);
    access.write = true, access.partial = r.partial;
    if (r.write) passed.push_back(access);
  }
  ASSERT_EQ(b.memory.size(), passed.size());
  for (std::size_t i = 0; i < passed.size(); ++i) {
    EXPECT_EQ(b.memory[i].address, passed[i].address) << "access " << i;
    EXPECT_EQ(b.memory[i].bytes, passed[i].bytes);
    EXPECT_EQ(b.memory[i].write, passed[i].write);
    EXPECT_EQ(b.memory[i].partial, passed[i].partial);
    EXPECT_EQ(b.memory[i].application, passed[i].application);
  }
  const auto& statistics = b.core.statistics();
  EXPECT_EQ(statistics.fills + statistics.write_backs, passed.size());
  EXPECT_EQ(statistics.reads + statistics.writes + statistics.atomics, s.requests.size());
  EXPECT_EQ(statistics.read_hits + statistics.write_hits + statistics.atomic_hits + statistics.mshr_merges, 0u);
  EXPECT_EQ(b.accesses_in_use(), 0u);
  EXPECT_EQ(b.core.fills_outstanding(), 0u);
}

TEST_P(RandomTrafficWithoutACache, IsTheSameForEveryWayOfCuttingTime) {
  expect_the_same_however_cut(random_scenario(GetParam(), false), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrafficWithoutACache, ::testing::Range(1u, 31u));

}  // namespace
}  // namespace gputlm
