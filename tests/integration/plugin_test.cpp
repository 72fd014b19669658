// `--plugin`: a user's own policies, and messages about files that are not plugins.

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

/// What a run says of the policy that the settings choose.
std::string end_of_run(const std::vector<std::string>& settings, const std::string& workload = "mixed.yaml") {
  std::vector<std::string> words{"run", workload_file(workload), "--gpu", "gtx480", "--plugin", plugin("wrong_picks")};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  const Outcome outcome = run_program(words);
  EXPECT_EQ(outcome.code, 2) << settings.front() << ": " << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("(of plugin " + plugin("wrong_picks") + ")")) << settings.front();
  return outcome.err;
}

TEST(Plugin, ThatPicksWhatIsNoCandidateIsNamedWithItsPickAndTheCandidates) {
  EXPECT_THAT(end_of_run({"sm.warp_scheduler=beyond"}),
              testing::ContainsRegex("sm.warp_scheduler=beyond: pick\\(\\) picked slot 1000, allowed: slots 0.*, whose "
                                     "warps can issue, or kNoWarp"));
  EXPECT_THAT(end_of_run({"sm.warp_scheduler=idle"}),
              testing::ContainsRegex("sm.warp_scheduler=idle: pick\\(\\) picked slot [0-9]+, allowed: slots [0-9]+"));
  EXPECT_THAT(
      end_of_run({"dram.scheduler=no_request"}),
      testing::ContainsRegex("dram.scheduler=no_request: pick\\(\\) picked index [0-9]+, allowed: 0.*, the bank's "
                             "pending requests"));
  EXPECT_THAT(end_of_run({"dram.admission=no_application", "dram.applications=2", "dram.reserved=4"}),
              testing::ContainsRegex("dram.admission=no_application: next\\(\\) picked application 70, allowed: [01]"));
  EXPECT_THAT(end_of_run({"noc.arbiter=no_input"}),
              testing::ContainsRegex("noc.arbiter=no_input: next\\(\\) picked input 255, allowed: [0-9]+"));
  EXPECT_THAT(end_of_run({"work_distributor.application=no_channel"}),
              testing::ContainsRegex("=no_channel: next\\(\\) picked application 2, allowed: [01]"));
  EXPECT_THAT(end_of_run({"work_distributor.application=no_turn"}),
              HasSubstr("=no_turn: next() picked a turn of 0 cycles, allowed: 1 cycle or more"));
  EXPECT_THAT(end_of_run({"work_distributor.kernel_order=no_kernel"}),
              HasSubstr("=no_kernel: offers() picked kernel 1 in flight, allowed: 0, which have blocks left to send"));
  EXPECT_THAT(end_of_run({"work_distributor.kernel_order=other_sms", "work_distributor.application=partitioned"},
                         "bounds/memory.yaml"),
              HasSubstr("for kernel 0 in flight, allowed: SMs of its partition"));
  EXPECT_THAT(end_of_run({"work_distributor.placement=no_sm"}),
              testing::ContainsRegex("=no_sm: choose\\(\\) picked SM 15, allowed: SMs 0, 1, .*or no SM"));
  EXPECT_THAT(end_of_run({"work_distributor.placement=full_sm"}),
              testing::ContainsRegex("=full_sm: choose\\(\\) picked SM 0, allowed: SMs 1, 2, "));
  EXPECT_THAT(end_of_run({"l2.replacement=no_way"}, "gups.yaml"),
              testing::ContainsRegex("l2.replacement=no_way: victim\\(\\) picked way [0-9]+, allowed: 0, 1"));
}

/// A policy's view depends only on the simulated time, not on the look-ahead window or the threads.
TEST(Plugin, SeesWarpsAndQueuesAsTheyAreInItsCycle) {
  const auto run = [](const std::vector<std::string>& more) {
    std::vector<std::string> options{"--gpu",    "gtx480",
                                     "--plugin", plugin("views"),
                                     "--set",    "sm.warp_scheduler=loads_first",
                                     "--set",    "dram.scheduler=looking"};
    options.insert(options.end(), more.begin(), more.end());
    return run_workload(workload_file("mixed.yaml"), options);
  };
  const FinishedRun one = run({});
  const auto& warps = one.result.at("policies").at("sm.warp_scheduler").at("counters");
  for (const char* seen : {"loads", "next_loads", "memory", "execution", "ready", "first_application"})
    EXPECT_GT(warps.at(seen).get<std::uint64_t>(), 0u) << seen;
  const auto& queue = one.result.at("policies").at("dram.scheduler").at("counters");
  const auto& dram = one.result.at("dram").at("total");
  EXPECT_EQ(queue.at("served").get<std::uint64_t>(),
            dram.at("reads").get<std::uint64_t>() + dram.at("writes").get<std::uint64_t>());
  EXPECT_GT(queue.at("waited"), 0);
  EXPECT_GE(queue.at("queued"), queue.at("served")) << "a request that is served is still among them";
  for (const FinishedRun& other : {run({"--window", "1"}), run({"--threads", "2"})}) {
    EXPECT_EQ(other.result.at("policies"), one.result.at("policies"));
    EXPECT_EQ(other.result.at("cycles"), one.result.at("cycles"));
    EXPECT_EQ(other.blocks_text, one.blocks_text);
  }
  // As it serves what fcfs does, looking costs nothing else.
  const FinishedRun fcfs = run({"--set", "dram.scheduler=fcfs"});
  EXPECT_EQ(fcfs.blocks_text, one.blocks_text);
}

TEST(Plugin, OfTheExamplesDecideByWhatTheySee) {
  const auto cycles = [](const std::string& of, const std::string& setting) {
    const FinishedRun run =
        run_workload(workload_file("mixed.yaml"), {"--gpu", "gtx480", "--plugin", plugin(of), "--set", setting});
    return run.result.at("cycles").get<std::uint64_t>();
  };
  EXPECT_NE(cycles("loads_last", "sm.warp_scheduler=loads_last"), cycles("loads_last", "sm.warp_scheduler=lrr"));
  EXPECT_NE(cycles("least_served", "dram.scheduler=least_served"), cycles("least_served", "dram.scheduler=fr_fcfs"));
}

TEST(Plugin, ThatThrowsIsNamed) {
  EXPECT_THAT(end_of_run({"sm.warp_scheduler=throwing"}),
              HasSubstr("sm.warp_scheduler=throwing: pick() threw an exception: lost the list"));
  EXPECT_THAT(end_of_run({"sm.warp_scheduler=throwing_number"}),
              HasSubstr("sm.warp_scheduler=throwing_number: issued() threw something other than a std::exception"));
  EXPECT_THAT(end_of_run({"sm.warp_scheduler=throwing_when_made"}),
              HasSubstr("sm.warp_scheduler=throwing_when_made: its constructor threw an exception: no table"));
}

TEST(Plugin, OrdersAllSmsEachOnce) {
  const Outcome outcome = run_program({"run", workload_file("mixed.yaml"), "--gpu", "gtx480", "--plugin",
                                       plugin("wrong_picks"), "--set", "work_distributor.sm_order=first_twice"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("work_distributor.sm_order=first_twice: SM 0 comes 15 times, allowed: once"));
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
