/// Each replacement policy beside a plain one: a set is a list of lines, each with the state that the policy's paper keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "models/cache/sectored_tags.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kEmpty = SectoredTags::kNoLine;

/// A set as a reader of the paper would write it. Ways are places of `lines`.
struct PlainSet {
  std::vector<std::uint64_t> lines;
  std::vector<bool> pending;
  std::vector<std::uint64_t> stamp;  ///< of the last use; of bip: of the place in the order
  std::vector<unsigned> recent;      ///< nru
  std::vector<unsigned> interval;    ///< rrip
  std::map<std::pair<unsigned, unsigned>, bool>
      right;  ///< plru: the half [first, first + size) points to its upper part
  std::uint64_t came = 0, clock = 1'000'000;

  explicit PlainSet(unsigned ways) : lines(ways, kEmpty), pending(ways), stamp(ways), recent(ways), interval(ways, 3) {
    for (unsigned way = 0; way < ways; ++way) stamp[way] = clock / 2 + way;
  }
  unsigned ways() const { return static_cast<unsigned>(lines.size()); }
  std::optional<unsigned> way_of(std::uint64_t line) const {
    const auto found = std::find(lines.begin(), lines.end(), line);
    return found == lines.end() ? std::nullopt : std::optional<unsigned>(found - lines.begin());
  }
};

class Plain {
 public:
  virtual ~Plain() = default;
  virtual void used(PlainSet& set, unsigned way) const = 0;
  virtual void filled(PlainSet& set, unsigned way) const = 0;
  /// All lines that the policy could name, best first, whether or not they are pending.
  virtual std::vector<unsigned> preferred(const PlainSet& set) const = 0;

 protected:
  static std::vector<unsigned> from(unsigned start, unsigned ways) {
    std::vector<unsigned> order;
    for (unsigned i = 0; i < ways; ++i) order.push_back((start + i) % ways);
    return order;
  }
  template <class Key>
  static std::vector<unsigned> least(unsigned ways, Key key) {
    std::vector<unsigned> order = from(0, ways);
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return key(a) < key(b); });
    return order;
  }
};

struct PlainLru : Plain {
  void used(PlainSet& set, unsigned way) const override { set.stamp[way] = ++set.clock; }
  void filled(PlainSet& set, unsigned way) const override { used(set, way); }
  std::vector<unsigned> preferred(const PlainSet& set) const override {
    return least(set.ways(), [&](unsigned way) { return set.stamp[way]; });
  }
};

struct PlainBip : PlainLru {
  void filled(PlainSet& set, unsigned way) const override {
    if (++set.came % 32 == 0) return used(set, way);
    set.stamp[way] = *std::min_element(set.stamp.begin(), set.stamp.end()) - 1;
  }
};

struct PlainNru : Plain {
  void used(PlainSet& set, unsigned way) const override {
    set.recent[way] = 1;
    if (std::count(set.recent.begin(), set.recent.end(), 1u) < set.ways()) return;
    set.recent.assign(set.ways(), 0);
    set.recent[way] = 1;
  }
  void filled(PlainSet& set, unsigned way) const override { used(set, way); }
  std::vector<unsigned> preferred(const PlainSet& set) const override {
    return least(set.ways(), [&](unsigned way) { return set.recent[way]; });
  }
};

struct PlainPlru : Plain {
  static unsigned size_of(const PlainSet& set) {
    unsigned size = 1;
    while (size < set.ways()) size *= 2;
    return size;
  }
  void used(PlainSet& set, unsigned way) const override {
    unsigned first = 0;
    for (unsigned size = size_of(set); size > 1; size /= 2) {
      const bool upper = way >= first + size / 2;
      set.right[{first, size}] = !upper;
      if (upper) first += size / 2;
    }
  }
  void filled(PlainSet& set, unsigned way) const override { used(set, way); }
  std::vector<unsigned> preferred(const PlainSet& set) const override {
    unsigned first = 0;
    for (unsigned size = size_of(set); size > 1; size /= 2) {
      const auto node = set.right.find({first, size});
      if (node != set.right.end() && node->second) first += size / 2;
    }
    return from(first < set.ways() ? first : 0, set.ways());
  }
};

struct PlainRrip : Plain {
  void used(PlainSet& set, unsigned way) const override { set.interval[way] = 0; }
  void filled(PlainSet& set, unsigned way) const override {
    while (set.interval[way] < 3) {
      for (unsigned& interval : set.interval) interval = std::min(3u, interval + 1);
    }
    set.interval[way] = 2;
  }
  std::vector<unsigned> preferred(const PlainSet& set) const override {
    return least(set.ways(), [&](unsigned way) { return 3 - set.interval[way]; });
  }
};

const std::map<std::string, std::shared_ptr<Plain>> kPlain = {{"lru", std::make_shared<PlainLru>()},
                                                              {"bip", std::make_shared<PlainBip>()},
                                                              {"nru", std::make_shared<PlainNru>()},
                                                              {"plru", std::make_shared<PlainPlru>()},
                                                              {"rrip", std::make_shared<PlainRrip>()}};

class ReplacementOf : public ::testing::TestWithParam<std::string> {};

SectoredTags tags_of(const std::string& policy, unsigned sets, unsigned ways) {
  return {sets, ways, SetIndex::kModulo, make_replacement(l1_replacements(), policy, {sets, ways})};
}

TEST_P(ReplacementOf, DoesWhatAPlainOneDoes) {
  const Plain& plain = *kPlain.at(GetParam());
  std::mt19937_64 random(11);
  for (const unsigned ways : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 64u}) {
    constexpr unsigned kSets = 3;
    SectoredTags tags = tags_of(GetParam(), kSets, ways);
    std::vector<PlainSet> sets(kSets, PlainSet(ways));
    for (int step = 0; step < 4000; ++step) {
      if (step % 1500 == 1499) {
        tags.invalidate_all();
        const auto came = sets;
        sets.assign(kSets, PlainSet(ways));
        for (unsigned set = 0; set < kSets; ++set) sets[set].came = came[set].came;  // what was counted stays
      }
      const std::uint64_t line = random() % (kSets * ways * 3 / 2 + 3);
      PlainSet& set = sets[tags.set_of(line)];
      const std::optional<unsigned> present = set.way_of(line);
      const auto slot = tags.find(line);
      ASSERT_EQ(slot != SectoredTags::kNoSlot, present.has_value()) << ways << " ways, step " << step;
      if (present) {
        tags.touch(slot);
        plain.used(set, *present);
        tags[slot].pending = set.pending[*present] = random() % 5 == 0;
        continue;
      }
      std::optional<unsigned> expected = set.way_of(kEmpty);
      for (const unsigned way : plain.preferred(set)) {
        if (!expected && !set.pending[way]) expected = way;
      }
      const auto victim = tags.victim(line);
      ASSERT_EQ(victim != SectoredTags::kNoSlot, expected.has_value()) << ways << " ways, step " << step;
      if (!expected) continue;
      // The order of empty ways is the tags' own for lru.
      if (set.lines[*expected] != kEmpty || GetParam() != "lru") {
        ASSERT_EQ(tags[victim].number, set.lines[*expected]) << ways << " ways, step " << step;
      }
      tags.replace(victim, line);
      set.lines[*expected] = line;
      set.pending[*expected] = false;
      plain.filled(set, *expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, ReplacementOf, ::testing::Values("lru", "plru", "nru", "rrip", "bip"),
                         [](const auto& policy) { return policy.param; });

TEST(Replacement, RandomNamesEveryWayAboutAsOftenAndIsTheSameEachTime) {
  constexpr unsigned kWays = 16, kLines = 16'000;
  SectoredTags tags = tags_of("random", 1, kWays), again = tags_of("random", 1, kWays);
  std::map<SectoredTags::Slot, unsigned> named;
  for (std::uint64_t line = 0; line < kLines; ++line) {
    const auto victim = tags.victim(line);
    ASSERT_EQ(victim, again.victim(line));
    tags.replace(victim, line);
    again.replace(victim, line);
    ++named[victim];
  }
  ASSERT_EQ(named.size(), kWays);
  for (const auto& [slot, times] : named) EXPECT_NEAR(times, kLines / kWays, 120) << slot;  // four standard deviations
}

TEST(Replacement, RandomSparesPendingLines) {
  SectoredTags tags = tags_of("random", 1, 4);
  for (std::uint64_t line = 0; line < 4; ++line) tags.replace(tags.victim(line), line);
  for (const std::uint64_t line : {0, 1, 3}) tags[tags.find(line)].pending = true;
  EXPECT_EQ(tags[tags.victim(9)].number, 2u);
  tags[tags.find(2)].pending = true;
  EXPECT_EQ(tags.victim(9), SectoredTags::kNoSlot);
}

/// Hits of a sweep over a footprint of some times the cache, in the steady state.
double hits_of(const std::string& policy, double times) {
  constexpr unsigned kSets = 8, kWays = 32, kSweeps = 40;
  SectoredTags tags = tags_of(policy, kSets, kWays);
  const auto lines = static_cast<std::uint64_t>(kSets * kWays * times);
  std::uint64_t hits = 0;
  for (unsigned sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::uint64_t line = 0; line < lines; ++line) {
      const auto slot = tags.find(line);
      if (slot == SectoredTags::kNoSlot) {
        tags.replace(tags.victim(line), line);
      } else {
        tags.touch(slot);
        hits += sweep >= kSweeps / 2;
      }
    }
  }
  return static_cast<double>(hits) / static_cast<double>(lines) / (kSweeps / 2.0);
}

TEST(Replacement, OfAFootprintBeyondTheCacheLruKeepsNothingRandomSomeAndBipWhatFits) {
  EXPECT_EQ(hits_of("lru", 1.5), 0);
  EXPECT_EQ(hits_of("plru", 1.5), 0);
  // A line stays with probability exp(-misses / lines): h = exp(-1.5 * (1 - h)) has the solution 0.417.
  EXPECT_NEAR(hits_of("random", 1.5), 0.417, 0.03);
  EXPECT_NEAR(hits_of("bip", 1.5), 1 / 1.5, 0.06);
  for (const char* const policy : {"lru", "plru", "nru", "random", "rrip", "bip"})
    EXPECT_EQ(hits_of(policy, 1), 1) << policy;
}

TEST(SectoredTags, OfAnotherSizeAreEmptyAndKeepToTheirSets) {
  for (const char* const policy : {"lru", "random", "bip"}) {
    SectoredTags tags = tags_of(policy, 8, 4);
    for (const unsigned sets : {8u, 3u, 1u, 8u, 5u}) {
      for (std::uint64_t line = 0; line < 100; ++line) {
        if (tags.find(line) == SectoredTags::kNoSlot) tags.replace(tags.victim(line), line);
      }
      tags.resize(sets);
      for (std::uint64_t line = 0; line < 100; ++line) {
        ASSERT_EQ(tags.find(line), SectoredTags::kNoSlot) << policy;
        ASSERT_LT(tags.set_of(line), sets);
      }
      for (std::uint64_t line = 0; line < sets * 4u; ++line) tags.replace(tags.victim(line), line);
      for (std::uint64_t line = 0; line < sets * 4u; ++line)
        ASSERT_NE(tags.find(line), SectoredTags::kNoSlot) << policy;
    }
  }
}

TEST(SectoredTags, AMixedIndexSpreadsAnyFootprintAsIfDrawn) {
  constexpr unsigned kSets = 64;
  const SectoredTags tags(kSets, 1, SetIndex::kMix);
  for (unsigned shift = 0; shift <= 20; shift += 4) {
    std::vector<unsigned> lines(kSets);
    for (std::uint64_t i = 0; i < 64 * kSets; ++i) ++lines[tags.set_of(i << shift)];
    double square = 0;
    for (const unsigned count : lines) square += (count - 64.0) * (count - 64.0) / kSets;
    EXPECT_NEAR(square, 64, 40) << "stride 2^" << shift;  // Poisson: the variance is the mean
  }
}

// Under every policy, with lines that wait for fills, a line goes into the allowed ways, into an empty one first, and replaces
// no line of others. A lookup finds it in any way.
TEST(WaysOfASet, AreTheOnlyOnesThatALineComesInto) {
  for (const Policy<std::function<std::unique_ptr<Replacement>(const ReplacementSetup&)>>& policy : l2_replacements()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      std::mt19937_64 random(seed);
      const unsigned ways = seed % 2 ? 16 : 6, sets = 3;
      SectoredTags tags(sets, ways, SetIndex::kModulo,
                        make_replacement(l2_replacements(), policy.name, {sets, ways, {}}));
      const WaySet all = (WaySet{1} << ways) - 1, allowed[] = {0b111, all & ~WaySet{0b11111}, all};
      std::map<SectoredTags::Slot, std::uint64_t> lines;
      for (unsigned step = 0; step < 3000; ++step) {
        const std::uint64_t line = random() % 90;
        const unsigned set = tags.set_of(line);
        const SectoredTags::Slot there = tags.find(line, set);
        EXPECT_EQ(there != SectoredTags::kNoSlot,
                  std::any_of(lines.begin(), lines.end(), [&](const auto& one) { return one.second == line; }));
        if (there != SectoredTags::kNoSlot) {
          tags.touch(there);
          tags[there].pending = random() % 4 == 0;
          continue;
        }
        const WaySet mask = allowed[line % 3];
        const SectoredTags::Slot first = tags.victim_in(set, all);
        const SectoredTags::Slot slot = tags.victim_in(set, mask);
        if (mask == all) {
          EXPECT_EQ(slot, first);
        }
        unsigned pending = 0, empty = 0;
        const SectoredTags::Slot of_set = set * (tags.slots() / sets);
        for (unsigned way = 0; way < ways; ++way) {
          pending += (mask >> way & 1) != 0 && tags[of_set + way].pending;
          empty += (mask >> way & 1) != 0 && tags[of_set + way].number == SectoredTags::kNoLine;
        }
        ASSERT_EQ(slot == SectoredTags::kNoSlot, pending == static_cast<unsigned>(__builtin_popcountll(mask)));
        if (slot == SectoredTags::kNoSlot) {
          for (unsigned way = 0; way < ways; ++way) tags[of_set + way].pending = false;
          continue;
        }
        EXPECT_NE(mask >> (slot - of_set) & 1, 0u) << policy.name;
        EXPECT_FALSE(tags[slot].pending);
        if (empty > 0) {
          EXPECT_EQ(tags[slot].number, SectoredTags::kNoLine);
        }
        lines.erase(slot);
        tags.replace(slot, line);
        lines[slot] = line;
      }
    }
  }
}

}  // namespace
}  // namespace gputlm
