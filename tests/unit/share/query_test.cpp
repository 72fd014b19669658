// Queries among ways to share, and which of two ways is nearer to them; causes of longer blocks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/share/find.h"
#include "platform/share/loss.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

WayOutcome way_of(double p99, double throughput) {
  WayOutcome way;
  way.core_mhz = 1000;
  way.programs.resize(2);
  way.programs[0].program = "a";
  way.programs[0].p99_over = p99;
  way.programs[0].times.p99 = static_cast<Cycle>(p99 * 1e6);
  way.programs[1].program = "b";
  way.programs[1].throughput = throughput;
  return way;
}

TEST(ShareQuery, PrefersWhatMeetsTheConditionsAndThenWhatGainsMore) {
  const ShareQuery query("p99(a) < 1.2 max throughput(b)", {"a", "b"});
  EXPECT_EQ(query.missing(way_of(1.1, 0.5)), 0);
  EXPECT_NEAR(query.missing(way_of(1.8, 0.5)), 0.5, 1e-9);
  EXPECT_GT(query.missing(way_of(1.2, 0.5)), 0) << "the bound itself is not below it";
  EXPECT_TRUE(query.better(way_of(1.1, 0.2), way_of(1.3, 0.9)));
  EXPECT_TRUE(query.better(way_of(1.1, 0.4), way_of(1.0, 0.3)));
  EXPECT_TRUE(query.better(way_of(1.3, 0.1), way_of(1.4, 0.9)));
  EXPECT_EQ(query.values(way_of(1.5, 0.25)), "p99(a) 1.5, throughput(b) 0.25");
}

TEST(ShareQuery, KnowsTimesAndSeveralConditions) {
  const ShareQuery query("throughput(b) > 0.5, p99(a) < 1.5 ms min p99(a)", {"a", "b"});
  EXPECT_EQ(query.missing(way_of(1.4, 0.6)), 0);
  EXPECT_GT(query.missing(way_of(1.6, 0.6)), 0);
  EXPECT_GT(query.missing(way_of(1.4, 0.4)), 0);
  EXPECT_TRUE(query.better(way_of(1.1, 0.6), way_of(1.2, 0.9)));
}

TEST(ShareQuery, SaysWhatIsWrong) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      const ShareQuery query(text, {"decode", "train"});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(error("p98(decode) < 1 max throughput(train)"), HasSubstr("found 'p98(decode)"));
  EXPECT_THAT(error("p99(decod) < 1 max throughput(train)"), HasSubstr("no program 'decod'"));
  EXPECT_THAT(error("p99(decode) = 1 max throughput(train)"), HasSubstr("'<' or '>'"));
  EXPECT_THAT(error("p99(decode) < max throughput(train)"), HasSubstr("a number"));
  EXPECT_THAT(error("p99(decode) < 1"), HasSubstr("found the end"));
  EXPECT_THAT(error("max throughput(train) now"), HasSubstr("allowed: the end"));
  EXPECT_THAT(error("max p99 decode"), HasSubstr("'(' and a program"));
}

TEST(ShareLoss, BlocksWaitForWhatTheirWarpsWaitFor) {
  BlockCounters alone, together;
  alone.instructions = together.instructions = 100;
  alone.stall[static_cast<std::size_t>(Stall::kMemory)] = 1000;
  together.stall[static_cast<std::size_t>(Stall::kMemory)] = 4000;
  together.stall[static_cast<std::size_t>(Stall::kNotSelected)] = 1000;
  EXPECT_THAT(block_causes(together, alone), ElementsAre(Pair("issue and pipes", 0.25), Pair("memory", 0.75)));
  EXPECT_THAT(block_causes(alone, alone), ElementsAre(Pair("slower blocks", 1)));
}

TEST(ShareLoss, BlocksWithDemandsSayWhatTheyLostTimeTo) {
  LostTime lost;
  EXPECT_THAT(block_causes(lost), ElementsAre(Pair("slower blocks", 1)));
  lost.lost[static_cast<std::size_t>(Shared::kPipe)] = 25;
  lost.lost[static_cast<std::size_t>(Shared::kDram)] = 75;
  lost.gained = 40;
  double all = 0;
  for (const auto& [cause, share] : block_causes(lost)) {
    EXPECT_EQ(share, cause == "issue and pipes" ? 0.25 : cause == "DRAM" ? 0.75 : 0) << cause;
    all += share;
  }
  EXPECT_EQ(all, 1);
}

TEST(ShareLoss, WhatShrankIsTakenFromWhatGrew) {
  ProgramLoss loss;
  loss.cycles = 30;
  loss.parts = {{"places", "b", 60}, {"memory", "", 20}, {"host", "", -50}};
  settle(loss);
  ASSERT_EQ(loss.parts.size(), 2u);
  EXPECT_DOUBLE_EQ(loss.parts[0].cycles, 22.5);
  EXPECT_DOUBLE_EQ(loss.parts[1].cycles, 7.5);
  loss.cycles = 0;
  settle(loss);
  EXPECT_TRUE(loss.parts.empty());
}

}  // namespace
}  // namespace gputlm
