/// Where lines and copies lie in an L2 with two partitions, beside a plain model: a set is a list of lines, each with the
/// half that it is in, the sectors that the other half has too, and the application that has this copy.
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
  unsigned owner = 0;
  bool present() const { return line != SectoredTags::kNoLine; }
  bool takes_way_of(unsigned h) const { return present() && (half == h || copied != 0); }
};

/// What halves.h says, by looking at all ways each time.
class Plain {
 public:
  /// The first application has the first `own` ways, the other one the rest; 0: both have all.
  Plain(unsigned sets, unsigned ways, bool copies, unsigned own)
      : sets_(sets, std::vector<Held>(ways)), copies_(copies), own_(own) {}

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

  unsigned user_of(unsigned way) const { return own_ && way >= own_; }
  unsigned ways_of(unsigned user) const { return user == 0 ? own_ : ways() - own_; }
  bool has_room(unsigned set, unsigned user) const { return own_ == 0 || taken_by(set, user) < ways_of(user); }
  /// Lines in the ways of an application, and its copies.
  unsigned taken_by(unsigned set, unsigned user) const {
    unsigned taken = 0;
    for (unsigned way = 0; way < ways(); ++way) {
      const Held& h = sets_[set][way];
      taken += h.present() && user_of(way) == user;
      taken += h.copied != 0 && h.owner == user;
    }
    return taken;
  }

  void put(unsigned set, unsigned way, std::uint64_t line, unsigned half) {
    at(set, way) = {};
    const unsigned user = user_of(way);
    unsigned there = lines(set, half) < of_half() ? half : 1 - half;
    if (!has_room(set, user) && !drop(set, there, user)) drop(set, 1 - there, user);
    if (taken(set, there) >= of_half() && !drop(set, there, user)) there = 1 - there;
    at(set, way) = {line, there, 0, true, false};
  }
  Read read(unsigned set, unsigned way, unsigned half, SectorMask sectors, unsigned user) {
    Held& held = at(set, way);
    held.used = true;
    if (held.half == half) return Read::kNear;
    if ((held.copied & sectors) == sectors) return Read::kCopy;
    if (!copies_) return Read::kFar;
    if (held.copied == 0) {
      const bool room = taken(set, half) < of_half() && has_room(set, user);
      if (!room && !clear(set, half, user)) return Read::kFar;
      held.owner = user;
    }
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
  bool clear(unsigned set, unsigned half, unsigned user) {
    for (unsigned i = 0; i < ways(); ++i) {
      Held& held = next(set);
      if (!held.takes_way_of(half)) continue;
      const bool is_copy = held.half != half;
      if (own_ && (is_copy ? held.owner : user_of(turn_)) != user) continue;
      if (held.used || (!is_copy && held.dirty)) {
        held.used = false;
        return false;
      }
      if (is_copy) {
        held.copied = 0;
      } else {
        held = {};
      }
      return true;
    }
    return false;
  }
  /// A copy that the half has, of an application or of any.
  bool drop(unsigned set, unsigned half, unsigned user) {
    if (taken(set, half) == lines(set, half)) return false;
    for (unsigned i = 0; i < ways(); ++i) {
      Held& held = next(set);
      if (held.copied == 0 || held.half == half || (own_ && held.owner != user)) continue;
      held.copied = 0;
      return true;
    }
    return false;
  }
  Held& next(unsigned set) {
    turn_ = (turn_ + 1) % ways();
    return sets_[set][turn_];
  }

  std::vector<std::vector<Held>> sets_;
  bool copies_;
  unsigned own_;
  unsigned turn_ = 0;
};

class RandomHalves : public testing::TestWithParam<unsigned> {};

TEST_P(RandomHalves, AreThoseOfAPlainModel) {
  const unsigned seed = GetParam();
  std::mt19937 random(seed);
  const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned sets = 1 + draw(4), ways = 1 + draw(20);
  const bool copies = seed % 4 != 0;
  const unsigned own = seed % 2 == 1 && ways > 1 ? 1 + draw(ways - 1) : 0;
  std::vector<WaySet> allowed;
  if (own) allowed = {(WaySet{1} << own) - 1, ((WaySet{1} << ways) - 1) & ~((WaySet{1} << own) - 1)};
  SectoredTags tags(sets, ways, SetIndex::kFold);
  L2Halves halves(tags, copies, allowed);
  Plain plain(sets, ways, copies, own);
  const unsigned stride = tags.slots() / sets;
  const bool fits = seed % 3 == 0;
  const unsigned footprint = fits ? (sets * ways + 1) / 2 : sets * ways * (1 + seed % 3);
  std::map<Read, unsigned> seen;
  for (unsigned step = 0; step < 4000; ++step) {
    const std::uint64_t line = draw(footprint);
    const unsigned half = draw(2), set = tags.set_of(line), user = draw(2);
    const auto sectors = static_cast<SectorMask>(1 + draw(15));
    SectoredTags::Slot slot = tags.find(line);
    if (slot == SectoredTags::kNoSlot) {
      slot = own ? tags.victim_in(set, allowed[user]) : tags.victim(line);
      halves.put(set, slot, half);
      tags.replace(slot, line);
      plain.put(set, slot % stride, line, half);
    } else if (draw(8) == 0) {
      tags[slot].dirty |= sectors;
      ASSERT_EQ(halves.write(set, slot, sectors), plain.write(set, slot % stride, sectors)) << step;
    } else {
      tags.touch(slot);
      const Read read = halves.read(set, slot, half, sectors, static_cast<ApplicationId>(user));
      ASSERT_EQ(read, plain.read(set, slot % stride, half, sectors, user)) << step;
      ++seen[read];
    }
    for (unsigned way = 0; way < ways; ++way)
      ASSERT_EQ(tags[set * stride + way].number, plain.at(set, way).line) << step;
    for (const unsigned h : {0u, 1u}) {
      ASSERT_LE(plain.taken(set, h), plain.of_half()) << step;
      ASSERT_TRUE(own == 0 || plain.taken_by(set, h) <= plain.ways_of(h)) << step;
    }
  }
  EXPECT_GT(seen[Read::kNear], 0u);
  if (!copies || ways == 1) {
    EXPECT_EQ(seen[Read::kCopy], 0u);
  } else if (fits && own == 0) {
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

TEST(Halves, CopiesOfAnApplicationPushOutNothingOfAnother) {
  SectoredTags tags(1, 8, SetIndex::kModulo);
  const std::vector<WaySet> ways{0b11, 0xfc};
  L2Halves halves(tags, true, ways);
  const auto put = [&](std::uint64_t line, unsigned half, ApplicationId application) {
    const SectoredTags::Slot slot = tags.victim_in(0, ways[application]);
    halves.put(0, slot, half);
    tags.replace(slot, line);
    return slot;
  };
  std::vector<SectoredTags::Slot> kept;
  for (const std::uint64_t line : {0, 1}) kept.push_back(put(line, 0, 0));
  std::vector<SectoredTags::Slot> read;
  for (const std::uint64_t line : {10, 11, 12}) read.push_back(put(line, 1, 1));
  for (unsigned round = 0; round < 100; ++round) {
    for (const SectoredTags::Slot slot : read) halves.read(0, slot, 0, 0xF, 1);
    read.back() = put(100 + round, 1, 1);
    for (const std::uint64_t line : {0, 1}) ASSERT_EQ(tags.find(line), kept[line]) << round;
  }
  // Those of the application itself go for its copies, once nobody has used them since they were looked at.
  unsigned copied = 0;
  for (const SectoredTags::Slot slot : read) copied += halves.read(0, slot, 0, 0xF, 1) == Read::kCopy;
  EXPECT_GT(copied, 0u);
}

}  // namespace
}  // namespace gputlm
