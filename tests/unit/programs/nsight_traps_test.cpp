// Exports of Nsight Systems that mislead a reader: columns with unexpected contents, and differences between versions.
#include <gmock/gmock.h>

#include "platform/programs/capture.h"
#include "tests/support/nsight_export.h"
#include "tests/support/test_folder.h"
#include "tests/unit/error_of.h"
#include "tests/unit/programs/of_program.h"

namespace gputlm {
namespace {

using captured::kernel;
using captured::Memory;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const captured::Kernel kOne = kernel("k", {1}, {32});

class NsightTraps : public testing::Test {
 protected:
  Program read(const NsightExport& file, std::optional<std::uint64_t> device = std::nullopt) {
    file.write(path);
    return capture_formats().at("Nsight Systems").read(path, device);
  }

  TestFolder folder;
  std::string path = folder.path("t.sqlite");
};

class NsightTrapsOfVersion : public NsightTraps, public testing::WithParamInterface<NsightVersion> {
 protected:
  NsightExport e{GetParam()};
};

// syncType has other numbers before schema 3.25 than its own table says, so what kind of wait it is follows from which
// of stream and event a row has. The table is the same in all three versions.
TEST_P(NsightTrapsOfVersion, WaitsAreToldByTheStreamAndTheEventThatTheyHave) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  e.launch(t, {100}, s, kOne, {5'000, 50'000});
  const auto record = e.record_event(t, {10'000}, s, 5);
  e.wait_event(t, {13'000}, other, record);
  e.launch(t, {16'000}, other, kOne, {51'000, 52'000});
  e.synchronize_event(t, {19'000, 32'000}, record);
  e.synchronize_stream(t, {55'000}, other);
  e.synchronize_device(t, {58'000});
  const Program program = read(e);
  EXPECT_THAT(calls(program), ElementsAre("k#1", "event 0 in 13", "14 waits for event 0", "k#2", "waits for event 0",
                                          "waits for 14", "waits for the device"));
  EXPECT_EQ(program.events, 1u);
  EXPECT_THAT(notes(program), IsEmpty());
}

// 2024.5 has no eventSyncId: a wait is for the last record of its event before it. An event object is recorded again
// and again.
TEST_P(NsightTrapsOfVersion, AWaitIsForTheRecordOfItsEventAndNotForAnotherOne) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  e.launch(t, {100}, s, kOne, {5'000, 6'000});
  e.launch(t, {200}, other, kOne, {5'000, 6'000});
  const auto first = e.record_event(t, {10'000}, s, 5);
  e.wait_event(t, {13'000}, other, first);
  const auto second = e.record_event(t, {16'000}, s, 5);
  e.wait_event(t, {19'000}, other, second);
  e.record_event(t, {22'000}, s, 5);
  e.record_event(t, {25'000}, s, 6);
  EXPECT_THAT(calls(read(e)), ElementsAre("k#1", "k#2", "event 0 in 13", "14 waits for event 0", "event 1 in 13",
                                          "14 waits for event 1"))
      << "and what nobody waits for is not recorded";
}

// A query has a row among the waits, as an event's synchronization has.
TEST_P(NsightTrapsOfVersion, QueriesAreNoWaits) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {100}, s, kOne, {5'000, 50'000});
  const auto record = e.record_event(t, {10'000}, s, 5);
  e.query_event(t, {13'000}, record);
  e.call(t, {16'000}, "cudaStreamQuery_v3020");
  const Program program = read(e);
  EXPECT_THAT(calls(program), ElementsAre("k"));
  EXPECT_THAT(notes(program), IsEmpty());
}

// "This error is not actually an error": cudaErrorNotReady, 600, of a query of what has not ended (CUDA Runtime API).
TEST_P(NsightTrapsOfVersion, QueriesOfWhatHasNotEndedAreNoFailedCalls) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {100}, s, kOne, {5'000, 50'000});
  e.query_event(t, {13'000}, e.record_event(t, {10'000}, s, 5));
  e.then("UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET returnValue = 600 WHERE start = 13000");
  const Program program = read(e);
  EXPECT_THAT(calls(program), ElementsAre("k"));
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_P(NsightTrapsOfVersion, NothingComesOfCallsThatFailed) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  e.launch(t, {100}, s, kOne, {5'000, 50'000});
  e.launch(t, {200}, other, kOne, {5'000, 50'000});
  e.call(t, {400}, "cudaDeviceSynchronize_v3020", 700);  // cudaErrorIllegalAddress
  e.call(t, {600}, "cudaLaunchKernel_v7000", 1);
  EXPECT_THAT(calls(read(e)), ElementsAre("k#1", "k#2"));
}

// Rows of waits have device 0 whichever their context has.
TEST_P(NsightTrapsOfVersion, WaitsAreOfTheDeviceOfTheirContext) {
  const auto t = e.thread(100);
  const auto first = e.context(100, 1), second = e.context(100, 2, 1, 15);
  const auto s = e.stream(first, 13), far = e.stream(second, 23), farther = e.stream(second, 24);
  e.launch(t, {100}, s, kOne, {5'000, 6'000});
  e.launch(t, {3'000}, far, kernel("far", {1}, {32}), {5'000, 50'000});
  e.launch(t, {6'000}, far, kernel("far", {1}, {32}), {50'000, 60'000});
  e.synchronize_device(t, {9'000, 51'000}, second);
  e.synchronize_stream(t, {61'000}, far);
  e.wait_event(t, {64'000}, farther, e.record_event(t, {63'000}, far, 5));
  EXPECT_THAT(calls(read(e, 1)), ElementsAre("far#1", "far#2", "waits for the device", "waits for 23", "event 0 in 23"))
      << "nothing is behind the wait for the event, whose stream has no commands";
  const Program program = read(e, 0);
  EXPECT_THAT(calls(program), ElementsAre("k")) << "waits for the other device are none of this one";
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_P(NsightTrapsOfVersion, WaitsForAStreamWithoutCommandsAreNotForAnother) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), empty = e.stream(14);
  e.launch(t, {100}, s, kOne, {5'000, 50'000});
  e.synchronize_stream(t, {3'000}, empty);
  e.wait_event(t, {6'000}, empty, e.record_event(t, {5'500, 400}, s, 5));
  const Program program = read(e);
  EXPECT_THAT(calls(program), ElementsAre("k", "event 0 in 13"));
  EXPECT_THAT(notes(program), IsEmpty()) << "it is known what they are for";
}

// The record's table is there only with --cuda-event-trace; both exports of 2026.2 have waits for events without it.
TEST_P(NsightTrapsOfVersion, WaitsForEventsWhoseRecordsWereNotKeptAreToldOf) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  e.launch(t, {100}, s, kOne, {5'000, 50'000});
  const auto record = e.record_event(t, {10'000}, s, 5);
  e.wait_event(t, {13'000}, other, record);
  e.launch(t, {16'000}, other, kOne, {51'000, 52'000});
  e.synchronize_event(t, {19'000, 32'000}, record);
  e.then("DROP TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT");
  const Program program = read(e);
  EXPECT_THAT(calls(program), ElementsAre("k#1", "k#2"));
  EXPECT_THAT(notes(program),
              ElementsAre(HasSubstr("1 streams wait for an event whose recording is not in the capture"),
                          HasSubstr("1 calls wait for an event whose recording is not in the capture")));
}

// Both processes count their calls from 1 on: ids are unique in a process only.
TEST_P(NsightTrapsOfVersion, ProcessesShareCorrelationIds) {
  const auto t = e.thread(100), u = e.thread(200, 0, "planner");
  const auto s = e.stream(13), v = e.stream(e.context(200, 1), 13);
  e.launch(t, {100}, s, kernel("a", {1}, {32}), {5'000, 50'000});
  e.launch(u, {300}, v, kernel("b", {1}, {32}), {6'000, 60'000});
  e.synchronize_stream(t, {3'000, 47'500}, s);
  e.synchronize_stream(u, {3'100, 57'500}, v);
  const Program program = read(e);
  EXPECT_EQ(command_of(program, "a").called, 100);
  EXPECT_EQ(command_of(program, "b").called, 300);
  EXPECT_EQ(program.streams.size(), 2u) << "of the same number, in contexts of the same number";
  EXPECT_THAT(calls(program), ElementsAre("a", "waits for 13", "b", "waits for 13"));
  EXPECT_THAT(program.process_names, ElementsAre("python", "planner"));
}

// Kinds have the numbers of the export's own tables, not CUPTI's; a later version may number them differently.
TEST_P(NsightTrapsOfVersion, KindsAreWhatTheTablesOfTheFileSay) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {100}, s, kOne, {50'000, 60'000});
  e.copy(t, {300}, s, captured::host_to_device(64, Memory::kPageable), {1'000, 1'500});
  e.copy(t, {400}, s, captured::host_to_device(64, Memory::kPinned), {2'000, 2'500});
  e.push_pop(t, {"frame"}, {50, 400});
  e.then(
      "UPDATE ENUM_CUDA_MEM_KIND SET id = 100 + id; UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcKind = 100 + srcKind, "
      "dstKind = 100 + dstKind;"
      "UPDATE ENUM_CUDA_MEMCPY_OPER SET id = 100 + id; UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 100 + copyKind;"
      "UPDATE ENUM_CUPTI_STREAM_TYPE SET id = 100 + id; UPDATE TARGET_INFO_CUDA_STREAM SET flag = 100 + flag;"
      "UPDATE ENUM_NSYS_EVENT_TYPE SET id = 1000 + id; UPDATE NVTX_EVENTS SET eventType = 1000 + eventType");
  const Program program = read(e);
  EXPECT_TRUE(program.commands.at(0).copy()->pageable);
  EXPECT_EQ(program.commands[0].copy()->kind, CopyKind::kHostToDevice);
  EXPECT_FALSE(program.commands[1].copy()->pageable);
  EXPECT_EQ(stream_of(program, 13).kind, StreamKind::kNonBlocking);
  EXPECT_EQ(program.ranges.size(), 1u);
}

TEST_P(NsightTrapsOfVersion, WithoutTheTablesKindsAreThoseOfAllVersionsSeen) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {100}, s, kOne, {50'000, 60'000});
  e.copy(t, {300}, s, captured::host_to_device(64, Memory::kPageable), {1'000, 1'500});
  e.copy(t, {400}, s, captured::device_to_host(64, Memory::kPinned), {2'000, 2'500});
  e.copy(t, {500}, s, captured::device_to_device(64), {3'000, 3'500});
  e.push_pop(t, {"frame"}, {50, 400});
  for (const char* table : {"ENUM_CUDA_MEM_KIND", "ENUM_CUDA_MEMCPY_OPER", "ENUM_CUPTI_STREAM_TYPE",
                            "ENUM_NSYS_EVENT_TYPE", "ENUM_CUPTI_SYNC_TYPE"})
    e.then(std::string("DROP TABLE ") + table);
  const Program program = read(e);
  EXPECT_THAT(labels(program), ElementsAre("host_to_device#1", "device_to_host#2", "device_to_device#3", "k"));
  EXPECT_TRUE(program.commands[0].copy()->pageable);
  EXPECT_FALSE(program.commands[1].copy()->pageable);
  EXPECT_EQ(stream_of(program, 13).kind, StreamKind::kNonBlocking);
  EXPECT_EQ(program.ranges.size(), 1u);
}

// 32-bit columns are written unsigned.
TEST_P(NsightTrapsOfVersion, NumbersAboveTwoBillionAreNoNegativeOnes) {
  const auto t = e.thread(100);
  const auto s = e.stream(4'294'967'290, -128), other = e.stream(3'000'000'000, 127);
  e.launch(t, {100}, s, kOne, {5'000, 50'000});
  const auto record = e.record_event(t, {10'000}, s, 4'000'000'000);
  e.wait_event(t, {13'000}, other, record);
  e.launch(t, {16'000}, other, kOne, {51'000, 52'000});
  e.then(
      "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 4294967294 WHERE start = 100;"
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 4294967294 WHERE start = 5000");
  const Program program = read(e);
  EXPECT_THAT(calls(program), ElementsAre("k#1", "event 0 in 4294967290", "3000000000 waits for event 0", "k#2"));
  EXPECT_EQ(stream_of(program, 4'294'967'290).priority, -128);
  EXPECT_EQ(stream_of(program, 3'000'000'000).priority, 127);
}

TEST_P(NsightTrapsOfVersion, PrioritiesThatCannotBeAreTold) {
  const auto t = e.thread(100);
  e.launch(t, {100}, e.stream(13, -5'000), kOne, {5'000, 50'000});
  const Program program = read(e);
  EXPECT_EQ(stream_of(program, 13).priority, 0);
  EXPECT_THAT(notes(program), ElementsAre(HasSubstr("1 streams have an impossible priority; assumed: 0")));
}

// The driver's number of a GPU, Nsight's, and the process's are three: on a node of four GPUs Nsight's 0 was CUDA's 3.
TEST_P(NsightTrapsOfVersion, TheGpuIsFoundByCudasNumberAndNotByNsights) {
  NsightExport::Gpu small, large;
  small.name = "small", small.cuda_number = 1, small.number = 0, small.sms = 16;
  large.name = "large", large.cuda_number = 0, large.number = 1, large.sms = 132;
  const auto t = e.gpu(small).gpu(large).thread(100);
  e.launch(t, {100}, e.stream(13), kOne, {5'000, 50'000});
  EXPECT_EQ(read(e).gpu.name, "large");
}

TEST_P(NsightTrapsOfVersion, NamesThatAreNoTextAreReplaced) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {100}, s, kernel("plain", {1}, {32}), {5'000, 6'000});
  e.launch(t, {200}, s, kernel("broken", {1}, {32}), {7'000, 8'000});
  e.launch(t, {300}, s, kernel("nameless", {1}, {32}), {9'000, 9'500});
  e.push_pop(t, {"range"}, {50, 400});
  e.then(
      "UPDATE StringIds SET value = CAST(x'62ff0a' AS TEXT) WHERE value = 'broken';"
      "UPDATE StringIds SET value = CAST(x'ff' AS TEXT) WHERE value LIKE '%python%';"
      "DELETE FROM StringIds WHERE value LIKE '%nameless%'; UPDATE NVTX_EVENTS SET text = CAST(x'ff' AS TEXT)");
  const Program program = read(e);
  EXPECT_EQ(kernel_of(program, "plain").name, "plain");
  EXPECT_EQ(program.commands.at(1).kernel()->name, "kernel");
  EXPECT_THAT(notes(program),
              ElementsAre(HasSubstr("1 kernels have a name that is not text; they are called 'kernel'")));
  EXPECT_EQ(program.threads.at(0).name, "");
  EXPECT_THAT(program.ranges, IsEmpty());
}

TEST_P(NsightTrapsOfVersion, EachKernelHasALabelOfItsOwn) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  std::int64_t at = 1'000;
  for (const char* name : {"k", "k", "k#2", "host_to_device#1", "k#1"}) {
    e.launch(t, {at - 500, 100}, s, kernel(name, {1}, {32}), {at, at + 500});
    at += 1'000;
  }
  e.copy(t, {at - 500, 100}, s, captured::host_to_device(64), {at, at + 500});
  std::vector<std::string> all = labels(read(e));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

// Tables are there only where they have rows, unless an export was made with --lazy=false.
TEST_P(NsightTrapsOfVersion, EmptyTablesAreAsGoodAsNone) {
  const auto t = e.thread(100);
  e.launch(t, {100}, e.stream(13), kOne, {5'000, 50'000});
  const Program lazy = read(e), eager = read(e.with_empty_tables());
  EXPECT_EQ(labels(lazy), labels(eager));
  EXPECT_EQ(lazy.warnings, eager.warnings);
  EXPECT_THAT(notes(eager), IsEmpty());
}

TEST_P(NsightTrapsOfVersion, ThreadsPercentageOfMpsIsAShare) {
  const auto t = e.gpu().thread(100);
  e.launch(t, {100}, e.stream(13), kernel("k", {60}, {1024}), {5'000, 50'000});
  e.environment("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE_NOT", "1").environment("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50");
  const Program program = read(e);
  ASSERT_TRUE(program.commands.at(0).kernel()->share);
  EXPECT_EQ(program.shares.at(*program.commands[0].kernel()->share).sms, 15u);
}

TEST_P(NsightTrapsOfVersion, APercentageThatCannotBeIsNone) {
  for (const char* value : {"", "0", "-5", "101", "nan", "half", "50%"}) {
    NsightExport other(GetParam());
    const auto t = other.gpu().thread(100);
    other.launch(t, {100}, other.stream(13), kOne, {5'000, 50'000});
    other.environment("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", value);
    EXPECT_THAT(read(other).shares, IsEmpty()) << value;
  }
}

// The default, CUDA 12: the launch of a graph begins on the host, so the graph's row names no device (CUPTI,
// CUpti_ActivityGraphTrace2: deviceId is INT_MAX).
TEST_P(NsightTrapsOfVersion, AGraphThatBeginsOnTheHostIsOfTheDeviceOfItsContext) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {100}, s, kOne, {5'000, 6'000});
  e.launch_whole_graph(t, {300}, s, e.graph(t, 10, 20, 3, false), {7'000, 8'000});
  e.then("UPDATE CUPTI_ACTIVITY_KIND_GRAPH_TRACE SET deviceId = 2147483647");
  const Program program = read(e);
  EXPECT_THAT(labels(program), ElementsAre("k", "graph"));
}

INSTANTIATE_TEST_SUITE_P(Versions, NsightTrapsOfVersion,
                         testing::Values(NsightVersion::k2024_5, NsightVersion::k2025_5, NsightVersion::k2026_2));

/// 2024.5 does not record them.
class NsightTrapsOfGreenContexts : public NsightTrapsOfVersion {};

// No export at hand shows a green context (CUPTI, CUpti_ActivityContext3, CUpti_ActivityKernel9): its kernels may be
// said to be of the context that it was cut from, or of itself, and its streams are those of the whole.
TEST_P(NsightTrapsOfGreenContexts, AGreenContextIsAShareOfTheContextThatItWasCutFrom) {
  for (const bool as_its_own : {false, true}) {
    NsightExport file(GetParam());
    const auto t = file.gpu().thread(100);
    const auto whole = file.context(100, 5, 0, 9), green = file.green_context(whole, 6);
    const auto s = file.stream(whole, 13), small = file.stream(green, 14, -3);
    file.launch(t, {500}, s, kernel("all", {30}, {32}), {5'000, 50'000});
    file.launch(t, {3'500}, small, kernel("part", {30}, {32}), {51'000, 52'000});
    file.synchronize_stream(t, {60'000}, small);
    file.synchronize_device(t, {63'000}, whole);
    if (as_its_own) {
      file.then(
          "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET contextId = 6, greenContextId = 0 WHERE streamId = 14;"
          "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET contextId = 6 WHERE streamId = 14;"
          "UPDATE TARGET_INFO_CUDA_CONTEXT_INFO SET nullStreamId = 14 WHERE contextId = 6");
    }
    const Program program = read(file);
    EXPECT_FALSE(kernel_of(program, "all").share);
    ASSERT_TRUE(kernel_of(program, "part").share);
    EXPECT_EQ(program.shares.at(*kernel_of(program, "part").share).id, 6u);
    EXPECT_FALSE(program.shares[0].sms);
    EXPECT_EQ(stream_of(program, 14).context, 5u);
    EXPECT_EQ(stream_of(program, 14).priority, -3);
    EXPECT_EQ(stream_of(program, 14).kind, StreamKind::kNonBlocking) << "its null stream is not said to be anything";
    EXPECT_THAT(calls(program), ElementsAre("all", "part", "waits for 14", "waits for the device"));
  }
}

TEST_P(NsightTrapsOfGreenContexts, TheNullStreamOfAGreenContextIsNoStreamsDefault) {
  const auto t = e.gpu().thread(100);
  const auto green = e.green_context(e.context(100, 5, 0, 9), 6);
  e.launch(t, {500}, e.stream(green, 14), kOne, {5'000, 50'000});
  e.then(
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET contextId = 6; UPDATE TARGET_INFO_CUDA_CONTEXT_INFO SET nullStreamId = "
      "14, "
      "parentContextId = 0 WHERE contextId = 6");
  const Program program = read(e);
  EXPECT_EQ(stream_of(program, 14).kind, StreamKind::kNonBlocking);
  EXPECT_EQ(stream_of(program, 14).context, 6u);
  EXPECT_TRUE(kernel_of(program, "k").share);
}

INSTANTIATE_TEST_SUITE_P(Versions, NsightTrapsOfGreenContexts,
                         testing::Values(NsightVersion::k2025_5, NsightVersion::k2026_2));

// 2024.5 has no table of overheads.
TEST_F(NsightTraps, CallsThatMetAFullLaunchQueueWaitedInIt) {
  for (const NsightVersion version : {NsightVersion::k2025_5, NsightVersion::k2026_2}) {
    NsightExport e(version);
    const auto t = e.thread(100);
    const auto s = e.stream(13);
    const auto first = e.launch(t, {100, 900}, s, kOne, {5'000, 50'000});
    const auto second = e.launch(t, {1'100, 900}, s, kOne, {51'000, 52'000});
    e.overhead(t, first, {150, 850}, captured::Overhead::kLazyFunctionLoading);
    e.overhead(t, second, {1'150, 1'850}, captured::Overhead::kCommandBufferFull);
    const Program program = read(e);
    EXPECT_EQ(program.threads.at(0).calls.at(0).entered, 100);
    EXPECT_EQ(program.threads[0].calls.at(1).entered, 1'850);
  }
}

// 0 and 4294967295 stand for no record; then a wait is for the last record of its event, as in 2024.5.
TEST_F(NsightTraps, AWaitWithoutARecordIsForTheLastOfItsEvent) {
  for (const NsightVersion version : {NsightVersion::k2025_5, NsightVersion::k2026_2}) {
    for (const char* none : {"0", "4294967295", "NULL"}) {
      NsightExport e(version);
      const auto t = e.thread(100);
      const auto s = e.stream(13), other = e.stream(14);
      e.launch(t, {100}, s, kOne, {5'000, 6'000});
      e.launch(t, {200}, other, kOne, {5'000, 6'000});
      e.record_event(t, {10'000}, s, 5);
      e.wait_event(t, {16'000}, other, e.record_event(t, {13'000}, s, 5));
      e.then(std::string("UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventSyncId = ") + none);
      const Program program = read(e);
      EXPECT_THAT(calls(program), ElementsAre("k#1", "k#2", "event 0 in 13", "14 waits for event 0")) << none;
      EXPECT_EQ(program.threads.at(0).calls.at(2).start, 13'000);
    }
  }
}

// With CUDA_VISIBLE_DEVICES each process has a device 0, which are different GPUs; the table of devices tells which.
TEST_F(NsightTraps, DevicesOfProcessesThatSeeOneGpuEachAreTwo) {
  for (const NsightVersion version : {NsightVersion::k2025_5, NsightVersion::k2026_2}) {
    NsightExport e(version);
    NsightExport::Gpu first, second;
    first.name = "first", first.cuda_number = 0, first.number = 4;
    second.name = "second", second.cuda_number = 1, second.number = 3;
    e.gpu(first).gpu(second);
    const auto t = e.thread(100), u = e.thread(200);
    const auto s = e.stream(13), v = e.stream(e.context(200, 1), 13);
    e.sees(100, 0, first).sees(200, 0, second);
    e.launch(t, {100}, s, kernel("a", {1}, {32}), {5'000, 6'000});
    e.launch(u, {300}, v, kernel("b", {1}, {32}), {5'000, 6'000});
    e.launch(u, {900}, v, kernel("c", {1}, {32}), {7'000, 8'000});
    const Program program = read(e);
    EXPECT_THAT(labels(program), ElementsAre("b", "c"));
    EXPECT_EQ(program.gpu.name, "second");
    EXPECT_THAT(program.warnings, ElementsAre(HasSubstr("devices 0, 1; using those of device 1")));
    EXPECT_EQ(read(e, 0).gpu.name, "first");
    EXPECT_THAT(labels(read(e, 0)), ElementsAre("a"));
  }
}

}  // namespace
}  // namespace gputlm
