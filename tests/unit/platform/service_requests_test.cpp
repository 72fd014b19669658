// Arrival times of the requests of service/day.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "platform/experiments/service/service_run.h"

namespace gputlm {
namespace {

constexpr Femtoseconds kAlone = 1'000'000;

Day day(std::uint64_t launches, unsigned burst = 1) {
  Day d;
  d.load = 0.5;
  d.sections = {1, 1, 1, 1};
  d.launches = launches;
  d.burst = burst;
  d.seed = 1;
  return d;
}

TEST(ServiceRequests, AreAsManyAsSharesAndLaunchesSay) {
  // Twice the load for half the time: four times the requests.
  const auto times = request_times(day(60000), {{kAlone, 2, 2.0 / 3}, {2 * kAlone, 4, 1.0 / 3}}).times;
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].size(), 20000u);
  EXPECT_EQ(times[1].size(), 5000u);
  for (const auto& t : times) EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
}

TEST(ServiceRequests, TakeTheirShareOfTheTimeAlone) {
  const std::vector<Femtoseconds> times = request_times(day(50000), {{kAlone, 1, 1}}).times.at(0);
  const double load = static_cast<double>(times.size()) * kAlone / static_cast<double>(times.back());
  EXPECT_NEAR(load, 0.5, 0.02);
  double squares = 0;  // gaps of a Poisson process vary as much as they are long
  for (std::size_t i = 1; i < times.size(); ++i)
    squares += std::pow(static_cast<double>(times[i] - times[i - 1]) / (2.0 * kAlone), 2);
  EXPECT_NEAR(squares / static_cast<double>(times.size()), 2, 0.1);
}

TEST(ServiceRequests, ComeTogetherInBurstsAndNoMoreOfThem) {
  const auto single = request_times(day(50000), {{kAlone, 1, 1}}).times.at(0);
  const auto bursts = request_times(day(50000, 5), {{kAlone, 1, 1}}).times.at(0);
  EXPECT_EQ(bursts.size(), single.size());
  EXPECT_NEAR(static_cast<double>(bursts.back()) / static_cast<double>(single.back()), 1, 0.05);
  EXPECT_EQ(std::set<Femtoseconds>(bursts.begin(), bursts.end()).size(), bursts.size() / 5);
  EXPECT_EQ(std::set<Femtoseconds>(single.begin(), single.end()).size(), single.size());
}

TEST(ServiceRequests, FollowTheHoursOfTheDay) {
  Day d = day(50000);
  d.sections = {1, 3};
  const auto times = request_times(d, {{kAlone, 1, 1}}).times.at(0);
  const Femtoseconds half = 50000 * kAlone;  // the day has 50000 requests at half the time of each
  const auto before = std::lower_bound(times.begin(), times.end(), half) - times.begin();
  EXPECT_NEAR(static_cast<double>(before), 12500, 400);
}

TEST(ServiceRequests, DependOnTheSeedAndAreThereForEveryNetwork) {
  Day other = day(1000);
  other.seed = 2;
  const std::vector<Demand> demands{{kAlone, 1, 0.9999}, {100 * kAlone, 1, 0.0001}};
  EXPECT_EQ(request_times(day(1000), demands).times, request_times(day(1000), demands).times);
  EXPECT_NE(request_times(day(1000), demands).times, request_times(other, demands).times);
  EXPECT_EQ(request_times(day(1000), demands).times.at(1).size(), 1u);
}

}  // namespace
}  // namespace gputlm
