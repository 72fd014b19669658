#include "models/copy_engine/cache_contents.h"

#include <gtest/gtest.h>

#include <random>

namespace gputlm::test {
namespace {

constexpr Bytes kLayer = 1024, kCache = 64 * kLayer;

TEST(CacheContents, HoldsWhatWasUsedLastAndSaysHowFarThatGoes) {
  CacheContents cache(kCache);
  EXPECT_EQ(cache.layer(), kLayer);
  EXPECT_FALSE(cache.run(0, 4096).held);
  EXPECT_EQ(cache.run(0, 4096).bytes, 4096);
  cache.use(10'000, 5000, true);
  const auto behind = cache.run(11'000, 100'000), before = cache.run(2000, 100'000);
  EXPECT_TRUE(behind.held);
  EXPECT_EQ(behind.bytes, 4000);
  EXPECT_FALSE(before.held);
  EXPECT_EQ(before.bytes, 8000);
  cache.use(1'000'000, kCache - 5000, false);
  EXPECT_TRUE(cache.run(10'000, 100).held);
  cache.use(2'000'000, 5000 + kLayer, false);
  EXPECT_FALSE(cache.run(10'000, 5000).held) << "what is used first leaves first";
  EXPECT_TRUE(cache.run(1'000'000 + kLayer, 1000).held);
}

TEST(CacheContents, PutsShortRunsTogether) {
  CacheContents cache(kCache);
  for (Address at = 0; at < 10 * kLayer; at += 100) cache.use(at, at < 5 * kLayer ? 60 : 40, false);
  EXPECT_TRUE(cache.run(0, kCache).held);
  EXPECT_EQ(cache.run(0, kCache).bytes, kLayer);
  EXPECT_FALSE(cache.run(8 * kLayer, kCache).held);
  EXPECT_EQ(cache.run(8 * kLayer, kCache).bytes, kLayer);
  EXPECT_EQ(cache.run(8 * kLayer, 300).bytes, 300);
}

TEST(CacheContents, SaysHowDirtyIsWhatLeavesNext) {
  CacheContents cache(kCache);
  EXPECT_EQ(cache.leaving().quarters, 0);
  EXPECT_EQ(cache.leaving().bytes, kCache);
  cache.use(0, 3 * kCache / 4, true);
  EXPECT_EQ(cache.leaving().quarters, 0);
  EXPECT_NEAR(cache.leaving().bytes, kCache / 4, 2 * kLayer);
  cache.use(1 << 20, kCache / 4, false);
  EXPECT_EQ(cache.leaving().quarters, 4);
  EXPECT_NEAR(cache.leaving().bytes, 3 * kCache / 4, 2 * kLayer);
  for (int i = 0; i < 64; ++i) {
    cache.use((2 << 20) + i * kLayer, kLayer / 2, true);
    cache.use((3 << 20) + i * kLayer, kLayer / 2, false);
  }
  EXPECT_EQ(cache.leaving().quarters, 2);
  EXPECT_NEAR(cache.leaving().bytes, kCache, 2 * kLayer);
}

TEST(CacheContents, WhatIsReadAgainStaysDirtyAndLeavesLater) {
  CacheContents cache(kCache);
  cache.use(0, kCache / 2, true);
  cache.use(1 << 20, kCache / 2, false);
  cache.use(0, kCache / 2, false);
  EXPECT_EQ(cache.leaving().quarters, 0);
  EXPECT_NEAR(cache.leaving().bytes, kCache / 2, 2 * kLayer);
  cache.use(2 << 20, kCache / 2, false);
  EXPECT_FALSE(cache.run(1 << 20, kCache / 2).held);
  EXPECT_EQ(cache.leaving().quarters, 4);
}

/// Against a list of lines.
TEST(CacheContents, IsALeastRecentlyUsedCacheButForALayer) {
  constexpr Bytes kLine = 128;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    CacheContents cache(kCache);
    std::vector<std::uint64_t> lines;  // the newest at last
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t first = random() % 2000, count = 1 + random() % 100;
      cache.use(first * kLine, count * kLine, random() % 2 == 0);
      for (std::uint64_t line = first; line < first + count; ++line) {
        lines.erase(std::remove(lines.begin(), lines.end(), line), lines.end());
        lines.push_back(line);
      }
    }
    const auto held = [&](std::uint64_t from) {  // of this number of last lines
      return std::vector<std::uint64_t>(
          lines.size() > from ? lines.end() - static_cast<std::ptrdiff_t>(from) : lines.begin(), lines.end());
    };
    for (const std::uint64_t line : held((kCache - 2 * kLayer) / kLine)) {
      EXPECT_TRUE(cache.run(line * kLine, kLine).held) << "seed " << seed << " line " << line;
    }
    const auto most = held((kCache + 2 * kLayer) / kLine);
    for (std::uint64_t line = 0; line < 2100; ++line) {
      if (std::find(most.begin(), most.end(), line) != most.end()) continue;
      EXPECT_FALSE(cache.run(line * kLine, kLine).held) << "seed " << seed << " line " << line;
    }
  }
}

TEST(CacheContents, OfNoBytesHoldsNothing) {
  CacheContents none(0);
  none.use(0, 1000, true);
  EXPECT_FALSE(none.run(0, 1000).held);
  EXPECT_EQ(none.leaving().quarters, 0);
}

}  // namespace
}  // namespace gputlm::test
