// A policy that only this file registers, and everything that follows from its description.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/work_distributor/in_turn.h"
#include "platform/cli/catalogue.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/run/check_fits.h"
#include "tests/unit/error_of.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Urgent final : public KernelOrder {
 public:
  struct Options {
    unsigned most = 7;
    bool strict = true;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::most, "most", "kernels", 1, 100, "That are urgent at a time", "a test");
      v.flag(&Options::strict, "strict", "Nobody else runs then", "a test");
    }
  };
  struct Counters {
    std::uint64_t urgent = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::urgent, "urgent", "blocks", "of urgent kernels");
    }
  };
  explicit Urgent(const Options& given) : options(given) {}
  void offers(const std::vector<KernelState>&, std::vector<Offer>&) const override {}
  const Options options;
};

GPUTLM_REGISTER {
  kernel_orders().add<Urgent>({{"urgent"}, "Urgent ones first", "a test", {Property::kHeedsPriorities}});
}

TEST(PolicyOption, IsAParameterWithARangeAndADefault) {
  GpuConfig config;
  const Parameter& most = find_parameter("work_distributor.urgent.most", {"here"});
  EXPECT_EQ(parameter_text(most, config), "7");
  EXPECT_EQ(most.type(), "integer");
  EXPECT_EQ(most.allowed(), "1 to 100 kernels");
  set_assignment(config, "work_distributor.urgent.most=100");
  set_assignment(config, "work_distributor.urgent.strict=false");
  EXPECT_EQ(parameter_text(most, config), "100");
  EXPECT_THAT(error_of([&] { set_assignment(config, "work_distributor.urgent.most=101"); }),
              HasSubstr("found '101', allowed: 1 to 100 kernels"));
  EXPECT_THAT(error_of([&] { set_assignment(config, "work_distributor.urgent.strict=7"); }), HasSubstr("true, false"));
}

TEST(PolicyOption, ReachesThePolicyFromAPreset) {
  const GpuConfig config = parse_gpu("extends: tx2\nwork_distributor: {urgent: {most: 12}}\n", "here");
  const auto order = kernel_orders().at("urgent").make({1, {}, nullptr, config.work_distributor.options});
  EXPECT_EQ(dynamic_cast<const Urgent&>(*order).options.most, 12u);
  EXPECT_TRUE(dynamic_cast<const Urgent&>(*order).options.strict);
}

TEST(PolicyOption, StandsInTheConfigurationOfResults) {
  GpuConfig config;
  set_assignment(config, "work_distributor.urgent.most=9");
  EXPECT_EQ(to_json(config).at("work_distributor").at("urgent").at("most"), 9);
  EXPECT_EQ(to_json(config).at("work_distributor").at("urgent").at("strict"), true);
}

TEST(PolicyOption, IsCheckedWhereItWasSetInCode) {
  GpuConfig config = load_gpu("tx2");
  config.work_distributor.options = {{"urgent.most", 0u}};
  EXPECT_THAT(error_of([&] { validate(config, {"gpu"}); }), HasSubstr("work_distributor.urgent.most: found '0'"));
}

TEST(PolicyOption, IsSuggestedForItsNameWithoutThePolicys) {
  GpuConfig config;
  EXPECT_THAT(error_of([&] { set_assignment(config, "sm.active_warps=4"); }),
              HasSubstr("did you mean 'sm.two_level.active_warps'"));
  EXPECT_THAT(error_of([&] { set_assignment(config, "work_distributor.urgent.mots=4"); }),
              HasSubstr("did you mean 'work_distributor.urgent.most'"));
}

TEST(ListPolicy, TellsAllThatThePolicySaysOfItself) {
  const std::string text = explanation("urgent");
  for (const char* part :
       {"work_distributor.kernel_order=urgent: Urgent ones first", "source: a test", "heeds_priorities",
        "work_distributor.urgent.most", "That are urgent at a time", "of urgent kernels"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text_of(catalogues().at("parameters").listing({})), HasSubstr("work_distributor.urgent.most"));
  EXPECT_THAT(error_of([] { explanation("urgnet"); }), HasSubstr("did you mean 'urgent'"));
}

TEST(WithoutEffect, FollowsFromWhatPoliciesHeed) {
  GpuConfig config = load_gpu("tx2");
  Workload workload;
  workload.streams.resize(2);
  workload.launches.resize(2);
  config.work_distributor.kernel_order = "srtf";
  EXPECT_THAT(without_effect(config, workload), IsEmpty());
  workload.streams[1].priority = -1;
  EXPECT_THAT(
      without_effect(config, workload),
      ElementsAre(HasSubstr("stream priorities have no effect: work_distributor.kernel_order=srtf does not look at "
                            "them; leftover, fifo, ")));
  config.work_distributor.kernel_order = "urgent";
  EXPECT_THAT(without_effect(config, workload), IsEmpty());
  workload.launches[0].budget = 5;
  EXPECT_THAT(
      without_effect(config, workload),
      ElementsAre(HasSubstr("budgets of launches have no effect: sm.warp_scheduler=gto does not look at them; qaws")));
  config.sm.warp_scheduler = "qaws";
  EXPECT_THAT(without_effect(config, workload), IsEmpty());
}

TEST(WithoutEffect, WhatIsComparedMustDiffer) {
  GpuConfig config = load_gpu("tx2");
  config.work_distributor.kernel_order = "urgent";
  config.sm.warp_scheduler = "qaws";
  Workload workload;
  workload.streams.resize(2);
  workload.launches.resize(2);
  for (StreamSpec& stream : workload.streams) stream.priority = -1;
  for (LaunchCommand& launch : workload.launches) launch.budget = 4;
  EXPECT_THAT(without_effect(config, workload), ElementsAre("stream priorities have no effect: all are the same",
                                                            "budgets of launches have no effect: all are the same"));
}

}  // namespace
}  // namespace gputlm
