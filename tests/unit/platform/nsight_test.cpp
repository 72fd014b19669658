// Captures of Nsight Systems: what is read of them, and what becomes a workload.
#include "platform/measured/nsight.h"

#include <gmock/gmock.h>

#include "models/kernel/program_kernel.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/measured/replay.h"
#include "tests/integration/nsight_files.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Nsight : public testing::Test {
 protected:
  std::string error() {
    return error_of([&] { read_nsight(path); });
  }
  Workload workload(MeasuredRelease release = MeasuredRelease::kLaunch) {
    return measured_workload(read_nsight(path), load_gpu("rtx2060"), release);
  }

  TestFolder folder;
  std::string path = folder.path("t.sqlite");
};

TEST_F(Nsight, KernelsHaveNamesShapesAndTimes) {
  write_nsight(path, {{1000, 3000, 60, 128, 40, 2048, 7, "void ns::gemm<float>(float*, int)", 500},
                      {4000, 5000, 1, 32, 16, 0, 13, "fill(int*)"},
                      {6000, 7000, 60, 128, 40, 2048, 7, "void ns::gemm<float>(float*, int)", 600}});
  const MeasuredTimeline timeline = read_nsight(path);
  EXPECT_EQ(timeline.gpu.name, "RTX 2060");
  EXPECT_EQ(timeline.gpu.sms, 30u);
  ASSERT_EQ(timeline.kernels.size(), 3u);
  const MeasuredKernel& first = timeline.kernels[0];
  EXPECT_EQ(first.label, "gemm#1");
  EXPECT_EQ(timeline.kernels[1].label, "fill");
  EXPECT_EQ(timeline.kernels[2].label, "gemm#2");
  EXPECT_EQ(first.grid.x, 60u);
  EXPECT_EQ(first.block.x, 128u);
  EXPECT_EQ(first.registers, 40u);
  EXPECT_EQ(first.shared_memory, 2048u);
  EXPECT_EQ(first.start, 1000);
  EXPECT_EQ(first.end, 3000);
  EXPECT_EQ(first.launched, 500);
  EXPECT_FALSE(timeline.kernels[1].launched.has_value());
  ASSERT_EQ(timeline.streams.size(), 2u);
  EXPECT_EQ(timeline.streams[0].id, 7u);
  EXPECT_THAT(timeline.warnings, IsEmpty());
}

TEST_F(Nsight, CopiesHaveBytesAndKindsAndWhatCannotBeIsNamed) {
  write_nsight(path, {{1000, 3000}},
               {{100, 200, 4096, 1, 7, 1, 3}, {300, 400, 8, 2}, {500, 600, 9, 8}, {700, 800, 9, 10}});
  Database(path).run(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, correlationId, globalPid, "
      "bytes);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (350, 360, 0, 1, 7, 90, 1677721600, 77)");
  const MeasuredTimeline timeline = read_nsight(path);
  std::vector<std::string> labels;
  for (const MeasuredCopy& copy : timeline.copies) labels.push_back(copy.label);
  EXPECT_THAT(labels, ElementsAre("host_to_device#1", "device_to_host#2", "memset#3", "device_to_device#4"));
  EXPECT_TRUE(timeline.copies[0].pageable);
  EXPECT_FALSE(timeline.copies[1].pageable);
  EXPECT_EQ(timeline.copies[2].bytes, 77u);
  EXPECT_THAT(timeline.warnings, ElementsAre(HasSubstr("copies from GPU to GPU are left out: 1")));
}

TEST_F(Nsight, StreamsHaveTheirPrioritiesAndKinds) {
  write_nsight(path, {{0, 10}, {20, 30, 1, 32, 16, 0, 13}, {40, 50, 1, 32, 16, 0, 14}});
  Database(path).run(
      "INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (7, 100, 1);"
      "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (13, 100, 1, -5, 2), (14, 100, 1, 0, 1), (99, 100, 1, 0, 1)");
  const Workload replay = workload();
  EXPECT_EQ(replay.streams[0].kind, StreamKind::kDefault);
  EXPECT_EQ(replay.streams[1].kind, StreamKind::kNonBlocking);
  EXPECT_EQ(replay.streams[1].priority, -5);
  EXPECT_EQ(replay.streams[2].kind, StreamKind::kBlocking);
  EXPECT_THAT(load_run_input({path}, {}).workload.settings,
              ElementsAre("work_distributor.priorities=6", "sm.model=blocks"));
}

TEST_F(Nsight, ContextsAreApplications) {
  write_nsight(path, {{0, 10}, {20, 30, 1, 32, 16, 0, 7, "k", -1, 200}, {40, 50, 1, 32, 16, 0, 7, "k", -1, 200, 2}});
  Database(path).run(
      "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);"
      "INSERT INTO PROCESSES VALUES (1677721600, 100, '/usr/bin/camera'), (3355443200, 200, 'planner')");
  const Workload replay = workload();
  std::vector<std::string> names;
  for (const ApplicationSpec& application : replay.applications) names.push_back(application.name);
  EXPECT_THAT(names, ElementsAre("camera", "planner (process 200, context 1)", "planner (process 200, context 2)"));
}

TEST_F(Nsight, TheDeviceWithTheMostKernelsIsTaken) {
  write_nsight(path,
               {{0, 10}, {20, 30, 1, 32, 16, 0, 7, "k", -1, 100, 1, 3}, {40, 50, 1, 32, 16, 0, 7, "k", -1, 100, 1, 3}});
  const MeasuredTimeline timeline = read_nsight(path);
  EXPECT_EQ(timeline.kernels.size(), 2u);
  EXPECT_THAT(timeline.warnings, ElementsAre(HasSubstr("devices 0, 3; taken are those of device 3 (--device)")));
  EXPECT_EQ(read_nsight(path, 0).kernels.size(), 1u);
  EXPECT_THAT(error_of([&] { read_nsight(path, 2); }), HasSubstr("--device: found 2, allowed: 0, 3"));
}

TEST_F(Nsight, CommandsAreReleasedWhenTheHostCalledForThem) {
  write_nsight(path, {{9000, 10000, 1, 32, 16, 0, 7, "a", 2000}, {20000, 30000, 1, 32, 16, 0, 13, "b"}},
               {{8000, 8500, 64, 1, 7}});
  const Workload launched = workload();
  EXPECT_EQ(launched.launches[0].release, 0u) << "time begins with the first call";
  EXPECT_EQ(launched.launches[1].release, Femtoseconds{18'000'000'000}) << "the call is not there: when it began";
  const auto& calls = launched.threads.at(0).calls;
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].kind, HostCall::Kind::kWaitUntil);
  EXPECT_EQ(calls[1].kind, HostCall::Kind::kCopy) << "in the order in which they began";
  EXPECT_EQ(workload(MeasuredRelease::kStart).launches[1].release, Femtoseconds{12'000'000'000});
  const Workload at_once = workload(MeasuredRelease::kNone);
  EXPECT_EQ(at_once.launches[1].release, 0u);
  EXPECT_EQ(at_once.threads.at(0).calls.size(), 2u);
}

TEST_F(Nsight, WhatIsMissingInATableIsNamedOrDoneWithout) {
  write_nsight(path, {{0, 10}});
  Database(path).run(
      "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE TARGET_INFO_GPU; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN graphNodeId;"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN globalPid");
  EXPECT_THAT(workload().warnings,
              ElementsAre(HasSubstr("when the host launched is taken as when the GPU began"),
                          HasSubstr("does not say how many SMs a GPU without a name has; assumed: the 30 of"),
                          HasSubstr("(warps, blocks, registers, shared memory); assumed: as one of")));
  Database(path).run("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN gridX");
  EXPECT_THAT(error(), HasSubstr("table CUPTI_ACTIVITY_KIND_KERNEL lacks what is needed: gridX"));
}

TEST_F(Nsight, FilesThatAreNoneAreRefused) {
  Database(path).run("CREATE TABLE t (a)");
  EXPECT_THAT(error(), AllOf(HasSubstr("no table CUPTI_ACTIVITY_KIND_KERNEL"), HasSubstr("nsys export --type sqlite")));
  path = folder.write("cut.sqlite", std::string("SQLite format 3\0", 16) + "nothing more");
  EXPECT_THAT(error(), HasSubstr("cut.sqlite: cannot be read as a SQLite database"));
  EXPECT_THAT(error_of([&] { load_run_input({folder.path("none.sqlite")}, {}); }), HasSubstr("none.sqlite: cannot be"));
  EXPECT_THAT(error_of([&] { load_run_input({folder.path("r.nsys-rep")}, {}); }),
              HasSubstr("nsys export --type sqlite"));
}

TEST_F(Nsight, RowsThatCannotBeAreRefusedWithTheirPlace) {
  for (const auto& [set, message] : std::vector<std::pair<std::string, std::string>>{
           {"gridX = 0", "found gridX 0, allowed: 1 to 2147483647"},
           {"blockX = 1025", "found blockX 1025, allowed: 1 to 1024"},
           {"blockY = 2, blockX = 1024", "found a block of 2048 threads"},
           {"end = 0", "it ends before it starts"},
           {"registersPerThread = 300", "found registersPerThread 300, allowed: 0 to 255"}}) {
    path = folder.path(std::to_string(set.size()) + ".sqlite");
    write_nsight(path, {{0, 5}, {10, 20}});
    Database(path).run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET " + set + " WHERE start = 10");
    EXPECT_THAT(error(), HasSubstr("CUPTI_ACTIVITY_KIND_KERNEL, row 2: " + message));
  }
}

TEST_F(Nsight, GraphsWithoutKernelsAreTold) {
  write_nsight(path, {{0, 10}});
  Database(path).run(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (5, 6), (7, 8)");
  EXPECT_THAT(read_nsight(path).warnings, ElementsAre(HasSubstr("2 launches of CUDA graphs have no kernels here")));
}

std::uint64_t spin_of(Cycle duration, unsigned blocks, unsigned threads, unsigned sms) {
  ProgramSpec spec;
  spec.grid = {blocks};
  spec.block = {threads};
  spec.registers_per_thread = 16;
  spec.body = {spin(0)};
  const GpuConfig gpu = load_gpu("rtx2060");
  return block_spin(duration, ProgramKernel(spec, 0), sms, gpu.sm, gpu);
}

TEST(BlockSpin, FillsTheTimeOfTheKernelWithItsWaves) {
  // A block exits a cycle after its spin; a hop is 20 cycles, a block is sent every cycle.
  EXPECT_EQ(spin_of(10000, 1, 64, 30), 9999u);
  EXPECT_EQ(spin_of(10000, 30, 1024, 30), 10000u - 29 - 29) << "the last is sent 29 cycles after the first";
  EXPECT_EQ(spin_of(10000, 31, 1024, 30), (10000u - 40) / 2 - 29) << "two waves";
  EXPECT_EQ(spin_of(10000, 31, 1024, 40), 10000u - 30 - 29) << "on more SMs it is one";
  EXPECT_EQ(spin_of(5100, 5000, 32, 30), 5100u - 4999 - 1) << "sending takes longer than the waves";
  EXPECT_EQ(spin_of(4000, 5000, 32, 30), 0u);
}

}  // namespace
}  // namespace gputlm
