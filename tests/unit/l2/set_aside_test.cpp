/// The part of the L2 that is set aside: which lines of a window persist and stay, compared with a plain model, in which a set
/// is a list of lines, each with its kind and the time of its last use.
#include "models/l2/set_aside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/l2/halves.h"
#include "models/l2/slice_core.h"
#include "tests/unit/l2/slice_harness.h"

namespace gputlm {
namespace {

constexpr auto kPersists = AccessProperty::kPersisting;

Access access_under(std::uint64_t line, std::uint16_t policy, ApplicationId application = 0) {
  Access access;
  access.address = line * kLineBytes;
  access.bytes = 32;
  access.identity.application = application;
  access.identity.access_policy = policy;
  return access;
}

// --- Which lines of a window ---

TEST(AccessPolicyWindow, IsWhereItIsAndNowhereElse) {
  const AccessPolicyWindow window{4096, 8192};
  for (const Address inside : {4096, 4097, 12287}) EXPECT_EQ(property_in(window, inside), kPersists) << inside;
  for (const Address outside : {Address{0}, Address{4095}, Address{12288}, ~Address{0}})
    EXPECT_EQ(property_in(window, outside), std::nullopt) << outside;
}

TEST(AccessPolicyWindow, HasTheShareOfLinesThatItsRatioSaysWholeLinesAndTheSameOnesAgain) {
  constexpr std::uint64_t kLines = 100000;
  for (const Address base : {Address{0}, Address{0x7f5200000000}, Address{3} << 44}) {
    std::vector<bool> before(kLines, false);
    for (const double ratio : {0.0, 0.01, 0.25, 0.6, 0.999, 1.0}) {
      const AccessPolicyWindow window{base, kLines * kLineBytes, ratio, kPersists, AccessProperty::kNormal};
      std::uint64_t hits = 0, left = 0;
      for (std::uint64_t i = 0; i < kLines; ++i) {
        const Address line = base + i * kLineBytes;
        const bool hit = property_in(window, line) == kPersists;
        ASSERT_EQ(property_in(window, line + 127) == kPersists, hit);
        hits += hit;
        left += before[i] && !hit;
        before[i] = hit;
      }
      EXPECT_NEAR(static_cast<double>(hits) / kLines, ratio, 0.005) << ratio;
      EXPECT_EQ(left, 0u) << "what a smaller ratio has";
    }
  }
}

// --- What stays ---

struct PlainLine {
  std::uint64_t line = SectoredTags::kNoLine;
  int kept = 0;  ///< 0: normal, 1: streaming, 2 and on: the part of application kept - 2
  std::uint64_t used = 0;
  bool pending = false;
};

/// What set_aside.h says, of one set, by looking at all ways each time.
class PlainSet {
 public:
  PlainSet(unsigned ways, std::vector<unsigned> most, std::vector<WaySet> allowed)
      : held_(ways), most_(std::move(most)), allowed_(std::move(allowed)) {}

  PlainLine* find(std::uint64_t line) {
    const auto found = std::find_if(held_.begin(), held_.end(), [&](const PlainLine& h) { return h.line == line; });
    return found == held_.end() ? nullptr : &*found;
  }
  /// -1 if all that may go wait for fills.
  int victim(unsigned application) const {
    for (const auto& may_go :
         {+[](const PlainLine& h) { return h.line == SectoredTags::kNoLine; },
          +[](const PlainLine& h) { return h.kept == 1; }, +[](const PlainLine& h) { return h.kept == 0; },
          +[](const PlainLine&) { return true; }}) {
      int oldest = -1;
      for (unsigned way = 0; way < held_.size(); ++way) {
        const PlainLine& h = held_[way];
        if (!(allowed_[application] >> way & 1) || h.pending || !may_go(h)) continue;
        if (oldest < 0 || h.used < held_[static_cast<unsigned>(oldest)].used) oldest = static_cast<int>(way);
      }
      if (oldest >= 0) return oldest;
    }
    return -1;
  }
  void touch(PlainLine& held, std::optional<int> kept, std::uint64_t now) {
    held.used = now;
    if (!kept || *kept == held.kept) return;
    held.kept = 0;
    if (*kept >= 2) {
      const auto is_of = [&](const PlainLine& h) { return h.kept == *kept; };
      if (std::count_if(held_.begin(), held_.end(), is_of) >= most_[static_cast<unsigned>(*kept - 2)]) {
        PlainLine* oldest = nullptr;
        for (PlainLine& h : held_) {
          if (is_of(h) && !h.pending && (!oldest || h.used < oldest->used)) oldest = &h;
        }
        if (!oldest) return;
        oldest->kept = 0;
      }
    }
    held.kept = *kept;
  }
  void put(unsigned way, std::uint64_t line, std::optional<int> kept, std::uint64_t now) {
    held_[way] = {line, 0, now, false};
    touch(held_[way], kept, now);
  }
  const PlainLine& operator[](unsigned way) const { return held_[way]; }
  PlainLine& operator[](unsigned way) { return held_[way]; }

 private:
  std::vector<PlainLine> held_;
  std::vector<unsigned> most_;
  std::vector<WaySet> allowed_;
};

class RandomSetAside : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSetAside, KeepsThatOfAPlainModel) {
  const unsigned seed = GetParam();
  std::mt19937 random(seed);
  const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned sets = 1 + draw(3), ways = 2 + draw(15), slices = 1 + draw(3);
  SetAsideSetup setup;
  const Bytes of_a_way = Bytes{sets} * slices * kLineBytes;
  for (unsigned a = 0; a < 2; ++a)
    setup.bytes.push_back(draw(4) == 0 ? 0 : draw(static_cast<unsigned>(of_a_way * ways / 2)));
  for (const auto property : {AccessProperty::kPersisting, AccessProperty::kStreaming, AccessProperty::kNormal})
    setup.windows.push_back({0, ~Address{0}, 1, property});
  std::vector<WaySet> own;  // by application
  if (seed % 3 == 0) {
    const WaySet first = (WaySet{1} << (1 + draw(ways - 1))) - 1;
    own = {first, ((WaySet{1} << ways) - 1) & ~first};
  }
  SectoredTags tags(sets, ways, SetIndex::kModulo);
  SetAside set_aside(setup, tags, slices, own);
  std::vector<PlainSet> plain;
  const Bytes lines[] = {setup.bytes[0] / kLineBytes / slices, setup.bytes[1] / kLineBytes / slices};
  for (unsigned set = 0; set < sets; ++set) {
    std::vector<unsigned> most;
    for (unsigned a = 0; a < 2; ++a) {
      most.push_back(static_cast<unsigned>(lines[a] / sets + (set < lines[a] % sets)));
      ASSERT_EQ(set_aside.lines_of(set, static_cast<ApplicationId>(a)), most[a]);
    }
    plain.emplace_back(ways, most, own.empty() ? std::vector<WaySet>{kAllWays, kAllWays} : own);
  }
  const unsigned stride = tags.slots() / sets;
  for (std::uint64_t step = 1; step < 3000; ++step) {
    const std::uint64_t line = draw(sets * ways * 2);
    const unsigned set = tags.set_of(line), application = draw(2), policy = draw(4);
    const Access access =
        access_under(line, static_cast<std::uint16_t>(policy), static_cast<ApplicationId>(application));
    const bool has_part = setup.bytes[application] > 0;
    const std::optional<int> kept = policy == 0   ? std::nullopt
                                    : policy == 1 ? std::optional(has_part ? 2 + static_cast<int>(application) : 0)
                                                  : std::optional(policy == 2 ? 1 : 0);
    SectoredTags::Slot slot = tags.find(line);
    PlainLine* const held = plain[set].find(line);
    ASSERT_EQ(slot != SectoredTags::kNoSlot, held != nullptr) << step;
    if (held) {
      tags.touch(slot);
      set_aside.used(set, slot, access);
      plain[set].touch(*held, kept, step);
    } else {
      slot = set_aside.victim_in(set, access);
      const int way = plain[set].victim(application);
      ASSERT_EQ(slot == SectoredTags::kNoSlot ? -1 : static_cast<int>(slot % stride), way) << step;
      if (way < 0) {
        for (unsigned w = 0; w < ways; ++w) tags[set * stride + w].pending = plain[set][w].pending = false;
        continue;
      }
      set_aside.goes(slot);
      tags.replace(slot, line);
      set_aside.used(set, slot, access);
      plain[set].put(static_cast<unsigned>(way), line, kept, step);
    }
    if (draw(5) == 0) {
      const auto way = draw(ways);
      const bool pending = draw(3) == 0 && plain[set][way].line != SectoredTags::kNoLine;
      tags[set * stride + way].pending = plain[set][way].pending = pending;
    }
    std::array<std::uint64_t, 2> persisting{};
    for (unsigned w = 0; w < sets * ways; ++w) {
      const unsigned of = w / ways, way = w % ways;
      const CacheLine& is = tags[of * stride + way];
      ASSERT_EQ(is.number, plain[of][way].line) << step;
      ASSERT_EQ(SetAside::is_persisting(is), plain[of][way].kept >= 2) << step;
      if (plain[of][way].kept >= 2) ++persisting[static_cast<unsigned>(plain[of][way].kept - 2)];
    }
    for (unsigned a = 0; a < 2; ++a) {
      const SetAsideStatistics& counted = set_aside.statistics()[a];
      ASSERT_EQ(counted.lines_kept - counted.lines_released, persisting[a]) << step;
      ASSERT_LE(persisting[a], lines[a]) << step;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomSetAside, testing::Range(0u, 40u));

// --- In a slice ---

/// Hits of a table of lines that is read again after each pass over a part of a stream, in one set of eight ways.
std::uint64_t hits_of_table(const SetAsideSetup& setup, unsigned table, L2Config config = {}) {
  config.bytes = 8 * kLineBytes;
  config.ways = 8;
  config.latency = 60;
  const MemoryMap map({}, 1);
  test::PlainAccesses source;
  L2SliceCore core(config, {}, 0, map, source, {}, setup);
  std::uint64_t hits = 0, line = 1000;
  Cycle now = 0;
  const auto ask = [&](std::uint64_t number, std::uint16_t policy, std::uint8_t half) {
    Access& access = source.allocate();
    access = access_under(number, policy);
    access.partition = half;
    core.requests().push(now, access);
    core.advance(now + 200);
    for (auto& departure : core.memory_requests().departures()) {
      core.memory_replies().push(now + 200, *departure.item);
      core.memory_requests().credit(now + 200, 1);
    }
    core.memory_requests().departures().clear();
    core.advance(now + 400);
    for (const auto& departure : core.replies().departures()) {
      hits += departure.item->l2_hit && departure.item->address < 1000 * kLineBytes;
      core.replies().credit(now + 400, 1);
    }
    core.replies().departures().clear();
    now += 400;
  };
  for (unsigned round = 0; round < 20; ++round) {
    for (unsigned i = 0; i < table; ++i) ask(i, 1, 1);
    for (unsigned i = 0; i < 12; ++i) {  // from one half, and again from that of the table, which would keep copies
      ask(++line, 0, 0);
      ask(line, 0, 1);
    }
  }
  return hits;
}

SetAsideSetup part_of(unsigned lines, double ratio = 1) {
  return {{{0, 1000 * kLineBytes, ratio}}, {lines * kLineBytes}};
}

TEST(SetAside, KeepsATableBesideAStream) {
  EXPECT_EQ(hits_of_table({}, 4), 0u);
  EXPECT_EQ(hits_of_table(part_of(6), 4), 4u * 19);
  EXPECT_EQ(hits_of_table(part_of(4), 4), 4u * 19);
}

TEST(SetAside, OfATableThatIsTooLargeKeepsTheShareThatItsRatioSays) {
  EXPECT_EQ(hits_of_table(part_of(4), 8), 0u) << "swept in turn, it pushes itself out";
  std::uint64_t chosen = 0;
  for (Address line = 0; line < 8; ++line)
    chosen += property_in(part_of(4, 0.6).windows[0], line * kLineBytes) == kPersists;
  ASSERT_TRUE(chosen > 1 && chosen < 5) << chosen;
  EXPECT_EQ(hits_of_table(part_of(4, 0.6), 8), chosen * 19);
}

TEST(SetAside, IsNotPushedOutByCopiesOfFarLines) {
  L2Config config;
  config.partitions = 2;
  config.copies = true;
  EXPECT_EQ(hits_of_table(part_of(4), 4, config), 4u * 19);
}

TEST(SetAside, CountsPersistingAccesses) {
  SectoredTags tags(1, 4, SetIndex::kModulo);
  SetAside set_aside({{{0, 1024}, {0, 1024, 0}}, {256, 0}}, tags, 1, {});
  set_aside.count(access_under(1, 1), true);
  set_aside.count(access_under(1, 1), false);
  set_aside.count(access_under(1, 1), false);
  set_aside.count(access_under(1, 2), true);     // streaming
  set_aside.count(access_under(1, 0), true);     // in no window
  set_aside.count(access_under(9, 1), true);     // outside of it
  set_aside.count(access_under(1, 1, 1), true);  // its application has no part
  EXPECT_EQ(set_aside.statistics()[0].hits, 1u);
  EXPECT_EQ(set_aside.statistics()[0].misses, 2u);
  EXPECT_EQ(set_aside.statistics()[1].hits, 0u);
}

}  // namespace
}  // namespace gputlm
