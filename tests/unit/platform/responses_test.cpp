#include "platform/run/responses.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

constexpr Femtoseconds kPeriod = 1000;

/// One task whose jobs took `times`.
RunResult result_of(const std::vector<Cycle>& times, Workload& workload) {
  workload.applications = {{"a"}};
  workload.tasks = {{"t", 0, std::nullopt}};
  RunResult result;
  for (const Cycle time : times) {
    const auto job = static_cast<std::uint32_t>(workload.jobs.size());
    workload.jobs.push_back({0, job, 0});
    result.jobs.push_back({job, 0, 10 * job, 10 * job + time});
  }
  return result;
}

TEST(Responses, OfATaskWhoseJobsHaveNotEndedAreNone) {
  Workload workload;
  EXPECT_EQ(responses(result_of({}, workload), workload, Clock(kPeriod)).at(0).jobs, 0u);
}

TEST(Responses, ArePercentilesByNearestRank) {
  for (const std::size_t jobs : {1u, 2u, 19u, 20u, 99u, 100u, 101u, 1000u}) {
    Workload workload;
    std::vector<Cycle> times(jobs);
    for (std::size_t i = 0; i < jobs; ++i) times[i] = (i * 7919) % jobs + 1;  // 1 .. jobs, in some order
    std::vector<Cycle> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    const Responses r = responses(result_of(times, workload), workload, Clock(kPeriod)).at(0);
    EXPECT_EQ(r.jobs, jobs);
    EXPECT_EQ(r.least, sorted.front());
    EXPECT_EQ(r.most, sorted.back());
    for (const auto& [percent, value] : {std::pair(50u, r.p50), std::pair(95u, r.p95), std::pair(99u, r.p99)}) {
      const auto within = [&](Cycle limit) {
        return static_cast<std::size_t>(std::count_if(times.begin(), times.end(), [&](Cycle t) { return t <= limit; }));
      };
      EXPECT_GE(within(value) * 100, percent * jobs) << percent << " of " << jobs;
      EXPECT_LT(within(value - 1) * 100, percent * jobs) << percent << " of " << jobs;
    }
  }
}

TEST(Responses, MissADeadlineWhenTheyTakeLonger) {
  Workload workload;
  const RunResult result = result_of({30, 31, 29, 40, 40}, workload);
  workload.tasks[0].deadline = 30 * kPeriod + kPeriod / 2;
  const Responses r = responses(result, workload, Clock(kPeriod)).at(0);
  EXPECT_EQ(r.missed, 3u);
  EXPECT_EQ(r.worst.job, 3u);
  EXPECT_DOUBLE_EQ(r.mean, 34.0);
}

}  // namespace
}  // namespace gputlm
