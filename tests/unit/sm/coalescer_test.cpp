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

/// Words per bank, lane group by lane group.
unsigned brute_force_cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned banks) {
  const unsigned words = width <= 4 ? 1 : width / 4;
  unsigned cycles = 0;
  for (unsigned group = 0; group < words; ++group) {
    std::map<std::uint64_t, std::set<std::uint64_t>> of_bank;
    for (unsigned lane = group * 32 / words; lane < (group + 1) * 32 / words; ++lane) {
      if (!(mask >> lane & 1)) continue;
      for (unsigned w = 0; w < words; ++w) of_bank[(addresses[lane] / 4 + w) % banks].insert(addresses[lane] / 4 + w);
    }
    std::size_t most = 0;
    for (const auto& [bank, asked] : of_bank) most = std::max(most, asked.size());
    cycles += static_cast<unsigned>(most);
  }
  return std::max(1u, cycles);
}

TEST(SharedMemory, CyclesAreTheMostDifferentWordsOfOneBank) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const unsigned width = 1u << random() % 5;
    const unsigned banks = 1u << random() % 8;  // up to kMaxSharedBanks
    const Address range = 1 + random() % 2000;
    LaneAddresses addresses{};
    for (Address& address : addresses) address = random() % range * width;
    const auto mask = static_cast<std::uint32_t>(random() | random());
    ASSERT_EQ(shared_memory_cycles(addresses, mask, width, banks), brute_force_cycles(addresses, mask, width, banks));
  }
}

TEST(SharedMemory, AStrideOfWordsConflictsAsItsCommonDivisorWithTheBanksSays) {
  for (unsigned stride = 0; stride <= 64; ++stride) {
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses[lane] = Address{lane} * stride * 4;
    const unsigned divisor = stride == 0 ? 1 : std::min(32u, stride & (~stride + 1));
    EXPECT_EQ(shared_memory_cycles(addresses, ~0u, 4, 32), divisor) << "stride " << stride;
  }
}

/// From wherever lanes of a shape are counted, and however often it has been asked for between others.
TEST(SharedMemory, ConflictsOfAShapeAreThoseOfItsAddresses) {
  std::mt19937_64 random(1);
  const auto stride = [&] { return 4 * (random() % 161 - 80); };
  for (const unsigned banks : {1u, 2u, 16u, 32u, 64u, kMaxSharedBanks}) {
    BankConflicts conflicts(banks);
    for (unsigned i = 0; i < 2000; ++i) {
      const std::uint32_t row = 1 + static_cast<std::uint32_t>(random() % 48);
      const LaneShape shape{stride(), random() % 2 ? stride() : 0, row, static_cast<std::uint32_t>(random() % row)};
      const std::uint32_t mask = random() % 2 ? ~0u : static_cast<std::uint32_t>(random()) | 1;
      const unsigned width = 1u << random() % 5;
      LaneAddresses addresses = shape.distances();
      for (Address& address : addresses) address += 48000 + (width < 4 ? 4 - width : 0);
      for (unsigned again = 0; again < 2; ++again) {
        ASSERT_EQ(conflicts.cycles(shape, mask, width), brute_force_cycles(addresses, mask, width, banks))
            << banks << " banks, width " << width << ", x " << shape.x << ", y " << shape.y << ", row " << row;
      }
    }
  }
}

TEST(SharedMemory, WideAccessesOfUnitStrideTakeACycleForEach128Bytes) {
  for (unsigned width : {1u, 2u, 4u, 8u, 16u}) {
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses[lane] = Address{lane} * width;
    EXPECT_EQ(shared_memory_cycles(addresses, ~0u, width, 32), std::max(1u, width / 4)) << width;
  }
}

}  // namespace
}  // namespace gputlm
