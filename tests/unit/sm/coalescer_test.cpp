#include "models/sm/coalescer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace gputlm {
namespace {

struct Expected {
  std::uint64_t line;
  std::set<unsigned> bytes;
};

/// Byte by byte, in order of lanes.
std::vector<Expected> brute_force(const LaneAddresses& addresses, std::uint32_t mask, unsigned width) {
  std::vector<Expected> lines;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(mask >> lane & 1)) continue;
    for (unsigned b = 0; b < width; ++b) {
      const Address address = addresses[lane] + b;
      auto found = std::find_if(lines.begin(), lines.end(), [&](const Expected& e) { return e.line == address / 128; });
      if (found == lines.end()) found = lines.insert(lines.end(), {address / 128, {}});
      found->bytes.insert(address % 128);
    }
  }
  return lines;
}

void expect_same(Coalescer& coalescer, const LaneAddresses& addresses, std::uint32_t mask, unsigned width) {
  const auto expected = brute_force(addresses, mask, width);
  ASSERT_EQ(coalescer.coalesce(addresses, mask, width), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const LineAccess& line = coalescer.lines()[i];
    ASSERT_EQ(line.line, expected[i].line) << "line " << i << " in order of the lanes";
    for (unsigned sector = 0; sector < 4; ++sector) {
      const auto in_sector = std::count_if(expected[i].bytes.begin(), expected[i].bytes.end(),
                                           [&](unsigned b) { return b / 32 == sector; });
      ASSERT_EQ(line.sectors >> sector & 1, in_sector > 0);
      ASSERT_EQ(line.covered >> sector & 1, in_sector == 32);
    }
  }
}

TEST(Coalescer, AgreesWithByteByByteOnAnyAddressesWidthsAndMasks) {
  std::mt19937_64 random(1);
  Coalescer coalescer;  // one for all: nothing may remain of an earlier call
  for (int i = 0; i < 30000; ++i) {
    const unsigned width = i % 2 ? 1u << random() % 5 : static_cast<unsigned>(1 + random() % 16);
    const Address range = std::array<Address, 4>{64, 300, 4096, Address{1} << 40}[random() % 4];
    const Address base = random() >> 20;
    LaneAddresses addresses{};
    const bool strided = random() % 2;
    const Address stride = random() % (random() % 2 ? 40 : 300);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      addresses[lane] = strided ? base + lane * stride : base + random() % range;
    const auto mask = static_cast<std::uint32_t>(random() % 3 ? random() : ~std::uint64_t{0});
    expect_same(coalescer, addresses, mask, width);
    if (HasFatalFailure()) FAIL() << "case " << i << ", width " << width;
  }
}

TEST(Coalescer, ThirtyTwoUnalignedWideLanesMakeUpToSixtyFourLines) {
  Coalescer coalescer;
  LaneAddresses addresses{};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses[lane] = (31 - lane) * 1024 + 120;
  EXPECT_EQ(coalescer.coalesce(addresses, ~0u, 16), 64u);
  expect_same(coalescer, addresses, ~0u, 16);
}

TEST(Coalescer, LinesWhoseHashesCollideStayApart) {
  Coalescer coalescer;
  std::map<unsigned, std::vector<std::uint64_t>> by_hash;  // the same hash as the coalescer's, to provoke collisions
  for (std::uint64_t line = 0; line < 20000; ++line) by_hash[line * 0x9E3779B97F4A7C15u >> 56].push_back(line);
  for (const auto& [hash, lines] : by_hash) {
    ASSERT_GE(lines.size(), 16u);
    LaneAddresses addresses{};
    const auto& next = by_hash[(hash + 1) % 256];
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      addresses[lane] = (lane % 2 ? lines[lane / 2] : next[lane / 2]) * 128;
    expect_same(coalescer, addresses, ~0u, 4);
    if (HasFatalFailure()) FAIL() << "hash " << hash;
  }
}

/// Cycle by cycle: of each part the line of the first lane that is not served yet; an access that is not aligned may
/// straddle two, of which the first comes first.
unsigned brute_force_lookups(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned parts) {
  std::set<std::uint64_t> found;
  for (unsigned cycles = 0;; ++cycles) {
    std::set<std::uint64_t> now;
    for (unsigned p = 0; p < parts; ++p) {
      std::vector<std::uint64_t> waits;
      for (unsigned lane = p * 32 / parts; lane < (p + 1) * 32 / parts; ++lane) {
        for (const Address end : {addresses[lane], addresses[lane] + width - 1}) {
          if (mask >> lane & 1 && found.count(end / 128) == 0) waits.push_back(end / 128);
        }
      }
      if (!waits.empty()) now.insert(waits.front());
    }
    if (now.empty()) return cycles;
    found.insert(now.begin(), now.end());
  }
}

TEST(Coalescer, TagsLookUpALineForEachPartOfTheWarpACycle) {
  std::mt19937_64 random(3);
  Coalescer coalescer;
  for (int i = 0; i < 30000; ++i) {
    const unsigned width = 1u << random() % 5;
    const Address base = random() % 3 ? random() % 64 * width : random() % 4096;
    const Address stride = random() % (random() % 2 ? 40 : 300);
    const bool strided = random() % 4;
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      addresses[lane] = base + (strided ? lane * stride : random() % 4096);
    if (random() % 4 == 0) std::reverse(addresses.begin(), addresses.end());
    const auto mask = static_cast<std::uint32_t>(random() % 3 ? ~std::uint64_t{0} : random() | 1);
    const std::size_t lines = coalescer.coalesce(addresses, mask, width);
    ASSERT_EQ(coalescer.lookup_cycles(addresses, mask, width, 1), lines);
    for (const unsigned parts : {2u, 4u, 8u, 32u}) {
      const unsigned cycles = coalescer.lookup_cycles(addresses, mask, width, parts);
      ASSERT_EQ(cycles, brute_force_lookups(addresses, mask, width, parts))
          << "case " << i << ": width " << width << ", stride " << stride << ", base " << base << ", parts " << parts;
      ASSERT_GE(cycles * parts, lines) << "no cycle finds more lines than there are parts";
      ASSERT_LE(cycles, lines);
    }
  }
}

TEST(Coalescer, ARunOfBytesIsLookedUpAsTheLanesAreThatAccessIt) {
  Coalescer run, lanes;
  for (const unsigned width : {1u, 2u, 4u, 8u, 16u}) {
    for (Address first = 0; first < 256; first += width) {
      LaneAddresses addresses{};
      for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses[lane] = first + lane * width;
      run.coalesce_run(first, Bytes{kWarpSize} * width);
      for (const unsigned parts : {1u, 2u, 4u, 8u, 16u, 32u}) {
        ASSERT_EQ(run.lookup_cycles({}, ~0u, width, parts), brute_force_lookups(addresses, ~0u, width, parts))
            << width << " bytes from " << first << ", " << parts << " parts";
      }
    }
  }
}

}  // namespace
}  // namespace gputlm
