#include "platform/bounds/arrival_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gputlm {
namespace {

/// Releases in [from, from + window).
std::uint64_t releases_in(const std::vector<Cycle>& releases, Cycle from, Cycle window) {
  return static_cast<std::uint64_t>(
      std::count_if(releases.begin(), releases.end(), [&](Cycle r) { return r >= from && r - from < window; }));
}

TEST(ArrivalCurve, OfAPeriodIsTheCeilingOfTheWindowOverIt) {
  const ArrivalCurve curve = ArrivalCurve::periodic(7);
  for (Cycle window = 0; window < 100; ++window) EXPECT_EQ(curve.most(window), (window + 6) / 7) << window;
  for (std::uint64_t n = 1; n < 100; ++n) EXPECT_EQ(curve.distance(n), (n - 1) * 7);
}

TEST(ArrivalCurve, IsWhatAListHasInItsFullestWindow) {
  std::mt19937_64 random(1);
  for (unsigned list = 0; list < 200; ++list) {
    std::vector<Cycle> releases{random() % 10};
    for (unsigned n = 1; n < 1 + random() % 30; ++n) releases.push_back(releases.back() + random() % 12);
    const ArrivalCurve curve = ArrivalCurve::of(releases, false);
    for (Cycle window = 1; window < 150; window += 1 + random() % 7) {
      std::uint64_t most = 0;
      for (const Cycle from : releases) most = std::max(most, releases_in(releases, from, window));
      EXPECT_EQ(curve.most(window), most) << "list " << list << ", window " << window;
    }
  }
}

TEST(ArrivalCurve, OfALongListAllowsAllThatItHas) {
  std::mt19937_64 random(2);
  std::vector<Cycle> releases{0};
  while (releases.size() < 2000) releases.push_back(releases.back() + random() % 20);
  const ArrivalCurve curve = ArrivalCurve::of(releases, false);
  for (Cycle window = 1; window < 20000; window += 37) {
    for (std::size_t first = 0; first < releases.size(); first += 11)
      ASSERT_LE(releases_in(releases, releases[first], window), curve.most(window)) << window;
  }
}

TEST(ArrivalCurve, WindowAndDistanceAreInversesOfEachOther) {
  std::mt19937_64 random(3);
  for (unsigned list = 0; list < 200; ++list) {
    std::vector<Cycle> releases{0};
    for (unsigned n = 1; n < 2 + random() % 9; ++n) releases.push_back(releases.back() + random() % 12);
    const ArrivalCurve curve = ArrivalCurve::of(releases, true);
    for (Cycle window = 1; window < 300; window += 1 + random() % 9) {
      const std::uint64_t most = curve.most(window);
      EXPECT_LT(curve.distance(most), window);
      EXPECT_GE(curve.distance(most + 1), window) << list;
    }
  }
}

TEST(ArrivalCurve, OfTwoAllowsBoth) {
  ArrivalCurve both = ArrivalCurve::of({0, 10, 11}, false);
  both.add(ArrivalCurve::of({0, 3, 30}, false));
  EXPECT_EQ(both.distance(2), 1u);
  EXPECT_EQ(both.distance(3), 11u);
  EXPECT_EQ(both.distance(4), kNever);
}

}  // namespace
}  // namespace gputlm
