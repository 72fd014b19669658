#include "models/sm/banks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace gputlm {
namespace {

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

TEST(Banks, CyclesAreTheMostDifferentWordsOfOneBank) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const unsigned width = 1u << random() % 5;
    const unsigned banks = 1u << random() % 8;  // up to kMaxBanks
    const Address range = 1 + random() % 2000;
    LaneAddresses addresses{};
    for (Address& address : addresses) address = random() % range * width;
    const auto mask = static_cast<std::uint32_t>(random() | random());
    ASSERT_EQ(bank_cycles(addresses, mask, width, banks), brute_force_cycles(addresses, mask, width, banks));
  }
}

TEST(Banks, AStrideOfWordsConflictsAsItsCommonDivisorWithTheBanksSays) {
  for (unsigned stride = 0; stride <= 64; ++stride) {
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses[lane] = Address{lane} * stride * 4;
    const unsigned divisor = stride == 0 ? 1 : std::min(32u, stride & (~stride + 1));
    EXPECT_EQ(bank_cycles(addresses, ~0u, 4, 32), divisor) << "stride " << stride;
  }
}

/// Conflicts do not depend on the first lane of a shape, nor on the requests in between.
TEST(Banks, ConflictsOfAShapeAreThoseOfItsAddresses) {
  std::mt19937_64 random(1);
  const auto stride = [&] { return 4 * (random() % 161 - 80); };
  for (const unsigned banks : {1u, 2u, 16u, 32u, 64u, kMaxBanks}) {
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

TEST(Banks, WideAccessesOfUnitStrideTakeACycleForEach128Bytes) {
  for (unsigned width : {1u, 2u, 4u, 8u, 16u}) {
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses[lane] = Address{lane} * width;
    EXPECT_EQ(bank_cycles(addresses, ~0u, width, 32), std::max(1u, width / 4)) << width;
  }
}

LaneAddresses strided(Address first, Address stride) {
  LaneAddresses addresses{};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) addresses[lane] = first + lane * stride;
  return addresses;
}

TEST(Banks, EveryStrideWidthAndPlaceTakesWhatItsWordsDo) {
  for (const unsigned width : {1u, 2u, 4u, 8u, 16u}) {
    for (unsigned stride = 0; stride <= 64; ++stride) {
      for (unsigned first = 0; first < 128; first += width) {
        const LaneAddresses addresses = strided(first, Address{stride} * width);
        for (const std::uint32_t mask : {~0u, 0x0000ffffu, 0x55555555u, 1u}) {
          ASSERT_EQ(bank_cycles(addresses, mask, width, 32), brute_force_cycles(addresses, mask, width, 32))
              << "width " << width << ", stride " << stride << ", from " << first << ", mask " << mask;
        }
      }
    }
  }
}

TEST(Banks, ARunTakesWhatItsLanesDo) {
  for (unsigned banks = 1; banks <= kMaxBanks; banks *= 2) {
    for (const unsigned width : {1u, 2u, 4u, 8u, 16u}) {
      for (Address first = 0; first < 256; first += width) {
        ASSERT_EQ(BankConflicts(banks).cycles_of_run(first, width),
                  bank_cycles(strided(first, width), ~0u, width, banks))
            << banks << " banks, width " << width << ", from " << first;
      }
    }
  }
}

TEST(Banks, NoLanesTakeMoreThanTheMostForTheirLines) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    const unsigned width = 1u << random() % 5, banks = 1u << random() % 8;
    const Address range = 1 + random() % 500, stride = random() % 2 ? 0 : random() % 65;
    LaneAddresses addresses{};
    std::set<Address> lines;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      addresses[lane] = (stride ? lane * stride : random() % range) * width;
      lines.insert(addresses[lane] / 128);
    }
    ASSERT_LE(bank_cycles(addresses, ~0u, width, banks),
              BankConflicts(banks).most(static_cast<unsigned>(lines.size()), width))
        << banks << " banks, width " << width << ", " << lines.size() << " lines";
  }
  EXPECT_EQ(BankConflicts(32).most(1, 4), 1u) << "one line";
  EXPECT_EQ(BankConflicts(32).most(32, 8), 32u) << "a line a lane";
}

/// What each lane gets has to pass: 128 bytes a cycle.
TEST(Banks, LanesThatReadTheSameWordTakeACycleForEachFourBytesOfALane) {
  for (const unsigned width : {1u, 2u, 4u, 8u, 16u}) {
    for (Address first = 0; first < 128; first += width)
      EXPECT_EQ(bank_cycles(strided(first, 0), ~0u, width, 32), std::max(1u, width / 4)) << width;
  }
}

}  // namespace
}  // namespace gputlm
