#include "models/cache/mshr.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace gputlm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Mshrs = MshrFile<unsigned>;

/// Who is served by an arrival.
std::vector<unsigned> served(Mshrs& mshrs, Mshrs::Index index, SectorMask sectors) {
  std::vector<unsigned> list;
  mshrs.arrived(index, sectors, [&](unsigned waiter) { list.push_back(waiter); });
  return list;
}

TEST(MshrFile, HasAnEntryALineUntilAllItsSectorsHaveArrived) {
  Mshrs mshrs(2, 4);
  EXPECT_EQ(mshrs.find(7), Mshrs::kNone);
  const auto index = mshrs.open(7);
  mshrs.ask(index, 0b0110);
  EXPECT_EQ(mshrs.find(7), index);
  EXPECT_EQ(mshrs.line(index), 7u);
  EXPECT_FALSE(mshrs.arrived(index, 0b0010, [](unsigned) {}));
  EXPECT_EQ(mshrs.pending(index), 0b0100);
  EXPECT_TRUE(mshrs.arrived(index, 0b0100, [](unsigned) {}));
  EXPECT_EQ(mshrs.find(7), Mshrs::kNone);
  EXPECT_EQ(mshrs.in_use(), 0u);
}

TEST(MshrFile, IsFullWithAnEntryForEachOfItsLines) {
  Mshrs mshrs(3, 1);
  for (std::uint64_t line = 0; line < 3; ++line) {
    EXPECT_FALSE(mshrs.full());
    mshrs.ask(mshrs.open(line), 1);
  }
  EXPECT_TRUE(mshrs.full());
  EXPECT_EQ(mshrs.in_use(), 3u);
  served(mshrs, mshrs.find(1), 1);
  EXPECT_FALSE(mshrs.full());
}

TEST(MshrFile, ServesTheWaitersOfALineInTheirOrderEachWhenItsLastSectorArrives) {
  Mshrs mshrs(1, 8);
  const auto index = mshrs.open(1);
  mshrs.ask(index, 0b1111);
  mshrs.wait(index, 10, 0b0001);
  mshrs.wait(index, 11, 0b1001);
  mshrs.wait(index, 12, 0b0001);
  mshrs.wait(index, 13, 0b0110);
  EXPECT_THAT(served(mshrs, index, 0b0011), ElementsAre(10u, 12u));
  EXPECT_EQ(mshrs.waiting(index), 2u);
  EXPECT_THAT(served(mshrs, index, 0b1100), ElementsAre(11u, 13u));
}

TEST(MshrFile, TakesAsManyWaitersALineAsItMayMerge) {
  Mshrs mshrs(2, 2);
  const auto index = mshrs.open(1), other = mshrs.open(2);
  mshrs.ask(index, 0b0011);
  mshrs.wait(index, 0, 0b0001);
  EXPECT_FALSE(mshrs.merges_full(index));
  mshrs.wait(index, 1, 0b0010);
  EXPECT_TRUE(mshrs.merges_full(index));
  EXPECT_FALSE(mshrs.merges_full(other));
  EXPECT_THAT(served(mshrs, index, 0b0001), ElementsAre(0u));
  EXPECT_FALSE(mshrs.merges_full(index));
}

TEST(MshrFile, ServesAWaiterByWhatHasArrivedSinceAlsoIfItIsAskedForAgain) {
  // The line lost a sector after it had arrived, and another request fetches it again; the first one has already had it.
  Mshrs mshrs(1, 8);
  const auto index = mshrs.open(1);
  mshrs.ask(index, 0b0011);
  mshrs.wait(index, 1, 0b0011);
  EXPECT_THAT(served(mshrs, index, 0b0001), IsEmpty());
  mshrs.ask(index, 0b0001);
  mshrs.wait(index, 2, 0b0001);
  EXPECT_THAT(served(mshrs, index, 0b0010), ElementsAre(1u));
  EXPECT_THAT(served(mshrs, index, 0b0001), ElementsAre(2u));
}

TEST(MshrFile, AgreesWithAPlainListOfWaitersForRandomTraffic) {
  struct Missing {
    unsigned waiter;
    SectorMask sectors;
  };
  struct Line {
    SectorMask pending = 0;
    std::vector<Missing> waiters;
  };
  std::mt19937 random(5);
  constexpr unsigned kEntries = 12, kMerges = 5;
  Mshrs mshrs(kEntries, kMerges);
  std::map<std::uint64_t, Line> lines;
  for (unsigned i = 0; i < 20000; ++i) {
    const std::uint64_t number = random() % 40 * 0x10000;
    auto index = mshrs.find(number);
    ASSERT_EQ(index != Mshrs::kNone, lines.count(number) != 0);
    ASSERT_EQ(mshrs.full(), lines.size() == kEntries);
    if (random() % 2) {
      if (index == Mshrs::kNone) {
        if (mshrs.full()) continue;
        index = mshrs.open(number);
      }
      Line& line = lines[number];
      ASSERT_EQ(mshrs.merges_full(index), line.waiters.size() == kMerges);
      const auto sectors = static_cast<SectorMask>(1 + random() % 15);
      mshrs.ask(index, sectors);
      line.pending |= sectors;
      if (mshrs.merges_full(index)) continue;
      mshrs.wait(index, i, sectors);
      line.waiters.push_back({i, sectors});
    } else if (index != Mshrs::kNone) {
      Line& line = lines[number];
      const auto sectors = static_cast<SectorMask>(line.pending & random());
      std::vector<unsigned> expected;
      line.pending &= static_cast<SectorMask>(~sectors);
      for (Missing& m : line.waiters) {
        m.sectors &= static_cast<SectorMask>(~sectors);
        if (!m.sectors) expected.push_back(m.waiter);
      }
      line.waiters.erase(std::remove_if(line.waiters.begin(), line.waiters.end(), [](auto& m) { return !m.sectors; }),
                         line.waiters.end());
      if (!line.pending) lines.erase(number);
      ASSERT_EQ(served(mshrs, index, sectors), expected);
    }
  }
}

}  // namespace
}  // namespace gputlm
