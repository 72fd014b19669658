#include "models/work_distributor/application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/work_distributor/sm_share.h"
#include "tlm/base/error.h"

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

EngineShare with_percentage(unsigned percent) {
  EngineShare share;
  share.active_thread_percentage = percent;
  return share;
}

EngineShare with_green_context(unsigned sms) {
  EngineShare share;
  share.green_context_sms = sms;
  return share;
}

TEST(Partitioned, GreenContextsAreApartAndComeFirst) {
  ApplicationSetup setup = setup_of({with_percentage(40), with_green_context(3), with_green_context(2)});
  setup.options = {{"partitioned.tpc_sms", 2u}, {"partitioned.green_least", 4u}, {"partitioned.green_step", 2u}};
  const auto policy = make_application_policy("partitioned", setup);
  EXPECT_EQ(policy->limits(1).sms, range(0, 3));
  EXPECT_EQ(policy->limits(2).sms, range(4, 7));
  EXPECT_EQ(policy->limits(0).sms, range(8, 9) | range(0, 1));
}

/// The number of an H100's SMs that each green context gets.
std::vector<unsigned> green_sms(const std::vector<unsigned>& asked, unsigned sms = 132, unsigned step = 8) {
  std::vector<EngineShare> shares;
  for (const unsigned count : asked) shares.push_back(with_green_context(count));
  std::vector<unsigned> given;
  for (const auto& share : sm_shares(shares, sms, {2, step, step})) given.push_back(share->given);
  return given;
}

// CUDA Programming Guide, "Green Contexts", table of splits of the 132 SMs of a GH200: asked are groups, left is a remainder.
TEST(SmShare, OfTheRestOfASplitIsWhatGroupsLeaveWhateverItsSize) {
  EXPECT_THAT(green_sms({8, 16, 16, 92}), ElementsAre(8, 16, 16, 92));
  EXPECT_THAT(green_sms({72, 60}), ElementsAre(72, 60));
  EXPECT_THAT(green_sms({11, 11, 11, 11, 11, 11, 36}), ElementsAre(16, 16, 16, 16, 16, 16, 36));
  EXPECT_THAT(green_sms({12, 12, 12, 12, 12, 12, 60}, 132, 2), ElementsAre(12, 12, 12, 12, 12, 12, 60));
  EXPECT_THAT(green_sms({1, 1, 116}), ElementsAre(8, 8, 116));
  EXPECT_THAT(green_sms({132}), ElementsAre(132)) << "no group at all";
  EXPECT_THAT(green_sms({128, 4}), ElementsAre(128, 4)) << "less than a group has";
  EXPECT_THAT(green_sms({92, 8, 16, 16}), ElementsAre(92, 8, 16, 16)) << "wherever it stands";
  EXPECT_THAT(green_sms({40, 90}), ElementsAre(40, 96)) << "not all that is left: refused elsewhere";
  EXPECT_THAT(green_sms({8, 16, 16, 88}), ElementsAre(8, 16, 16, 88)) << "a group";
}

TEST(Partitioned, TheRestOfASplitLiesBehindItsGroups) {
  ApplicationSetup setup = setup_of({with_green_context(2), with_percentage(100), with_green_context(8)});
  setup.options = {{"partitioned.tpc_sms", 2u}, {"partitioned.green_least", 8u}, {"partitioned.green_step", 8u}};
  const auto policy = make_application_policy("partitioned", setup);
  EXPECT_EQ(policy->limits(2).sms, range(0, 7));
  EXPECT_EQ(policy->limits(0).sms, range(8, 9));
}

TEST(Partitioned, ClientsAreNormalUnlessTheyAreBelow) {
  std::vector<EngineShare> shares(3);
  shares[1].mps_priority = 1;
  shares[2].mps_priority = 0;
  const auto policy = make_application_policy("partitioned", setup_of(shares));
  EXPECT_EQ(policy->limits(0).client_priority, 0u);
  EXPECT_EQ(policy->limits(1).client_priority, 1u);
  EXPECT_EQ(policy->limits(2).client_priority, 0u);
}

// For every GPU, share and granularity, an application gets the smallest number of SMs that the hardware supports and that is
// not below its request.
TEST(SmShare, IsRoundedUpToTheNextThatTheDriverGives) {
  for (unsigned sms = 1; sms <= 144; ++sms) {
    for (const SmGranularity g :
         {SmGranularity{1, 1, 1}, SmGranularity{2, 2, 2}, SmGranularity{2, 4, 2}, SmGranularity{2, 8, 8}}) {
      for (unsigned percent = 1; percent <= 100; ++percent) {
        const SmShare share = *sm_shares({with_percentage(percent)}, sms, g).front();
        EXPECT_EQ(share.asked, sms * percent);
        EXPECT_GE(100 * share.given, share.asked);
        EXPECT_LE(share.given, sms);
        EXPECT_TRUE(share.given % g.tpc_sms == 0 || share.given == sms);
        EXPECT_LT(100 * (share.given - std::min(share.given, g.tpc_sms)), share.asked);
        EXPECT_EQ(share.rounded(), 100 * share.given != sms * percent);
      }
      for (unsigned count = 1; count < sms; ++count) {  // all would be the rest of a split
        const SmShare share = *sm_shares({with_green_context(count)}, sms, g).front();
        EXPECT_GE(share.given, std::max(count, g.green_least));
        EXPECT_EQ(share.given % g.green_step, 0u);
        EXPECT_TRUE(share.given == g.green_least || share.given < count + g.green_step);
        EXPECT_TRUE(share.alone);
      }
    }
  }
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
