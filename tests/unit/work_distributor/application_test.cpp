#include "models/work_distributor/application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tlm/error.h"

namespace gputlm::test {
namespace {

using testing::ElementsAre;

std::vector<ApplicationId> owners(ApplicationPolicy& policy, const std::vector<Channel>& channels, unsigned turns) {
  std::vector<ApplicationId> list;
  for (unsigned i = 0; i < turns; ++i) list.push_back(policy.next(channels).application);
  return list;
}

EngineShare with_priority(TimeslicePriority priority) {
  EngineShare share;
  share.timeslice_priority = priority;
  return share;
}

ApplicationSetup setup_of(std::vector<EngineShare> shares) {
  ApplicationSetup setup;
  setup.shares = std::move(shares);
  setup.sms = 10;
  setup.sm_threads = 2048;
  return setup;
}

SmSet range(unsigned first, unsigned last) {
  SmSet set;
  for (; first <= last; ++first) set.set(first);
  return set;
}

TEST(ApplicationPolicy, UnknownNamesAreRefused) {
  EXPECT_THROW(make_application_policy("random", {}), InputError);
  for (const auto& policy : application_policies()) EXPECT_NE(make_application_policy(policy.name, {}), nullptr);
}

TEST(Exclusive, IsInTheOrderInWhichApplicationsGotWork) {
  const auto policy = make_application_policy("exclusive", {});
  EXPECT_EQ(policy->next({{true, 30}, {true, 10}, {false, 5}}).application, 1);
  EXPECT_EQ(policy->next({{true, 10}, {true, 10}}).application, 0);
  EXPECT_EQ(policy->next({{true, 10}, {true, 10}}).length, kNever);
}

TEST(TimeSliced, EveryChannelHasASlotInARoundAndThoseOfHigherPriorityMore) {
  const auto policy = make_application_policy(
      "time_sliced",
      setup_of({with_priority(TimeslicePriority::kMedium), {}, with_priority(TimeslicePriority::kHigh)}));
  const std::vector<Channel> all(3, {true, 0});
  EXPECT_THAT(owners(*policy, all, 12), ElementsAre(0, 1, 2, 0, 2, 2, 0, 1, 2, 0, 2, 2));
}

TEST(TimeSliced, AChannelWithoutWorkIsPassedOver) {
  const auto policy = make_application_policy("time_sliced", setup_of(std::vector<EngineShare>(4)));
  EXPECT_THAT(owners(*policy, {{true, 0}, {false, 0}, {true, 0}, {true, 0}}, 4), ElementsAre(0, 2, 3, 0));
  EXPECT_THAT(owners(*policy, {{false, 0}, {true, 0}, {false, 0}, {false, 0}}, 2), ElementsAre(1, 1));
}

TEST(TimeSliced, SlotsAndTheLengthOfSlicesAreOptions) {
  std::vector<EngineShare> shares{with_priority(TimeslicePriority::kLow), with_priority(TimeslicePriority::kMedium)};
  shares[1].time_slice = Femtoseconds{5000000};
  ApplicationSetup setup = setup_of(shares);
  setup.clock = Clock(1000000);  // 1 GHz
  setup.options = {{"time_sliced.time_slice_us", 2u}, {"time_sliced.slots_medium", 1u}};
  const auto policy = make_application_policy("time_sliced", setup);
  const std::vector<Channel> all(2, {true, 0});
  EXPECT_EQ(policy->next(all).length, 2000u);
  EXPECT_EQ(policy->next(all).length, 5u);
  EXPECT_EQ(policy->next(all).application, 0);
}

TEST(Partitioned, SharesOfTheSmsLieOneBehindTheOther) {
  std::vector<EngineShare> shares(4);
  shares[0].sm_percent = 50;
  shares[1].sm_percent = 25;  // of ten: two
  shares[3].sm_percent = 40;  // the last three, and then the first
  const auto policy = make_application_policy("partitioned", setup_of(shares));
  EXPECT_EQ(policy->limits(0).sms, range(0, 4));
  EXPECT_EQ(policy->limits(1).sms, range(5, 6));
  EXPECT_TRUE(policy->limits(2).sms.all());
  EXPECT_EQ(policy->limits(3).sms, range(7, 9) | range(0, 0));
}

TEST(Partitioned, AShareOfTheThreadsIsOneOfEachSm) {
  std::vector<EngineShare> shares(2);
  shares[1].thread_percent = 30;
  const auto policy = make_application_policy("partitioned", setup_of(shares));
  EXPECT_GE(policy->limits(0).threads, 2048u);
  EXPECT_EQ(policy->limits(1).threads, 614u);
}

TEST(ContextCount, IsOneWhereAllApplicationsAreOneContext) {
  EXPECT_EQ(context_count("concurrent", 5), 1u);
  for (const char* policy : {"exclusive", "time_sliced", "partitioned"}) EXPECT_EQ(context_count(policy, 5), 5u);
}

}  // namespace
}  // namespace gputlm::test
