/// The L1 beside a plain one, a map of lines with their valid sectors in the order of their last use, over random loads,
/// stores, atomics, replies and divisions of the array.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <random>
#include <string>

#include "models/noc/links.h"
#include "models/sm/l1/l1_cache.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {
namespace {

constexpr unsigned kWays = 4;
constexpr Bytes kSetBytes = kWays * kLineBytes;

struct L1Bench {
  explicit L1Bench(const L1Config& config) : cache(config, {}, network, accesses) {}

  LineAccess line(std::uint64_t number, SectorMask sectors, SectorMask covered) const {
    LineAccess access;
    access.line = number;
    access.sectors = sectors;
    access.covered = covered;
    return access;
  }
  /// What the cache has sent on since.
  std::vector<Access*> sent() {
    cache.drain(kNever - 1);
    std::vector<Access*> all;
    for (const auto& departure : cache.port().departures()) all.push_back(departure.item);
    cache.port().departures().clear();
    if (!all.empty()) cache.port().credit(0, static_cast<unsigned>(all.size()));
    return all;
  }

  MemoryMap map{{}, 4};
  NetworkInterface network{0, FlitFormat(40, 8), sm_link(Clock(1000), NocConfig()), map};
  PlainItems<Access> accesses;
  BlockCounters counters;
  L1Cache cache;
};

/// Lines of sets, the one used last first.
class PlainL1 {
 public:
  PlainL1(Bytes bytes, L1Stores stores) : stores_(stores) { divide(bytes); }

  void divide(Bytes bytes) {
    const std::size_t sets = bytes / kSetBytes;
    if (sets == sets_.size()) return;
    sets_.assign(sets, {});
  }
  void clear() { sets_.assign(sets_.size(), {}); }
  SectorMask valid(std::uint64_t line) const {
    for (const Line& l : set(line)) {
      if (l.number == line) return l.valid;
    }
    return 0;
  }
  void load(std::uint64_t line, SectorMask sectors) {
    if (valid(line) & sectors) use(line);
  }
  void fill(std::uint64_t line, SectorMask sectors) {
    if (!present(line)) come(line);
    find(line).valid |= sectors;
  }
  void store(std::uint64_t line, SectorMask sectors, SectorMask covered) {
    if (stores_ == L1Stores::kEvict) {
      if (present(line)) find(line).valid &= static_cast<SectorMask>(~sectors);
      return;
    }
    if (present(line)) {
      use(line);
    } else if (stores_ == L1Stores::kAllocate) {
      come(line);
    }
    if (stores_ == L1Stores::kAllocate) find(line).valid |= covered;
  }
  void atomic(std::uint64_t line, SectorMask sectors) {
    if (present(line)) find(line).valid &= static_cast<SectorMask>(~sectors);
  }

 private:
  struct Line {
    std::uint64_t number;
    SectorMask valid;
  };
  std::list<Line>& set(std::uint64_t line) { return sets_[line % sets_.size()]; }
  const std::list<Line>& set(std::uint64_t line) const { return sets_[line % sets_.size()]; }
  bool present(std::uint64_t line) const {
    return std::any_of(set(line).begin(), set(line).end(), [&](const Line& l) { return l.number == line; });
  }
  Line& find(std::uint64_t line) {
    return *std::find_if(set(line).begin(), set(line).end(), [&](const Line& l) { return l.number == line; });
  }
  void use(std::uint64_t line) {
    auto& lines = set(line);
    const auto at = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.number == line; });
    lines.splice(lines.begin(), lines, at);
  }
  void come(std::uint64_t line) {
    auto& lines = set(line);
    lines.push_front({line, 0});
    if (lines.size() > kWays) lines.pop_back();
  }

  L1Stores stores_;
  std::vector<std::list<Line>> sets_;
};

class L1With : public ::testing::TestWithParam<std::string> {};

TEST_P(L1With, RandomLoadsStoresAndDivisionsHitsWhereAPlainOneHits) {
  L1Config config;
  config.bytes = 8 * kSetBytes;
  config.ways = kWays;
  config.stores = GetParam();
  config.mshrs = 8;
  L1Bench bench(config);
  PlainL1 plain(config.bytes, l1_stores().at(config.stores).make);
  std::mt19937_64 random(5);
  std::deque<Access*> under_way;  // reads that have not been answered
  std::map<std::uint64_t, SectorMask> pending;
  L1Requester requester;
  requester.counters = &bench.counters;
  unsigned hits = 0, divisions = 0;
  for (unsigned step = 0; step < 60'000; ++step) {
    const std::uint64_t line = random() % 48;
    const auto sectors = static_cast<SectorMask>(1 + random() % 15),
               covered = static_cast<SectorMask>(sectors & random());
    const unsigned what = random() % 400;
    if (what < 2) {
      bench.cache.invalidate();
      plain.clear();
    } else if (what < 6) {
      const Bytes shared = random() % 8 * kSetBytes;
      bench.cache.divide(shared);
      plain.divide(config.bytes - shared);
      ++divisions;
    } else if (what < 106) {
      ASSERT_EQ(bench.cache.store(step, requester, bench.line(line, sectors, covered)), L1Stall::kNone);
      plain.store(line, sectors, covered);
    } else if (what < 126) {
      ASSERT_EQ(bench.cache.atomic(step, requester, bench.line(line, sectors, 0)), L1Stall::kNone);
      plain.atomic(line, sectors);
    } else if (what < 206) {
      if (under_way.empty()) continue;
      Access& reply = *under_way.front();
      under_way.pop_front();
      const SectorMask come = touched_sectors(reply.address, reply.bytes);
      bench.cache.fill(reply, [](std::uint32_t) {});
      plain.fill(reply.address / kLineBytes, come);
      pending[reply.address / kLineBytes] &= static_cast<SectorMask>(~come);
    } else {
      const auto result = bench.cache.load(step, requester, bench.line(line, sectors, 0));
      if (result.stall != L1Stall::kNone) continue;
      ASSERT_EQ(result.hits, plain.valid(line) & sectors) << "step " << step << ", line " << line;
      ASSERT_EQ(result.missing, sectors & ~plain.valid(line));
      plain.load(line, sectors);
      hits += result.hits != 0;
    }
    for (Access* const access : bench.sent()) {
      if (access->write || access->atomic) continue;
      const SectorMask asked = touched_sectors(access->address, access->bytes);
      ASSERT_EQ(pending[access->address / kLineBytes] & asked, 0) << "asked for twice";
      pending[access->address / kLineBytes] |= asked;
      under_way.push_back(access);
    }
  }
  EXPECT_GT(hits, 2000u);
  EXPECT_GT(divisions, 400u);
}

INSTANTIATE_TEST_SUITE_P(Stores, L1With, ::testing::Values("through", "allocate", "evict"),
                         [](const auto& stores) { return stores.param; });

}  // namespace
}  // namespace gputlm::test
