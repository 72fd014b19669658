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

Responses of_task(const RunResult& result, const Workload& workload) {
  return all_responses(result, workload, Clock(kPeriod)).tasks.at(0).responses;
}

TEST(Responses, OfATaskWhoseJobsHaveNotEndedAreNone) {
  Workload workload;
  EXPECT_EQ(of_task(result_of({}, workload), workload).jobs, 0u);
}

TEST(Responses, ArePercentilesByNearestRank) {
  for (const std::size_t jobs : {1u, 2u, 19u, 20u, 99u, 100u, 101u, 1000u}) {
    Workload workload;
    std::vector<Cycle> times(jobs);
    for (std::size_t i = 0; i < jobs; ++i) times[i] = (i * 7919) % jobs + 1;  // 1 .. jobs, in some order
    std::vector<Cycle> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    const Responses r = of_task(result_of(times, workload), workload);
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
  const Responses r = of_task(result, workload);
  EXPECT_EQ(r.missed, 3u);
  EXPECT_EQ(r.deadlines, 5u);
  EXPECT_EQ(r.worst, "t#4");
  EXPECT_DOUBLE_EQ(r.mean, 34.0);
}

/// Launches of streams, which are no jobs, with their labels.
Workload workload_of(const std::vector<std::pair<StreamId, std::string>>& launches) {
  Workload workload;
  workload.applications = {{"a"}, {"b"}};
  for (const ApplicationId application : {0, 1, 1}) {
    StreamSpec stream;
    stream.name = "s";
    stream.application = application;
    workload.streams.push_back(stream);
  }
  for (const auto& [stream, label] : launches) {
    LaunchCommand launch;
    launch.label = label;
    launch.stream = stream;
    workload.launches.push_back(launch);
  }
  return workload;
}

KernelRecord ended(std::uint32_t command, Cycle released, Cycle notified) {
  KernelRecord kernel;
  kernel.command = command;
  kernel.released = released;
  kernel.notified = notified;
  return kernel;
}

TEST(Responses, OfLaunchesThatDifferInANumberOnlyAreOfOneGroup) {
  const Workload workload = workload_of({{0, "k#1"}, {1, "k#1"}, {0, "k#2"}, {2, "k#2"}, {1, "m#7"}, {0, "#1"}});
  RunResult result;
  for (std::uint32_t i = 0; i < 6; ++i) result.kernels.push_back(ended(i, 10, 20 + i));
  const auto launches = all_responses(result, workload, Clock(kPeriod)).launches;
  std::vector<std::tuple<std::string, ApplicationId, std::uint64_t>> found;
  for (const ResponseGroup& group : launches) found.emplace_back(group.name, group.application, group.responses.jobs);
  EXPECT_EQ(found, (decltype(found){{"k", 0, 2}, {"k", 1, 2}, {"m#7", 1, 1}, {"#1", 0, 1}}));
  EXPECT_EQ(launches[1].responses.worst, "k#2") << "as the launch is called";
}

TEST(Responses, OfAnApplicationAreThoseOfItsJobsAndOfLaunchesThatAreNoJobs) {
  Workload workload = workload_of({{0, "alone"}, {0, "part"}, {1, "other"}});
  workload.tasks = {{"t", 0, 25 * kPeriod}};
  workload.jobs.push_back({0, 0, 0});
  workload.launches[1].job = 0;
  RunResult result;
  for (std::uint32_t i = 0; i < 3; ++i) result.kernels.push_back(ended(i, 0, 10));
  result.jobs.push_back({0, 0, 0, 30});
  const auto applications = all_responses(result, workload, Clock(kPeriod)).applications;
  EXPECT_EQ(applications[0].responses.jobs, 2u);
  EXPECT_EQ(applications[0].responses.most, 30u);
  EXPECT_EQ(applications[0].responses.deadlines, 1u);
  EXPECT_EQ(applications[0].responses.missed, 1u);
  EXPECT_EQ(applications[1].responses.jobs, 1u);
}

TEST(Responses, HaveTheDeadlineThatAllLaunchesOfAGroupHave) {
  Workload workload = workload_of({{0, "k#1"}, {0, "k#2"}, {1, "m#1"}, {1, "m#2"}});
  for (const std::size_t i : {0, 1, 2}) workload.launches[i].deadline = 25 * kPeriod;
  const auto launches = all_responses({}, workload, Clock(kPeriod)).launches;
  EXPECT_EQ(launches[0].deadline, Cycle{25});
  EXPECT_EQ(launches[1].deadline, std::nullopt) << "one of them has none";
}

TEST(Responses, AreALineEachInTheirFile) {
  Workload workload = workload_of({{0, "k, x"}});
  workload.launches[0].deadline = 25 * kPeriod;
  RunResult result;
  result.kernels.push_back(ended(0, 5, 35));
  EXPECT_EQ(responses_csv(all_responses(result, workload, Clock(kPeriod)), workload),
            "of,name,application,jobs,deadline_cycles,deadlines,deadlines_met,min_cycles,mean_cycles,p50_cycles,"
            "p95_cycles,p99_cycles,max_cycles,worst\n"
            "application,a,a,1,,1,0,30,30,30,30,30,30,\"k, x\"\n"
            "application,b,b,0,,0,0,,,,,,,\n"
            "launch,\"k, x\",a,1,25,1,0,30,30,30,30,30,30,\"k, x\"\n");
}

}  // namespace
}  // namespace gputlm
