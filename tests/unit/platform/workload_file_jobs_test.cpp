#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/kernel/sass_test_files.h"
#include "tests/unit/platform/workload_texts.h"

namespace gputlm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(WorkloadFile, ReleasesRepeatedLaunchesAPeriodApart) {
  const Workload workload =
      load_text(kKernels + std::string("applications: [{name: a, streams: [{name: s, launches: [{kernel: k, repeat: 3, "
                                       "release_us: 1, period_us: 2.5, deadline_us: 2}, {kernel: k, repeat: 2}]}]}]"));
  std::vector<Femtoseconds> releases;
  for (const LaunchCommand& launch : workload.launches) releases.push_back(launch.release);
  EXPECT_THAT(releases, ElementsAre(1'000'000'000u, 3'500'000'000u, 6'000'000'000u, 0u, 0u));
  EXPECT_EQ(workload.launches[2].deadline, Femtoseconds{2'000'000'000});
  EXPECT_FALSE(workload.launches[3].deadline.has_value());
}

TEST(WorkloadFile, ReleasesLaunchesAtGivenTimes) {
  const Workload workload = load_launches("{kernel: k, releases_us: [0, 2.5, 2.5, 7]}");
  std::vector<Femtoseconds> releases;
  for (const LaunchCommand& launch : workload.launches) releases.push_back(launch.release);
  EXPECT_THAT(releases, ElementsAre(0u, 2'500'000'000u, 2'500'000'000u, 7'000'000'000u));
}

/// A workload beside a table of arrivals.
class ReleaseTables : public testing::Test {
 protected:
  std::vector<Femtoseconds> releases(const std::string& table, const std::string& csv) {
    folder_.write("arrivals.csv", csv);
    const Workload workload = load_workload_text(
        kKernels +
            ("applications: [{name: a, streams: [{name: s, launches: [{kernel: k, releases_us: " + table + "}]}]}]"),
        folder_.path("w.yaml"), 1);
    std::vector<Femtoseconds> times;
    for (const LaunchCommand& launch : workload.launches) times.push_back(launch.release);
    return times;
  }
  std::string error(const std::string& table, const std::string& csv) {
    try {
      releases(table, csv);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  TestFolder folder_;
};

TEST_F(ReleaseTables, TimesCountFromTheFirstRow) {
  const std::string csv = "Model,Timestamp\na,1700000000.25\nb,1700000000.25\na,1700000001\n";
  EXPECT_THAT(releases("{csv: arrivals.csv, column: Timestamp, unit: s}", csv),
              ElementsAre(0u, 0u, Femtoseconds{750'000'000'000'000}));
  EXPECT_THAT(releases("{csv: arrivals.csv, column: Timestamp, unit: s, scale: 0.001, rows: 3}", csv),
              ElementsAre(0u, 0u, Femtoseconds{750'000'000'000}));
  EXPECT_THAT(releases("{csv: arrivals.csv, column: Timestamp, rows: 1}", csv), ElementsAre(0u));
  EXPECT_THAT(releases("{csv: arrivals.csv, column: t}", "t\n-2\n0\n1.5\n"),
              ElementsAre(0u, 2'000'000'000u, 3'500'000'000u));
}

TEST_F(ReleaseTables, SayWhatIsWrongWithThem) {
  const std::string table = "{csv: arrivals.csv, column: t, unit: s}";
  EXPECT_THAT(error(table, "t\n2\n1\n"), HasSubstr("arrivals.csv:3: t: found 1, which is before the previous row"));
  EXPECT_THAT(error(table, "t\nsoon\n"), HasSubstr("arrivals.csv:2: t: found 'soon', allowed: a number"));
  EXPECT_THAT(error(table, "u\n1\n"), HasSubstr("arrivals.csv:1"));
  EXPECT_THAT(error(table, "t\n"), HasSubstr("at least one release is needed"));
  EXPECT_THAT(error(table, "t\n0\n1e12\n"), HasSubstr("arrivals.csv:3: t: found a release"));
  EXPECT_THAT(error("{csv: none.csv, column: t}", "t\n0\n"), HasSubstr("none.csv"));
  EXPECT_THAT(error("{csv: arrivals.csv}", "t\n0\n"), HasSubstr("column"));
}

TEST(WorkloadFile, LaunchesThatAreRepeatedOrHaveADeadlineAreTasks) {
  const Workload workload =
      load_launches("k, {kernel: k, repeat: 3, period_us: 5}, {kernel: other, deadline_us: 2}, {kernel: k, repeat: 2}");
  ASSERT_EQ(workload.tasks.size(), 3u);
  EXPECT_EQ(workload.tasks[0].name, "k");
  EXPECT_EQ(workload.tasks[1].name, "other");
  EXPECT_EQ(workload.tasks[1].deadline, Femtoseconds{2'000'000'000});
  EXPECT_EQ(workload.tasks[2].name, "k (line 4)");
  std::vector<std::optional<std::uint32_t>> jobs;
  for (const LaunchCommand& launch : workload.launches) jobs.push_back(launch.job);
  EXPECT_THAT(jobs, ElementsAre(std::nullopt, 0u, 1u, 2u, 3u, 4u, 5u));
  EXPECT_EQ(workload.jobs[2].release, Femtoseconds{10'000'000'000});
  EXPECT_EQ(job_label(workload, 2, 0), "k#3");
  EXPECT_EQ(job_label(workload, 2, 4), "k#3@5");
}

TEST(WorkloadFile, ReleasesThatAreDrawnDependOnTheirSeed) {
  const auto releases = [](const std::string& keys) {
    const Workload workload = load_launches("{kernel: k, repeat: 50, period_us: 5" + keys + "}");
    std::vector<Femtoseconds> all;
    for (const LaunchCommand& launch : workload.launches) all.push_back(launch.release);
    return all;
  };
  EXPECT_EQ(releases(", jitter_us: 2, seed: 1"), releases(", jitter_us: 2, seed: 1"));
  EXPECT_NE(releases(", jitter_us: 2, seed: 1"), releases(", jitter_us: 2, seed: 2"));
  EXPECT_NE(releases(", jitter_us: 2"), releases(""));
  EXPECT_NE(releases(", sporadic_us: 2"), releases(", jitter_us: 2"));
}

TEST(WorkloadFile, AJobIsCommandsThatAreReleasedTogether) {
  const Workload workload = load_text(
      kKernels + std::string("applications:\n  - name: a\n    streams:\n      - name: s\n        commands:\n"
                             "          - {malloc: x, bytes: 4KiB}\n"
                             "          - {job: frame, repeat: 2, period_us: 10, deadline_us: 9, commands: [\n"
                             "               {copy: host_to_device, to: x, bytes: 4KiB, label: in}, {host_us: 1}, k,\n"
                             "               {record: e}, {wait: e}, {kernel: k, grid: 2, release_us: 3}]}\n"));
  using Made = HostCall::Kind;
  std::vector<Made> calls;
  for (const HostCall& call : workload.threads[0].calls) calls.push_back(call.kind);
  const std::vector<Made> job{Made::kReleaseJob,  Made::kCopy,      Made::kHostFunction, Made::kLaunch,
                              Made::kRecordEvent, Made::kWaitEvent, Made::kLaunch};
  std::vector<Made> expected{Made::kSynchronizeDevice};
  for (int i = 0; i < 2; ++i) expected.insert(expected.end(), job.begin(), job.end());
  EXPECT_EQ(calls, expected);
  ASSERT_EQ(workload.jobs.size(), 2u);
  EXPECT_EQ(workload.jobs[1].release, Femtoseconds{10'000'000'000});
  EXPECT_EQ(workload.tasks.at(0).deadline, Femtoseconds{9'000'000'000});
  EXPECT_EQ(workload.copies[0].label, "in#1");
  EXPECT_EQ(workload.copies[1].label, "in#2");
  EXPECT_EQ(workload.copies[1].job, 1u);
  EXPECT_EQ(workload.launches[3].job, 1u);
  EXPECT_EQ(workload.launches[3].release, Femtoseconds{13'000'000'000});
  EXPECT_EQ(workload.launches[1].kernel, workload.launches[3].kernel);
  EXPECT_EQ(workload.events.size(), 2u);  // each job has its own
}

TEST(WorkloadErrors, OfJobsNameLineFoundAndAllowed) {
  const auto job = [](const std::string& text) {
    return workload_error(kKernels + ("applications: [{name: a, streams: [{name: s, commands: [" + text + "]}]}]"));
  };
  EXPECT_THAT(job("{job: j, commands: [{host_us: 1}]}"),
              AllOf(StartsWith("w.yaml:4: "), HasSubstr("neither a kernel nor a copy")));
  EXPECT_THAT(job("{job: j, commands: [{job: i, commands: [k]}]}"), HasSubstr("a job is within a job"));
  EXPECT_THAT(job("{job: j, commands: [k]}, {job: j, commands: [k]}"), HasSubstr("labelled 'j'"));
  EXPECT_THAT(job("{job: j, commands: [{kernel: k, deadline_us: 1}]}"), HasSubstr("the job may have one"));
  EXPECT_THAT(job("{job: j, period_us: 1, commands: [k]}"), HasSubstr("needs a 'repeat' of 2 or more"));
  EXPECT_THAT(launches_error("[{kernel: k, releases_us: []}]"), HasSubstr("the list is empty"));
  EXPECT_THAT(launches_error("[{kernel: k, releases_us: [2, 1]}]"), HasSubstr("before the previous one"));
  EXPECT_THAT(launches_error("[{kernel: k, releases_us: [2], repeat: 2}]"), HasSubstr("not both"));
  EXPECT_THAT(launches_error("[{kernel: k, repeat: 2, period_us: 1, seed: 3}]"), HasSubstr("'seed' has no effect"));
}

}  // namespace
}  // namespace gputlm
