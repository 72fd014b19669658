/// Where lines and copies lie in an L2 with two partitions, beside a plain model: a set is a list of lines, each with the
/// half that it is in and the sectors that the other half has too.
#include "models/l2/halves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace gputlm {
namespace {

using Read = L2Halves::Read;

struct Held {
  std::uint64_t line = SectoredTags::kNoLine;
  unsigned half = 0;
  SectorMask copied = 0;
  bool used = false, dirty = false;
  bool present() const { return line != SectoredTags::kNoLine; }
  bool takes_way_of(unsigned h) const { return present() && (half == h || copied != 0); }
};

/// What halves.h says, by looking at all ways each time.
class Plain {
 public:
  Plain(unsigned sets, unsigned ways, bool copies) : sets_(sets, std::vector<Held>(ways)), copies_(copies) {}

  Held& at(unsigned set, unsigned way) { return sets_[set][way]; }
  unsigned ways() const { return static_cast<unsigned>(sets_.front().size()); }
  unsigned of_half() const { return (ways() + 1) / 2; }
  unsigned lines(unsigned set, unsigned half) const {
    return static_cast<unsigned>(std::count_if(sets_[set].begin(), sets_[set].end(),
                                               [&](const Held& h) { return h.present() && h.half == half; }));
  }
  unsigned taken(unsigned set, unsigned half) const {
    return static_cast<unsigned>(
        std::count_if(sets_[set].begin(), sets_[set].end(), [&](const Held& h) { return h.takes_way_of(half); }));
  }

  void put(unsigned set, unsigned way, std::uint64_t line, unsigned half) {
    at(set, way) = {};
    const unsigned there = lines(set, half) < of_half() ? half : 1 - half;
    if (taken(set, there) >= of_half() && taken(set, there) > lines(set, there)) {
      Held* victim = nullptr;
      do victim = &next(set);
      while (victim->copied == 0 || victim->half == there);
      victim->copied = 0;
    }
    at(set, way) = {line, there, 0, true, false};
  }
  Read read(unsigned set, unsigned way, unsigned half, SectorMask sectors) {
    Held& held = at(set, way);
    held.used = true;
    if (held.half == half) return Read::kNear;
    if ((held.copied & sectors) == sectors) return Read::kCopy;
    if (copies_ && (held.copied != 0 || taken(set, half) < of_half() || clear(set, half)))
      held.copied = static_cast<SectorMask>(held.copied | sectors);
    return Read::kFar;
  }
  unsigned write(unsigned set, unsigned way, SectorMask sectors) {
    Held& held = at(set, way);
    held.used = held.dirty = true;
    held.copied = static_cast<SectorMask>(held.copied & ~sectors);
    return held.half;
  }

 private:
  bool clear(unsigned set, unsigned half) {
    Held* held = nullptr;
    do held = &next(set);
    while (!held->takes_way_of(half));
    const bool is_copy = held->half != half;
    if (held->used || (!is_copy && held->dirty)) {
      held->used = false;
      return false;
    }
    if (is_copy) {
      held->copied = 0;
    } else {
      *held = {};
    }
    return true;
  }
  Held& next(unsigned set) {
    turn_ = (turn_ + 1) % ways();
    return sets_[set][turn_];
  }

  std::vector<std::vector<Held>> sets_;
  bool copies_;
  unsigned turn_ = 0;
};

class RandomHalves : public testing::TestWithParam<unsigned> {};

TEST_P(RandomHalves, AreThoseOfAPlainModel) {
  const unsigned seed = GetParam();
  std::mt19937 random(seed);
  const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned sets = 1 + draw(4), ways = 1 + draw(20);
  const bool copies = seed % 4 != 0;
  SectoredTags tags(sets, ways, SetIndex::kFold);
  L2Halves halves(tags, copies);
  Plain plain(sets, ways, copies);
  const unsigned stride = tags.slots() / sets;
  const bool fits = seed % 3 == 0;
  const unsigned footprint = fits ? (sets * ways + 1) / 2 : sets * ways * (1 + seed % 3);
  std::map<Read, unsigned> seen;
  for (unsigned step = 0; step < 4000; ++step) {
    const std::uint64_t line = draw(footprint);
    const unsigned half = draw(2), set = tags.set_of(line);
    const auto sectors = static_cast<SectorMask>(1 + draw(15));
    SectoredTags::Slot slot = tags.find(line);
    if (slot == SectoredTags::kNoSlot) {
      slot = tags.victim(line);
      halves.put(set, slot, half);
      tags.replace(slot, line);
      plain.put(set, slot % stride, line, half);
    } else if (draw(8) == 0) {
      tags[slot].dirty |= sectors;
      ASSERT_EQ(halves.write(set, slot, sectors), plain.write(set, slot % stride, sectors)) << step;
    } else {
      tags.touch(slot);
      const Read read = halves.read(set, slot, half, sectors);
      ASSERT_EQ(read, plain.read(set, slot % stride, half, sectors)) << step;
      ++seen[read];
    }
    for (unsigned way = 0; way < ways; ++way)
      ASSERT_EQ(tags[set * stride + way].number, plain.at(set, way).line) << step;
    for (const unsigned h : {0u, 1u}) ASSERT_LE(plain.taken(set, h), plain.of_half()) << step;
  }
  EXPECT_GT(seen[Read::kNear], 0u);
  if (!copies || ways == 1) {
    EXPECT_EQ(seen[Read::kCopy], 0u);
  } else if (fits) {
    EXPECT_GT(seen[Read::kCopy], 0u);
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomHalves, testing::Range(0u, 40u));

TEST(Halves, ACopyIsThereForTheNextReadAndGoesWithAWrite) {
  SectoredTags tags(1, 4, SetIndex::kFold);
  L2Halves halves(tags, true);
  halves.put(0, 0, 0);
  tags.replace(0, 7);
  EXPECT_EQ(halves.read(0, 0, 0, 0xF), Read::kNear);
  EXPECT_EQ(halves.read(0, 0, 1, 0x3), Read::kFar);
  EXPECT_EQ(halves.read(0, 0, 1, 0x3), Read::kCopy);
  EXPECT_EQ(halves.read(0, 0, 1, 0x4), Read::kFar);
  EXPECT_EQ(halves.write(0, 0, 0x1), 0u);
  EXPECT_EQ(halves.read(0, 0, 1, 0x6), Read::kCopy);
  EXPECT_EQ(halves.read(0, 0, 1, 0x1), Read::kFar);
}

}  // namespace
}  // namespace gputlm
