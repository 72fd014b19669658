/// The analysis' view of a workload on a GPU, and that a response above a bound is found.
#include <gmock/gmock.h>

#include "platform/bounds/study.h"
#include "platform/input/preset.h"
#include "platform/input/workload_file.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Workload workload_with(const std::string& streams, const std::string& of_application = "") {
  return load_workload_text(
      "kernels: {k: {grid: 8, block: 64, program: [spin: {us: 10}]}}\napplications:\n  - name: a\n" + of_application +
          "    streams:\n" + streams,
      "w.yaml", 1);
}

/// Each kernel takes 100 cycles, each of its blocks 10, and a job 30 more.
AloneTimes even_times(const Workload& workload) {
  AloneTimes times;
  times.launches.assign(workload.launches.size(), {100, 10});
  times.responses.assign(workload.launches.size(), 130);
  times.job_responses.assign(workload.jobs.size(), 130);
  times.job_responses_lo = times.job_responses;
  times.copies.assign(workload.copies.size(), 0);
  return times;
}

std::vector<TaskBound> bounds_of_text(const std::string& streams, const std::string& of_application = "") {
  const Workload workload = workload_with(streams, of_application);
  EXPECT_EQ(no_analysis(load_gpu("xavier"), workload), "");
  return bounds_of(load_gpu("xavier"), {&workload}, even_times(workload), longest_switches(workload, {}));
}

TEST(BoundModel, RefusesWhatOthersDecide) {
  EXPECT_THAT(
      bounds_of_text("      - {name: s, launches: [{kernel: k, task: t}, {kernel: k, task: u}]}\n")[0].bound.why,
      HasSubstr("does more than its jobs"));
  EXPECT_THAT(bounds_of_text("      - {name: s, launches: [{kernel: k, task: t}]}\n"
                             "      - {name: z, default: true, launches: [k]}\n")[0]
                  .bound.why,
              HasSubstr("default stream"));
  EXPECT_THAT(
      bounds_of_text("      - {name: s, launches: [{kernel: k, task: t}]}\n", "    relaunch: true\n")[0].bound.why,
      HasSubstr("launched repeatedly"));
  EXPECT_TRUE(
      bounds_of_text("      - {name: s, launches: [{kernel: k, task: t}]}\n", "    sms: [0-3]\n")[0].bound.cycles)
      << "that is analysed";
}

TEST(BoundModel, HasNoneOfWorkloadsWhoseThreadsWaitForEachOther) {
  const Workload loops = workload_with(
      "      - {name: s, commands: [{loop: [k], count: 2}]}\n      - {name: t, launches: [{kernel: k, task: t}]}\n");
  EXPECT_THAT(no_analysis(load_gpu("xavier"), loops), HasSubstr("has a loop"));
  const Workload copies = workload_with(
      "      - {name: s, commands: [{job: j, commands: [{copy: host_to_device, to: 0x10000000, bytes: 64}]}]}\n"
      "      - {name: t, launches: [k]}\n");
  EXPECT_EQ(no_analysis(load_gpu("xavier"), copies), "task 'j' has jobs without a kernel");
  EXPECT_EQ(no_analysis(load_gpu("xavier"), workload_with("      - {name: s, launches: [k]}\n")),
            "the workload has no tasks");
}

TEST(BoundModel, CountsOneKernelOfEachOtherStreamOfALevel) {
  const auto bounds = bounds_of_text(
      "      - {name: s, launches: [{kernel: k, task: t}]}\n      - {name: u, launches: [k, k, k]}\n"
      "      - {name: v, priority: -1, launches: [{kernel: k, task: v}]}\n");
  ASSERT_TRUE(bounds[1].bound.cycles);
  // Three streams send and hear of ends, a cycle each.
  const Cycle slack = *bounds[1].bound.cycles - (130 + 10);  // and a block of the others
  EXPECT_LE(slack, 20u);
  EXPECT_EQ(bounds[0].bound.cycles, 130 + 100 + (100 + 10) + slack) << "and the urgent one, with a preemption";
}

TEST(BoundModel, ACopyWaitsForOneOfEachOtherStream) {
  const std::string job = "{job: j, commands: [{copy: host_to_device, to: 0x10000000, bytes: 64}, k]}";
  const Workload workload = workload_with("      - {name: s, commands: [" + job +
                                          "]}\n      - {name: t, commands: [{memset: 64, to: 0x10000000}, "
                                          "{memset: 64, to: 0x10000000}]}\n");
  AloneTimes times = even_times(workload);
  times.copies = {40, 500, 700};
  GpuConfig gpu = load_gpu("xavier");
  const auto bounds = bounds_of(gpu, {&workload}, times, longest_switches(workload, {}));
  ASSERT_TRUE(bounds[0].bound.cycles) << bounds[0].bound.why;
  EXPECT_GE(*bounds[0].bound.cycles, 130 + 700u);
  EXPECT_LE(*bounds[0].bound.cycles, 130 + 700 + 30u);
  gpu.copy_engine.engines = 2;
  EXPECT_THAT(bounds_of(gpu, {&workload}, times, longest_switches(workload, {}))[0].bound.why,
              HasSubstr("several copy engines"));
}

TEST(BoundModel, RefusesKernelsThatDivideAnSmDifferently) {
  const Workload workload = load_workload_text(R"(
kernels:
  k: {grid: 8, block: 64, program: [spin: {us: 10}]}
  shared: {grid: 8, block: 64, shared_memory: 16KiB, program: [spin: {us: 10}]}
applications:
  - name: a
    streams:
      - {name: s, launches: [{kernel: k, task: t}]}
      - {name: u, launches: [{kernel: shared, task: u}]}
)",
                                               "w.yaml", 1);
  GpuConfig gpu = load_gpu("xavier");
  const auto times = even_times(workload);
  EXPECT_THAT(bounds_of(gpu, {&workload}, times, longest_switches(workload, {}))[1].bound.why,
              HasSubstr("divided differently"));
  gpu.sm.carveout = "fixed";
  EXPECT_TRUE(bounds_of(gpu, {&workload}, times, longest_switches(workload, {}))[1].bound.cycles);
}

TEST(BoundModel, AResponseAboveABoundIsFound) {
  const Workload workload = workload_with("      - {name: s, launches: [{kernel: k, repeat: 3, period_us: 100}]}\n");
  const std::vector<JobEnded> jobs{{0, 0, 0, 130}, {1, 0, 1000, 1140}, {2, 0, 2000, 2190}};
  EXPECT_TRUE(jobs_above({{"", 130, {190, ""}}}, workload, jobs).empty());
  const auto above = jobs_above({{"", 130, {139, ""}}}, workload, jobs);
  ASSERT_EQ(above.size(), 1u) << "the first of each task";
  EXPECT_EQ(above[0].job.job, 1u);
  EXPECT_EQ(above[0].response, 140u);
  EXPECT_TRUE(jobs_above({{"", 130, {std::nullopt, "none"}}}, workload, jobs).empty());
}

TEST(OneAtATime, GivesEachJobAPhaseAndReleasesItWhenItBegins) {
  const Workload workload = workload_with(
      "      - {name: s, launches: [{kernel: k, release_us: 5, repeat: 2, period_us: 100}]}\n"
      "      - {name: u, launches: [{kernel: k, label: x, release_us: 7}]}\n"
      "      - {name: v, commands: [{job: j, release_us: 9, commands: [k, {kernel: k, release_us: 2}]}]}\n");
  const OneAtATime made = one_at_a_time(workload, false);
  std::vector<unsigned> phases;
  std::vector<Femtoseconds> releases;
  for (const LaunchCommand& launch : made.workload.launches) {
    phases.push_back(launch.phase);
    releases.push_back(launch.release);
  }
  EXPECT_THAT(phases, ElementsAre(0, 0, 1, 2, 3));
  EXPECT_EQ(std::count(releases.begin(), releases.end(), 0u), 4);
  EXPECT_EQ(std::count(releases.begin(), releases.end(), 2'000'000'000u), 1)
      << "what counts from its job's release stays";
  for (std::size_t l = 0; l < made.launches.size(); ++l)
    EXPECT_EQ(made.workload.launches[l].label, workload.launches[made.launches[l]].label);
}

TEST(InPhase, MovesAllJobsOfATaskAlike) {
  const Workload workload = workload_with(
      "      - {name: s, launches: [{kernel: k, release_us: 5, repeat: 3, period_us: 100}]}\n"
      "      - {name: u, launches: [{kernel: k, label: x, release_us: 45, repeat: 2, period_us: 30}]}\n");
  const Workload together = in_phase(workload, 1, 0);
  EXPECT_EQ(together.jobs[0].release, together.jobs[3].release);
  for (const std::uint64_t phase : {1, 2, 3, 4}) {
    const Workload moved = in_phase(workload, phase, 7);
    for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
      const std::size_t first = j < 3 ? 0 : 3;
      EXPECT_EQ(moved.jobs[j].release - moved.jobs[first].release,
                workload.jobs[j].release - workload.jobs[first].release);
      EXPECT_GE(moved.jobs[j].release, workload.jobs[j].release);
    }
    for (const LaunchCommand& launch : moved.launches) EXPECT_EQ(launch.release, moved.jobs[*launch.job].release);
  }
}

}  // namespace
}  // namespace gputlm
