// Periodic launches, their budgets and deadlines, from the workload file to the results.

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

const char* const kKernel = R"(
kernels: {k: {grid: 2, block: 64, program: [{loop: {count: 50, body: [{fp32: {distance: 1, count: 8}}]}}]}}
applications:
  - name: a
    streams:
)";

/// Response times of a launch every 10 us on an idle GPU are all the same; one of them is the deadline.
TEST(Deadlines, AreMetByResponsesThatTakeAsLongAndMissedByLongerOnes) {
  const TestFolder folder;
  const std::string once = folder.write("once.yaml", kKernel + std::string("      - {name: s, launches: [k]}\n"));
  const Json alone = run_workload(once, {"--gpu", "titan_v", "--set", "core_mhz=1000"}).result;
  EXPECT_FALSE(alone.at("total").contains("deadlines"));
  EXPECT_FALSE(alone.at("kernels")[0].contains("deadline_met"));
  const std::uint64_t response = alone.at("kernels")[0].at("response_cycles");
  for (const bool met : {true, false}) {
    const double deadline_us = static_cast<double>(response) / 1000 - (met ? 0 : 0.001);  // a cycle is 1 ns
    const std::string input = folder.write(
        "periodic.yaml", kKernel + std::string("      - {name: s, launches: [{kernel: k, repeat: 3, period_us: 10, ") +
                             "release_us: 2, budget: 4, deadline_us: " + std::to_string(deadline_us) + "}]}\n" +
                             "      - {name: t, launches: [{kernel: k, release_us: 100}]}\n");
    const Json result = run_workload(input, {"--gpu", "titan_v", "--set", "core_mhz=1000"}).result;
    for (std::uint64_t i = 0; i < 3; ++i) {
      const Json& kernel = result.at("kernels")[i == 0 ? 0 : i + 1];
      EXPECT_EQ(kernel.at("released_cycle"), 2000 + 10000 * i);
      EXPECT_EQ(kernel.at("budget"), 4);
      EXPECT_EQ(kernel.at("response_cycles"), response);
      EXPECT_EQ(kernel.at("deadline_cycles"), met ? response : response - 1);
      EXPECT_EQ(kernel.at("deadline_met"), met);
    }
    EXPECT_EQ(result.at("kernels")[1].at("budget"), 1);
    EXPECT_FALSE(result.at("kernels")[1].contains("deadline_met"));
    EXPECT_EQ(result.at("total").at("deadlines"), 3);
    EXPECT_EQ(result.at("streams")[0].at("deadlines_met"), met ? 3 : 0);
    EXPECT_FALSE(result.at("streams")[1].contains("deadlines"));
    EXPECT_NE(run_program({"run", input, "--gpu", "titan_v", "--set", "core_mhz=1000"})
                  .out.find(met ? "Deadlines: 3 of 3 met" : "Deadlines: 0 of 3 met"),
              std::string::npos);
  }
}

/// What the README shows: a budget buys the deadlines of a periodic kernel beside a long one.
TEST(Deadlines, AreMetUnderQawsWhereOtherWarpSchedulersMissThem) {
  const auto met = [](const std::string& scheduler) {
    const Json result =
        run_workload(workload_file("deadlines.yaml"), {"--gpu", "titan_v", "--set", "sm.warp_scheduler=" + scheduler})
            .result;
    EXPECT_EQ(result.at("total").at("deadlines"), 4);
    return result.at("total").at("deadlines_met").get<int>();
  };
  EXPECT_EQ(met("qaws"), 4);
  EXPECT_EQ(met("lrr"), 0);
  EXPECT_EQ(met("gto"), 0);
}

}  // namespace
}  // namespace gputlm
