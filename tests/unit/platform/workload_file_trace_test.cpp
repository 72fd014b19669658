// Traces as applications: in workload files, and several on the command line.
#include <gmock/gmock.h>

#include "platform/input/run_input.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string trace_of(const std::string& name, unsigned stream, std::vector<std::string> lines = {}) {
  TraceText trace = one_warp(std::move(lines));
  trace.name = "-kernel name = " + name + "\n";
  trace.stream = "-cuda stream id = " + std::to_string(stream) + "\n";
  return trace.text();
}

/// Two programs: a/kernelslist.g with five launches of two kernels and two copies, b.traceg.
class Traces : public testing::Test {
 protected:
  Traces() {
    std::filesystem::create_directory(folder.path("a"));
    folder.write("a/kernel-1.traceg", trace_of("_Z1fPi", 0, {"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0"}));
    folder.write("a/kernel-2.traceg", trace_of("_Z1gi", 7));
    list = folder.write("a/kernelslist.g",
                        "MemcpyHtoD,0x1000,64\nkernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n"
                        "MemcpyHtoD,0x2000,65\nkernel-2.traceg\nkernel-1.traceg\n");
    alone = folder.write("b.traceg", trace_of("_Z1fPi", 0, {"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0"}));
  }
  RunInput load(const std::string& applications, const std::string& kernels = "") {
    return load_run_input({folder.write("w.yaml", kernels + "applications: [" + applications + "]\n")}, {});
  }
  std::string error(const std::string& applications) {
    return error_of([&] { load(applications); });
  }

  TestFolder folder;
  std::string list, alone;
};

std::vector<std::string> labels(const Workload& workload) {
  std::vector<std::string> labels;
  for (const LaunchCommand& launch : workload.launches) labels.push_back(launch.label);
  return labels;
}

Address first_address(const LaunchCommand& launch) {
  LaneAddresses addresses;
  const auto code = launch.kernel->code(0);
  code->addresses(code->warp(0).code[0], {}, addresses);
  return addresses[0];
}

TEST_F(Traces, AreApplicationsOfTheCommandLine) {
  const Workload workload = load_run_input({list, alone}, {}).workload;
  ASSERT_EQ(workload.applications.size(), 2u);
  EXPECT_EQ(workload.applications[0].name, "a");
  EXPECT_EQ(workload.applications[1].name, "b");
  EXPECT_THAT(labels(workload), ElementsAre("b/f", "a/f", "a/g", "a/f#3", "a/g#4", "a/f#5"))
      << "first launches come first; labels tell the applications apart";
  ASSERT_EQ(workload.streams.size(), 3u);
  EXPECT_EQ(workload.streams[2].application, 1u);
  EXPECT_EQ(workload.streams[0].kind, StreamKind::kDefault);
  EXPECT_EQ(workload.streams[2].kind, StreamKind::kBlocking) << "alone it has nobody to wait for";
  EXPECT_EQ(workload.copies[0].label, "a/MemcpyHtoD#1");
  ASSERT_EQ(workload.threads.size(), 2u);
  EXPECT_EQ(workload.launches[0].kernel->name, "_Z1fPi") << "the whole name is kept";
}

TEST_F(Traces, DoNotShareAddresses) {
  const Workload workload = load_run_input({list, alone}, {}).workload;
  EXPECT_EQ(first_address(workload.launches[1]), 0x1000u);
  EXPECT_EQ(first_address(workload.launches[0]), 0x1000u + (Address{1} << 49));
  EXPECT_NE(workload.launches[0].kernel->source(), workload.launches[1].kernel->source());
}

TEST_F(Traces, RunBesideKernelsOfTheFile) {
  const Workload workload =
      load(
          "{name: y, streams: [{name: s, launches: [k]}]}, {trace: a, sms: [0-3], priority: -1, budget: 4, "
          "time_slice_us: 50, relaunch: true}",
          "kernels: {k: {grid: 1, block: 32, program: [fp32]}}\n")
          .workload;
  ASSERT_EQ(workload.applications.size(), 2u);
  EXPECT_EQ(workload.applications[1].name, "a");
  EXPECT_EQ(workload.applications[1].sms->count(), 4u);
  EXPECT_TRUE(workload.applications[1].relaunch);
  EXPECT_EQ(workload.applications[1].share.time_slice, Femtoseconds{50'000'000'000});
  EXPECT_EQ(workload.streams[1].priority, -1);
  EXPECT_EQ(workload.launches[1].budget, 4);
  EXPECT_THAT(labels(workload), ElementsAre("k", "a/f", "a/g", "a/f#3", "a/g#4", "a/f#5"));
}

TEST_F(Traces, AreCutToSomeOfTheirLaunchesWithTheCopiesBeforeThem) {
  const Workload some = load("{trace: a/kernelslist.g, kernels: '2,4-4'}").workload;
  EXPECT_THAT(labels(some), ElementsAre("g", "g#4"));
  ASSERT_EQ(some.copies.size(), 1u);
  EXPECT_EQ(some.copies[0].bytes, 65u);
  EXPECT_THAT(labels(load("{trace: a, kernels: [1, 3-9]}").workload), ElementsAre("f", "f#3", "g", "f#5"));
  EXPECT_THAT(error("{trace: a, kernels: 6-9}"), AllOf(HasSubstr("w.yaml:1: "), HasSubstr("found launches 6-9, but "),
                                                       HasSubstr("the trace has launches 1 to 5")));
  EXPECT_THAT(error("{trace: b.traceg, kernels: 2}"), HasSubstr("the trace has launch 1 only"));
  for (const char* bad : {"0", "3-1", "1-", "x", "'1,'", "[]", "1.5"})
    EXPECT_NE(error("{trace: a, kernels: " + std::string(bad) + "}"), "") << bad;
}

TEST_F(Traces, AreRunAgainOneAfterTheOtherAsJobsOfATask) {
  const Workload workload =
      load("{trace: a, name: camera, kernels: 1-2, repeat: 2, period_us: 100, release_us: 5, deadline_us: 40}")
          .workload;
  EXPECT_THAT(labels(workload), ElementsAre("f", "g", "f#6", "g#7"));
  ASSERT_EQ(workload.tasks.size(), 1u);
  EXPECT_EQ(workload.tasks[0].name, "camera");
  EXPECT_EQ(workload.tasks[0].deadline, Femtoseconds{40'000'000'000});
  ASSERT_EQ(workload.jobs.size(), 2u);
  EXPECT_EQ(workload.jobs[1].release, Femtoseconds{105'000'000'000});
  using Call = HostCall::Kind;
  std::vector<Call> kinds;
  for (const HostCall& call : workload.threads.at(0).calls) kinds.push_back(call.kind);
  EXPECT_THAT(kinds, ElementsAre(Call::kReleaseJob, Call::kCopy, Call::kLaunch, Call::kLaunch, Call::kSynchronizeDevice,
                                 Call::kReleaseJob, Call::kCopy, Call::kLaunch, Call::kLaunch));
  EXPECT_EQ(workload.launches[2].job, 1u);
  EXPECT_EQ(workload.launches[0].kernel, workload.launches[2].kernel) << "they never run side by side";
}

TEST_F(Traces, BeginAtTheirRelease) {
  const Workload workload = load("{trace: a, release_us: 5}").workload;
  const HostCall& first = workload.threads.at(0).calls.at(0);
  EXPECT_EQ(first.kind, HostCall::Kind::kWaitUntil);
  EXPECT_EQ(first.time, Femtoseconds{5'000'000'000});
  for (const LaunchCommand& launch : workload.launches) EXPECT_EQ(launch.release, first.time);
  EXPECT_TRUE(workload.tasks.empty());
}

TEST_F(Traces, ThatAreMissingAreRefusedWithThePlaceThatNamesThem) {
  EXPECT_THAT(error("{trace: none.g}"), AllOf(HasSubstr("w.yaml:1: "), HasSubstr("none.g: cannot be opened")));
  EXPECT_THAT(error("{trace: a, streams: []}"), HasSubstr("streams"));
  EXPECT_THAT(error("{trace: a, name: x}, {trace: b.traceg, name: x}"), HasSubstr("a second application is named 'x'"));
}

TEST_F(Traces, AndWorkloadFilesDoNotMixOnTheCommandLine) {
  const std::string file = folder.write("w.yaml", "");
  EXPECT_THAT(error_of([&] { load_run_input({file, list}, {}); }), HasSubstr("`- {trace: PATH}`"));
}

TEST_F(Traces, WarnOnceOfAnOpcodeWithACount) {
  folder.write("a/kernel-1.traceg",
               trace_of("_Z1fPi", 0, {"0000 ffffffff 0 QUUX.A 0 0 0", "0010 ffffffff 0 QUUX.B 0 0 0"}));
  folder.write("a/kernel-2.traceg",
               trace_of("_Z1gi", 7, {"0000 ffffffff 0 QUUX 0 0 0", "0010 ffffffff 0 BAR.ARV 0 0 1"}));
  const RunInput input = load_run_input({list}, {});
  for (const LaunchCommand& launch : input.workload.launches) launch.kernel->code(0);
  EXPECT_THAT(input.warnings(), ElementsAre(AllOf(HasSubstr("kernel-1.traceg:23: unknown opcode QUUX"),
                                                  HasSubstr("(8 instructions of 5 kernels)")),
                                            AllOf(HasSubstr("BAR.ARV"), HasSubstr("(2 instructions of 2 kernels)"))));
}

}  // namespace
}  // namespace gputlm
