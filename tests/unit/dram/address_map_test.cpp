#include "models/dram/address_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

DramConfig shape(unsigned banks, unsigned groups, Bytes row_bytes, unsigned burst_bytes, bool hash) {
  DramConfig config;
  config.banks = banks;
  config.bank_groups = groups;
  config.row_bytes = row_bytes;
  config.burst_bytes = burst_bytes;
  config.bank_hash = hash;
  return config;
}

TEST(AddressMap, IsABijectionOnAnyShape) {
  std::mt19937_64 random(2);
  for (const unsigned banks : {1u, 2u, 8u, 16u, 64u}) {
    for (unsigned groups = 1; groups <= banks; groups *= 2) {
      for (const Bytes row_bytes : {128u, 1024u, 2048u}) {
        for (const unsigned burst : {32u, 64u}) {
          for (const bool hash : {false, true}) {
            const AddressMap map(shape(banks, groups, row_bytes, burst, hash));
            // Densely: the first rows of all banks are filled exactly once.
            std::set<std::tuple<unsigned, Row, unsigned>> seen;
            const Address end = 4 * row_bytes * banks;
            for (Address a = 0; a < end; a += burst) {
              const Location l = map.locate(a);
              ASSERT_LT(l.bank, banks);
              ASSERT_LT(l.column, row_bytes / burst);
              ASSERT_TRUE(seen.emplace(l.bank, l.row, l.column).second);
              ASSERT_EQ(map.address(l), a);
            }
            // Anywhere in 64 bits.
            for (int i = 0; i < 50; ++i) {
              const Address a = random() / burst * burst;
              ASSERT_EQ(map.address(map.locate(a)), a);
            }
          }
        }
      }
    }
  }
}

TEST(AddressMap, KeepsALineInOneRowWithConsecutiveColumns) {
  const AddressMap map(DramConfig{});
  for (Address line = 0; line < 1 << 20; line += 128) {
    const Location first = map.locate(line);
    for (unsigned i = 1; i < 4; ++i) {
      const Location next = map.locate(line + 32 * i);
      ASSERT_EQ(std::tie(next.bank, next.row), std::tie(first.bank, first.row));
      ASSERT_EQ(next.column, first.column + i);
    }
  }
}

TEST(AddressMap, ConsecutiveBurstsTakeTurnsOverTheBankGroupsIfTheyAreTo) {
  for (const unsigned groups : {1u, 4u, 8u}) {
    for (const unsigned burst : {32u, 64u}) {
      DramConfig config = shape(16, groups, 1024, burst, false);
      config.address_map = "bursts";
      const AddressMap map(config);
      // A row of each group is filled before another one is opened.
      for (Address a = 0; a < 1024 * groups; a += burst) {
        const Location l = map.locate(a);
        ASSERT_EQ(l.bank, a / burst % groups);
        ASSERT_EQ(l.row, 0u);
        ASSERT_EQ(l.column, a / burst / groups);
        ASSERT_EQ(map.address(l), a);
      }
      EXPECT_EQ(map.locate(1024 * groups).bank, groups % 16);
      EXPECT_EQ(map.same_row_bytes(), groups > 1 ? burst : 1024u);
    }
  }
}

TEST(AddressMap, ConsecutiveLinesTakeTurnsOverTheBankGroups) {
  const AddressMap map(DramConfig{});
  for (Address line = 0; line < 1 << 20; line += 512) {
    std::set<unsigned> groups;
    for (unsigned i = 0; i < 4; ++i) groups.insert(map.locate(line + 128 * i).bank % 4);
    ASSERT_EQ(groups.size(), 4u);
  }
}

TEST(AddressMap, TheHashSpreadsStridesOverTheBanksThatCampOnOneWithout) {
  for (unsigned bits = 15; bits < 30; ++bits) {  // a row of every bank is 2^15 bytes
    std::set<unsigned> hashed, plain;
    const AddressMap with(shape(16, 4, 2048, 32, true)), without(shape(16, 4, 2048, 32, false));
    for (Address i = 0; i < 256; ++i) {
      hashed.insert(with.locate(i << bits).bank);
      plain.insert(without.locate(i << bits).bank);
    }
    EXPECT_EQ(plain.size(), 1u);
    EXPECT_EQ(hashed.size(), 16u);
  }
}

TEST(AddressMap, RefusesWhatNoDeviceHas) {
  EXPECT_THROW(AddressMap(shape(12, 4, 2048, 32, true)), InputError);
  EXPECT_THROW(AddressMap(shape(128, 4, 2048, 32, true)), InputError);
  EXPECT_THROW(AddressMap(shape(16, 32, 2048, 32, true)), InputError);
  EXPECT_THROW(AddressMap(shape(16, 4, 64, 32, true)), InputError);
  EXPECT_THROW(AddressMap(shape(16, 4, 2048, 128, true)), InputError);
  EXPECT_THROW(AddressMap(shape(16, 4, 2048, 0, true)), InputError);
}

DramConfig of_64_bytes(const std::string& address_map) {
  DramConfig config = shape(16, 4, 4096, 64, false);
  config.address_map = address_map;
  return config;
}

TEST(AddressMap, TakesTheBitsThatTheStringNames) {
  for (const char* text : {"rrrrrrrrrrrrrbbccccccggoooooo", "rrrrrrrrrrrrr_bb_cccccc_gg_oooooo", "bbccccccggoooooo"}) {
    const AddressMap map(of_64_bytes(text));
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) {
      const Address a = random();
      const Location l = map.locate(a);
      EXPECT_EQ(l.bank % 4, a >> 6 & 3);
      EXPECT_EQ(l.column, a >> 8 & 63);
      EXPECT_EQ(l.bank / 4, a >> 14 & 3);
      EXPECT_EQ(l.row, a >> 16);
    }
    EXPECT_EQ(map.same_row_bytes(), 64u);
  }
  EXPECT_EQ(AddressMap(DramConfig{}).same_row_bytes(), 128u);
}

TEST(AddressMap, IsABijectionForAnyOrderOfTheBits) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::string letters = "bbggcccccc" + std::string(random() % 40, 'r');
    for (std::size_t i = letters.size(); i-- > 1;) std::swap(letters[i], letters[random() % (i + 1)]);
    DramConfig config = of_64_bytes(letters + "oooooo");
    config.bank_hash = round % 2 == 0;
    const AddressMap map(config);
    std::set<std::tuple<unsigned, Row, unsigned>> seen;
    for (Address a = 0; a < 512 * 64; a += 64) {
      const Location l = map.locate(a);
      ASSERT_LT(l.bank, 16u);
      ASSERT_LT(l.column, 64u);
      ASSERT_TRUE(seen.emplace(l.bank, l.row, l.column).second);
      ASSERT_EQ(map.locate(a + 63).column, l.column);
      const Location its_row = map.locate_row(a);
      ASSERT_EQ(std::tie(its_row.bank, its_row.row, its_row.column), std::make_tuple(l.bank, l.row, 0u));
      const Address anywhere = random() / 64 * 64;
      ASSERT_EQ(map.address(map.locate(anywhere)), anywhere);
      // Blocks of same_row_bytes() lie in one row.
      const Location first = map.locate(anywhere / map.same_row_bytes() * map.same_row_bytes());
      const Location there = map.locate(anywhere);
      ASSERT_EQ(std::tie(first.bank, first.row), std::tie(there.bank, there.row));
    }
  }
}

TEST(AddressMap, RefusesAStringThatDoesNotFitTheDevice) {
  for (const char* text : {"", "rbbccccccgggoooooo", "rbbccccccggooooo", "bbccccccggooooooc", "rbbccccccggxoooooo",
                           "Default", "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrbbccccccggoooooo"}) {
    EXPECT_THROW(AddressMap(of_64_bytes(text)), InputError) << text;
  }
}

}  // namespace
}  // namespace gputlm
