// `--plugin`: policies of the user's own, and what is said of files that are no plugins.

#include <gmock/gmock.h>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::HasSubstr;

std::string plugin(const std::string& name) { return std::string(GPUTLM_PLUGINS) + "/" + name + ".so"; }

/// What the program says of a plugin that it does not take.
std::string refusal(const std::string& file) {
  const Outcome outcome = run_program({"list", "policies", "--plugin", file});
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  return outcome.err;
}

TEST(Plugin, HasItsPolicyWithOptionsAndCountersInTheLists) {
  const Outcome all = run_program({"list", "policies", "--plugin", plugin("policy")});
  EXPECT_THAT(all.out, HasSubstr("striding"));
  const Outcome one = run_program({"list", "policies", "striding", "--json", "--plugin", plugin("policy")});
  ASSERT_EQ(one.code, 0) << one.err;
  const auto policy = nlohmann::json::parse(one.out).at("policies").at(0);
  EXPECT_EQ(policy.at("options").at(0).at("key"), "sm.striding.stride");
  EXPECT_EQ(policy.at("options").at(0).at("default"), 3);
  EXPECT_EQ(policy.at("counters").at(0).at("name"), "issues");
  EXPECT_EQ(policy.at("properties").at(0), "heeds_budgets");
  EXPECT_THAT(run_program({"list", "parameters", "--plugin", plugin("policy")}).out, HasSubstr("sm.striding.stride"));
}

TEST(Plugin, DecidesAndCountsInARun) {
  const auto run = [](const char* stride) {
    return run_workload(workload_file("mixed.yaml"), {"--gpu", "xavier", "--plugin", plugin("policy"), "--set",
                                                      "sm.warp_scheduler=striding", "--set", stride});
  };
  const FinishedRun one = run("sm.striding.stride=1"), eleven = run("sm.striding.stride=11");
  const auto& policy = one.result.at("policies").at("sm.warp_scheduler");
  EXPECT_EQ(policy.at("name"), "striding");
  EXPECT_EQ(policy.at("counters").at("issues"), one.result.at("total").at("instructions"));
  EXPECT_EQ(eleven.result.at("configuration").at("sm").at("striding").at("stride"), 11);
  EXPECT_NE(one.result.at("cycles"), eleven.result.at("cycles"));
  // With a stride of one it is lrr but for the first issue.
  EXPECT_NE(one.blocks_text, eleven.blocks_text);
}

TEST(Plugin, ChecksItsOptions) {
  const auto error = [](const std::string& setting) {
    const Outcome outcome =
        run_program({"run", workload_file("mixed.yaml"), "--plugin", plugin("policy"), "--set", setting});
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(error("sm.striding.stride=64"), HasSubstr("found '64', allowed: 1 to 63 slots"));
  EXPECT_THAT(error("sm.striding.strid=2"), HasSubstr("did you mean 'sm.striding.stride'"));
  EXPECT_THAT(error("sm.stride=2"), HasSubstr("did you mean 'sm.striding.stride'"));
}

TEST(Plugin, ThatCannotBeTakenIsAnInputError) {
  EXPECT_THAT(refusal(plugin("nowhere")), HasSubstr("nowhere.so: not a plugin that can be opened"));
  EXPECT_THAT(refusal(workload_file("mixed.yaml")), HasSubstr("not a plugin that can be opened"));
  EXPECT_THAT(refusal(plugin("no_plugin")), HasSubstr("not a plugin: it registers nothing"));
  EXPECT_THAT(refusal(plugin("other_interface")), testing::AllOf(HasSubstr("found 'gputlm plugin interface 0'"),
                                                                 HasSubstr("allowed: 'gputlm plugin interface")));
  EXPECT_THAT(refusal(plugin("taken_name")), HasSubstr("work_distributor.kernel_order: 'srtf' is registered twice"));
  const Outcome twice = run_program({"list", "policies", "--plugin", plugin("policy"), "--plugin", plugin("policy")});
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err, HasSubstr("is loaded already"));
}

}  // namespace
}  // namespace gputlm
