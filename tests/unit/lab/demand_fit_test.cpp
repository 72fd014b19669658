#include "platform/lab/demand_fit.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> missed(const KernelDemand& asked, const KernelDemand& has) {
  return FittedKernel{"k", asked, has, 0}.missed();
}

TEST(FittedKernel, AmountsMissByFivePerCentHoweverSmall) {
  KernelDemand asked, has;
  asked.duration_us = 0.4;
  has.duration_us = 0.43;
  EXPECT_THAT(missed(asked, has), ElementsAre("duration_us 0.43 for 0.4"));
  has.duration_us = 0.41;
  EXPECT_THAT(missed(asked, has), IsEmpty());
  asked.of_pipe.sfu = 0;
  has.of_pipe.sfu = 1;
  EXPECT_THAT(missed(asked, has), ElementsAre("sfu_instructions 1 for 0"));
}

TEST(FittedKernel, SharesMissByFivePoints) {
  KernelDemand asked, has;
  asked.l1_hit_rate = 0.01;
  has.l1_hit_rate = 0.05;
  asked.warps_active = 0.5;
  has.warps_active = 0.56;
  EXPECT_THAT(missed(asked, has), ElementsAre("warps_active 0.56 for 0.5"));
}

TEST(FittedKernel, WhatNobodyAskedForIsNotMissed) {
  KernelDemand asked, has;
  has.instructions = 100;
  asked.l2_reused_sectors = 100;
  has.l2_reused_sectors = 1;
  EXPECT_THAT(missed(asked, has), IsEmpty());
}

}  // namespace
}  // namespace gputlm
