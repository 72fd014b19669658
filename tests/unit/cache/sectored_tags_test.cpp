#include "models/cache/sectored_tags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Slot = SectoredTags::Slot;

TEST(SectorMasks, CoverEveryByteRangeOfALine) {
  for (unsigned offset = 0; offset < kLineBytes; ++offset) {
    for (unsigned bytes = 1; offset + bytes <= kLineBytes; ++bytes) {
      SectorMask touched = 0, covered = 0;
      for (unsigned s = 0; s < kSectorsOfLine; ++s) {
        const unsigned begin = s * kSectorBytes, end = begin + kSectorBytes;
        if (offset < end && offset + bytes > begin) touched |= SectorMask(1u << s);
        if (offset <= begin && offset + bytes >= end) covered |= SectorMask(1u << s);
      }
      ASSERT_EQ(touched_sectors(4096 + offset, bytes), touched);
      ASSERT_EQ(covered_sectors(4096 + offset, bytes), covered);
    }
  }
}

TEST(SectorMasks, SplitIntoContiguousRunsThatAddUpToTheMask) {
  for (unsigned mask = 0; mask < 16; ++mask) {
    auto rest = static_cast<SectorMask>(mask);
    unsigned runs = 0, sum = 0;
    Bytes bytes = 0;
    while (rest) {
      const SectorMask run = take_sector_run(rest);
      ASSERT_NE(run, 0);
      ASSERT_EQ(sum & run, 0u);
      ASSERT_EQ(touched_sectors(sector_run_offset(run), sector_bytes(run)), run) << "contiguous";
      ASSERT_EQ(rest & (run << 1), 0u) << "maximal";
      sum |= run;
      bytes += sector_bytes(run);
      ++runs;
    }
    ASSERT_EQ(sum, mask);
    ASSERT_EQ(bytes, sector_bytes(static_cast<SectorMask>(mask)));
    ASSERT_EQ(runs, sector_runs(static_cast<SectorMask>(mask)));
  }
}

TEST(ExclusiveOrFold, MapsAlignedRunsOfEveryPowerOfTwoStrideOneToOne) {
  for (unsigned bits = 1; bits <= 8; ++bits) {
    for (unsigned shift = 0; shift <= 40; ++shift) {
      for (const std::uint64_t run : {0, 1, 5, 1000}) {
        std::set<std::uint64_t> values;
        for (std::uint64_t i = 0; i < 1u << bits; ++i)
          values.insert(exclusive_or_fold(((run << bits) + i) << shift, bits) & ((1u << bits) - 1));
        ASSERT_EQ(values.size(), 1u << bits) << bits << " bits, stride 2^" << shift;
      }
    }
  }
}

/// Least recently used, written the slow and obvious way.
class Oracle {
 public:
  Oracle(unsigned sets, unsigned ways) : sets_(sets), ways_(ways) {}
  bool contains(std::uint64_t line, unsigned set) const {
    for (const auto l : sets_[set]) {
      if (l == line) return true;
    }
    return false;
  }
  void use(std::uint64_t line, unsigned set) {
    sets_[set].remove(line);
    sets_[set].push_front(line);
  }
  void remove(std::uint64_t line, unsigned set) { sets_[set].remove(line); }
  /// Line that makes way; kNoLine when there is room or all are pending.
  std::uint64_t victim(unsigned set, const std::set<std::uint64_t>& pending, bool& none) const {
    none = false;
    if (sets_[set].size() < ways_) return SectoredTags::kNoLine;
    for (auto it = sets_[set].rbegin(); it != sets_[set].rend(); ++it) {
      if (!pending.count(*it)) return *it;
    }
    none = true;
    return SectoredTags::kNoLine;
  }

 private:
  std::vector<std::list<std::uint64_t>> sets_;
  unsigned ways_;
};

struct Shape {
  unsigned sets, ways;
  SetIndex index;
};

class SectoredTagsOfAnyShape : public ::testing::TestWithParam<Shape> {};

TEST_P(SectoredTagsOfAnyShape, BehavesAsLeastRecentlyUsedThatSparesPendingLines) {
  const auto [sets, ways, index] = GetParam();
  SectoredTags tags(sets, ways, index);
  Oracle oracle(sets, ways);
  std::set<std::uint64_t> pending;
  std::mt19937_64 random(7);
  const std::uint64_t footprint = std::uint64_t{sets} * ways * 2;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t line = (random() % footprint) + (random() % 2 ? 0 : 0x7F00000000);
    const unsigned set = tags.set_of(line);
    ASSERT_LT(set, sets);
    const Slot slot = tags.find(line);
    ASSERT_EQ(slot != SectoredTags::kNoSlot, oracle.contains(line, set));
    if (slot != SectoredTags::kNoSlot) {
      ASSERT_EQ(tags.find_or_replace(line), slot);
      ASSERT_EQ(tags[slot].number, line);
      if (random() % 16 == 0 && !pending.count(line)) {
        tags.invalidate(slot);
        oracle.remove(line, set);
      } else {
        tags.touch(slot);
        oracle.use(line, set);
        tags[slot].pending = random() % 4 == 0;
        tags[slot].pending ? (void)pending.insert(line) : (void)pending.erase(line);
      }
      continue;
    }
    bool none = false;
    const std::uint64_t expected = oracle.victim(set, pending, none);
    const Slot victim = tags.victim(line);
    ASSERT_EQ(victim == SectoredTags::kNoSlot, none);
    if (none) continue;
    ASSERT_EQ(tags[victim].number, expected);
    if (expected != SectoredTags::kNoLine) oracle.remove(expected, set);
    if (random() % 2) {
      tags.replace(victim, line);
    } else {
      ASSERT_EQ(tags.find_or_replace(line), victim);
    }
    oracle.use(line, set);
    ASSERT_EQ(tags[victim].valid, 0);
    ASSERT_EQ(tags[victim].dirty, 0);
    ASSERT_FALSE(tags[victim].pending);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SectoredTagsOfAnyShape,
                         ::testing::Values(Shape{1, 1, SetIndex::kFold}, Shape{1, 2, SetIndex::kModulo},
                                           Shape{1, 512, SetIndex::kFold}, Shape{2, 3, SetIndex::kFold},
                                           Shape{3, 8, SetIndex::kFold}, Shape{64, 16, SetIndex::kFold},
                                           Shape{96, 16, SetIndex::kFold}, Shape{85, 9, SetIndex::kModulo},
                                           Shape{256, 20, SetIndex::kFold}, Shape{2, 256, SetIndex::kModulo},
                                           Shape{2, 257, SetIndex::kModulo}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.sets) + "x" + std::to_string(shape.param.ways) +
                                  (shape.param.index == SetIndex::kFold ? "hashed" : "modulo");
                         });

TEST(SectoredTags, ModuloIndexIsTheRemainderForAnyNumberOfSets) {
  std::mt19937_64 random(3);
  for (unsigned sets = 1; sets < 300; ++sets) {
    const SectoredTags tags(sets, 1, SetIndex::kModulo);
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t line = random() >> (random() % 64);
      ASSERT_EQ(tags.set_of(line), line % sets) << line << " of " << sets;
    }
  }
}

TEST(SectoredTags, HashedIndexSpreadsEveryPowerOfTwoStrideOverTheSets) {
  for (const unsigned sets : {16u, 48u, 64u, 96u, 128u}) {
    const SectoredTags hashed(sets, 1, SetIndex::kFold);
    for (unsigned shift = 0; shift <= 20; ++shift) {
      std::map<unsigned, unsigned> uses;
      for (std::uint64_t i = 0; i < 16 * sets; ++i) ++uses[hashed.set_of(i << shift)];
      unsigned most = 0;
      for (const auto& [set, count] : uses) most = std::max(most, count);
      EXPECT_LE(most, 16 * 4u) << "stride " << (1u << shift) << " lines, " << sets << " sets";
    }
  }
}

TEST(SectoredTags, InvalidateAllLeavesNoLine) {
  SectoredTags tags(4, 4, SetIndex::kFold);
  for (std::uint64_t line = 0; line < 64; ++line) tags.replace(tags.victim(line), line);
  tags.invalidate_all();
  for (std::uint64_t line = 0; line < 64; ++line) EXPECT_EQ(tags.find(line), SectoredTags::kNoSlot);
}

TEST(SectoredTags, RefusesShapesThatHoldNothing) {
  EXPECT_THROW(SectoredTags(0, 4, SetIndex::kFold), InputError);
  EXPECT_THROW(SectoredTags(4, 0, SetIndex::kFold), InputError);
  EXPECT_THROW(SectoredTags(1, 65536, SetIndex::kFold), InputError);
}

}  // namespace
}  // namespace gputlm
