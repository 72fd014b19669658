#include "models/mmu/tlb.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

TEST(Tlb, KnowsWhatWasPutInUntilItIsErased) {
  Tlb tlb(4, 4);
  EXPECT_FALSE(tlb.lookup(7));
  tlb.insert(7);
  EXPECT_TRUE(tlb.lookup(7));
  EXPECT_TRUE(tlb.erase(7));
  EXPECT_FALSE(tlb.erase(7));
  EXPECT_FALSE(tlb.lookup(7));
}

TEST(Tlb, ReplacesTheLeastRecentlyUsedPage) {
  Tlb tlb(3, 3);
  for (const std::uint64_t page : {1, 2, 3}) tlb.insert(page);
  EXPECT_TRUE(tlb.lookup(1));  // 2 is the least recently used now
  tlb.insert(4);
  EXPECT_FALSE(tlb.lookup(2));
  for (const std::uint64_t page : {1, 3, 4}) EXPECT_TRUE(tlb.lookup(page)) << page;
}

TEST(Tlb, HoldsAsManyPagesAsItHasEntries) {
  for (const unsigned ways : {1u, 4u, 16u}) {
    Tlb tlb(64, ways);
    for (std::uint64_t page = 0; page < 64; ++page) tlb.insert(page);
    for (std::uint64_t page = 0; page < 64; ++page) EXPECT_TRUE(tlb.lookup(page)) << page;
    for (std::uint64_t page = 64; page < 128; ++page) tlb.insert(page);
    for (std::uint64_t page = 0; page < 64; ++page) EXPECT_FALSE(tlb.lookup(page)) << page;
  }
}

TEST(Tlb, APageThatIsPutInTwiceTakesOneEntry) {
  Tlb tlb(2, 2);
  for (const std::uint64_t page : {1, 2, 2, 2}) tlb.insert(page);
  EXPECT_TRUE(tlb.lookup(1));
}

}  // namespace
}  // namespace gputlm
