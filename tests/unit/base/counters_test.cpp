#include "tlm/base/counters.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

using testing::ElementsAre;

constexpr std::array<CounterLabel, 2> kColours{{{"red", "it was red"}, {"blue", "it was blue"}}};

struct Wheel {
  std::uint64_t turns = 0;
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.counter(&Wheel::turns, "turns", "turns", "made");
  }
};

struct Cart {
  std::uint64_t trips = 0, loads = 0, last = 0;
  std::array<std::uint64_t, 2> stops{};
  std::vector<std::uint64_t> by_day;
  Wheel steering;
  Wheel spare;
  std::vector<Wheel> wheels;
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.counter(&Cart::trips, "trips", "trips", "begun");
    v.counter(&Cart::loads, "loads", "sacks", "carried");
    v.ratio(&Cart::loads, &Cart::trips, "mean_load", "sacks", "on a trip");
    v.latest(&Cart::last, "last_day", "day", "of the last trip");
    v.counters(&Cart::stops, "stops", "stops", "at a light", kColours);
    v.counters(&Cart::by_day, "trips_by_day", "trips", "begun on a day");
    v.part(&Cart::steering, "steering");
    v.part(&Cart::spare, "");
    v.parts(&Cart::wheels, "wheels");
  }
};

struct Forgetful {
  std::uint64_t told = 0, forgotten = 0;
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.counter(&Forgetful::told, "told", "things", "said");
  }
};

struct Mistaken {
  std::uint64_t first = 0, second = 0;
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.counter(&Mistaken::first, "first", "things", "seen");
    v.counter(&Mistaken::first, "second", "things", "seen");
  }
};

TEST(Counters, ADescriptionThatLeavesAMemberOutIsSeenByTheCompiler) {
  static_assert(counters_detail::complete<Cart>());
  static_assert(!counters_detail::complete<Forgetful>());
  static_assert(!counters_detail::complete<Mistaken>());
}

TEST(Counters, OnlyWhatDescribesItselfIsDescribed) {
  struct Plain {
    int value;
  };
  static_assert(is_described<Cart> && !is_described<Plain> && !is_described<int>);
}

TEST(Counters, UnitsAddUpMemberByMemberAndTheLatestStays) {
  Cart a{1, 2, 30, {3, 4}, {5}, {6}, {7}, {{8}}};
  const Cart b{10, 20, 29, {30, 40}, {50, 60}, {70}, {80}, {{90}, {91}}};
  a += b;
  EXPECT_EQ(a.trips, 11u);
  EXPECT_EQ(a.loads, 22u);
  EXPECT_EQ(a.last, 30u);
  EXPECT_THAT(a.stops, ElementsAre(33, 44));
  EXPECT_THAT(a.by_day, ElementsAre(55, 60));
  EXPECT_EQ(a.steering.turns, 76u);
  EXPECT_EQ(a.spare.turns, 87u);
  ASSERT_EQ(a.wheels.size(), 2u);
  EXPECT_EQ(a.wheels[0].turns, 98u);
  EXPECT_EQ(a.wheels[1].turns, 91u);
}

TEST(Counters, TheSumOfNoUnitsIsNothing) {
  EXPECT_EQ(sum(std::vector<Wheel>{}).turns, 0u);
  EXPECT_EQ(sum(std::vector<Wheel>{{3}, {4}}).turns, 7u);
}

TEST(Counters, TheListNamesEveryCounterWithItsPath) {
  std::vector<std::string> names;
  for (const Field& counter : counter_layout<Cart>().fields()) names.push_back(counter.name);
  EXPECT_THAT(names, ElementsAre("trips", "loads", "mean_load", "last_day", "stops.red", "stops.blue", "trips_by_day",
                                 "steering.turns", "turns", "wheels.turns"));
}

TEST(Counters, EachLabelOfAnEnumHasAMeaningOfItsOwn) {
  const std::vector<Field> counters = counter_layout<Cart>().fields();
  EXPECT_EQ(counters[4].unit, "stops");
  EXPECT_EQ(counters[4].meaning, "at a light: it was red");
}

struct Fleet {
  std::uint64_t carts = 0;
  std::vector<Wheel> applications;
  Cart best;
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.counter(&Fleet::carts, "carts", "carts", "bought");
    v.parts(&Fleet::applications, "applications");
    v.part(&Fleet::best, "best");
  }
};

TEST(CounterSums, AreThoseThatAddUpInTheOrderOfTheirNames) {
  const Fleet fleet{3, {{10}, {20}}, {1, 2, 30, {3, 4}, {5}, {6}, {7}, {{8}}}};
  const CounterRow<std::string> names = counter_layout<Fleet>().sum_names();
  const CounterRow<std::uint64_t> row = counter_layout<Fleet>().sums(&fleet);
  EXPECT_THAT(names.whole, ElementsAre("carts", "best.trips", "best.loads", "best.stops.red", "best.stops.blue",
                                       "best.steering.turns", "best.turns"));
  EXPECT_THAT(row.whole, ElementsAre(3, 1, 2, 3, 4, 6, 7));
  EXPECT_THAT(names.applications, ElementsAre(ElementsAre("applications.turns")));
  EXPECT_THAT(row.applications, ElementsAre(ElementsAre(10), ElementsAre(20)));
}

}  // namespace
}  // namespace gputlm
