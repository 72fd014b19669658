// Reading exports of Nsight Systems. They have the tool's form (tests/support/nsight_export.h).
#include "platform/programs/capture.h"

#include <gmock/gmock.h>

#include "tests/support/nsight_export.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/test_folder.h"
#include "tests/unit/error_of.h"
#include "tests/unit/programs/of_program.h"

namespace gputlm {
namespace {

using captured::kernel;
using captured::Memory;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Nsight : public testing::Test {
 protected:
  Program read(const NsightExport& file, std::optional<std::uint64_t> device = std::nullopt) {
    file.write(path);
    return capture_formats().at("Nsight Systems").read(path, device);
  }
  std::string error() {
    return error_of([&] { capture_formats().at("Nsight Systems").read(path, {}); });
  }

  TestFolder folder;
  std::string path = folder.path("t.sqlite");
};

class NsightOfVersion : public Nsight, public testing::WithParamInterface<NsightVersion> {
 protected:
  NsightExport e{GetParam()};
};

TEST_P(NsightOfVersion, KernelsHaveNamesShapesAndTimes) {
  const auto t = e.gpu().thread(100);
  const auto s = e.stream(13), other = e.stream(14);
  const auto gemm = kernel("void ns::gemm<float>(float*, int)", {60, 2}, {128, 1, 2}).with_registers(40);
  e.launch(t, {500}, s, gemm.with_shared_memory(1024, 2048), {1'000, 3'000});
  e.launched_before(other, kernel("fill(int*)", {1}, {32}), {4'000, 5'000});
  e.launch(t, {2'600}, s, gemm, {6'000, 7'000});
  const Program program = read(e);
  EXPECT_EQ(program.gpu.name, "NVIDIA GeForce RTX 2060");
  EXPECT_EQ(program.gpu.sms, 30u);
  EXPECT_EQ(program.gpu.warps, 32u);
  EXPECT_EQ(program.gpu.blocks, 16u);
  EXPECT_EQ(program.gpu.registers, 65'536u);
  EXPECT_EQ(program.gpu.shared_memory, 65'536u);
  ASSERT_THAT(labels(program), ElementsAre("gemm#1", "fill", "gemm#2"));
  const MeasuredCommand& first = program.commands[0];
  EXPECT_EQ(first.kernel()->name, "void ns::gemm<float>(float*, int)");
  EXPECT_EQ(text_of(first.kernel()->grid), "60 x 2 x 1");
  EXPECT_EQ(text_of(first.kernel()->block), "128 x 1 x 2");
  EXPECT_EQ(first.kernel()->registers, 40u);
  EXPECT_EQ(first.kernel()->shared_memory, 3072u);
  EXPECT_FALSE(first.kernel()->unknown_shape);
  EXPECT_EQ(first.start, 1'000);
  EXPECT_EQ(first.end, 3'000);
  EXPECT_EQ(first.called, 500);
  EXPECT_FALSE(program.commands[1].called) << "the host called for it before the recording began";
  EXPECT_EQ(program.streams.at(first.stream).id, 13u);
  EXPECT_EQ(program.streams.at(program.commands[1].stream).id, 14u);
  EXPECT_THAT(program.process_names, ElementsAre("python"));
  EXPECT_THAT(notes(program), IsEmpty());
  EXPECT_THAT(program.warnings, IsEmpty());
}

TEST_P(NsightOfVersion, ThreadsHaveTheirCalls) {
  const auto t = e.thread(100), worker = e.thread(100, 123, "worker");
  const auto s = e.stream(13);
  e.launch(worker, {500, 300}, s, kernel("k", {1}, {32}), {1'000, 3'000});
  e.call(t, {510}, "cudaGetDeviceCount_v3020");
  e.synchronize_stream(t, {600, 2'600}, s);
  const Program program = read(e);
  ASSERT_EQ(program.threads.size(), 2u);
  EXPECT_EQ(program.threads[0].process, 100u);
  EXPECT_EQ(program.threads[0].id, 100u);
  EXPECT_EQ(program.threads[1].id, 123u);
  EXPECT_EQ(program.threads[1].name, "worker");
  EXPECT_THAT(calls(program), ElementsAre("waits for 13", "k")) << "what does nothing to streams is not kept";
  const MeasuredCall& launch = program.threads[1].calls[0];
  EXPECT_EQ(launch.start, 500);
  EXPECT_EQ(launch.end, 800);
  EXPECT_EQ(launch.entered, 500);
}

TEST_P(NsightOfVersion, CopiesHaveBytesAndKindsAndThoseOfOthersAreLeftOut) {
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launched_before(s, kernel("k", {1}, {32}), {9'000, 9'500});
  e.copy(t, {50}, s, captured::host_to_device(4096, Memory::kPageable), {100, 200});
  e.copy(t, {250}, s, captured::device_to_host(8), {300, 400});
  e.memset(t, {340}, s, 77, {450, 460});
  e.copy(t, {480}, s, captured::device_to_device(5'000'000'000), {500, 600});
  e.copy(t, {680}, s, captured::to_peer(9, 1), {700, 800});
  e.copy(t, {780}, s, {captured::Direction::kHostToHost, 9, Memory::kPinned, Memory::kPageable}, {850, 860});
  const Program program = read(e);
  ASSERT_THAT(labels(program),
              ElementsAre("host_to_device#1", "device_to_host#2", "memset#3", "device_to_device#4", "k"));
  EXPECT_TRUE(program.commands[0].copy()->pageable);
  EXPECT_EQ(program.commands[0].copy()->bytes, 4096u);
  EXPECT_FALSE(program.commands[1].copy()->pageable);
  EXPECT_EQ(program.commands[2].copy()->bytes, 77u);
  EXPECT_EQ(program.commands[3].copy()->bytes, 5'000'000'000u);
  EXPECT_THAT(notes(program),
              ElementsAre("1 copies of kind CUDA_MEMCPY_KIND_PTOP are left out (CUPTI_ACTIVITY_KIND_MEMCPY, row 4)",
                          "1 copies of kind CUDA_MEMCPY_KIND_HTOH are left out (CUPTI_ACTIVITY_KIND_MEMCPY, row 5)"));
}

TEST_P(NsightOfVersion, StreamsHaveTheirPrioritiesAndKinds) {
  const auto t = e.thread(100);
  const auto null = e.unlisted_stream(7), urgent = e.stream(13, -5),
             plain = e.stream(14, 0, captured::StreamKind::kDefault), lent = e.unlisted_stream(15);
  std::int64_t at = 1'000;
  for (const auto& s : {null, urgent, plain, lent}) {
    e.launch(t, {at}, s, kernel("k", {1}, {32}), {at + 3'000, at + 4'000});
    at += 2'000;
  }
  const Program program = read(e);
  ASSERT_EQ(program.streams.size(), 4u);
  EXPECT_EQ(stream_of(program, 7).kind, StreamKind::kDefault) << "2026.2 names it in the table of contexts only";
  EXPECT_EQ(stream_of(program, 13).kind, StreamKind::kNonBlocking);
  EXPECT_EQ(stream_of(program, 13).priority, -5);
  EXPECT_EQ(stream_of(program, 14).kind, StreamKind::kBlocking);
  EXPECT_EQ(stream_of(program, 14).priority, 0);
  EXPECT_EQ(stream_of(program, 15).kind, StreamKind::kBlocking);
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_P(NsightOfVersion, RangesHaveNamesWhicheverWayTheProgramGaveThem) {
  const auto t = e.thread(100), worker = e.thread(100, 123, "worker");
  const auto s = e.stream(13);
  e.launch(t, {500}, s, kernel("k", {1}, {32}), {3'000, 4'000});
  e.domain(t, 1, "library", 50);
  e.push_pop(worker, {"frame"}, {400, 900});
  e.push_pop(t, {"registered", true, 1}, {300, 800});
  e.start_end(t, {"request"}, {450, 2'000}, worker);
  e.start_end(worker, {"registered", true, 1}, {1'000, 2'000}, worker);
  e.mark(t, {"mark"}, 700);
  e.pushed_and_never_popped(t, {"open"}, 750);
  const Program program = read(e);
  ASSERT_EQ(program.ranges.size(), 4u) << "a mark is none, and what never ended neither";
  EXPECT_EQ(program.ranges[0].name, "registered");
  EXPECT_EQ(program.ranges[0].thread, 100u);
  EXPECT_EQ(program.ranges[1].name, "frame");
  EXPECT_EQ(program.ranges[1].process, 100u);
  EXPECT_EQ(program.ranges[1].thread, 123u);
  EXPECT_EQ(program.ranges[1].start, 400);
  EXPECT_EQ(program.ranges[1].end, 900);
  EXPECT_EQ(program.ranges[2].name, "request");
  EXPECT_EQ(program.ranges[2].process, 100u);
  EXPECT_FALSE(program.ranges[2].thread) << "another thread may end it";
  EXPECT_EQ(program.ranges[3].name, "registered");
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_P(NsightOfVersion, AGraphThatWasRecordedAsAWholeIsAKernelOfUnknownShape) {
  const auto t = e.gpu().thread(100);
  const auto s = e.stream(13);
  const auto graph = e.graph(t, 100, 200, 3, false);
  e.launch_whole_graph(t, {300}, s, graph, {1'000, 51'000});
  e.launch(t, {400}, s, kernel("k", {1}, {32}), {52'000, 53'000});
  const Program program = read(e);
  ASSERT_THAT(labels(program), ElementsAre("graph", "k"));
  EXPECT_TRUE(kernel_of(program, "graph").unknown_shape);
  EXPECT_EQ(program.commands[0].called, 300);
  EXPECT_THAT(program.warnings,
              ElementsAre(HasSubstr("1 launches of CUDA graphs have no kernels here; each is modelled "
                                    "as a kernel with a block of 1024 threads on each SM")));
}

TEST_P(NsightOfVersion, NodesOfAGraphAreOfTheCallThatLaunchedIt) {
  const auto t = e.thread(100);
  const auto s = e.stream(13), other = e.unlisted_stream(14);
  const auto graph = e.graph(t, 100, 200, 3, true);
  e.launch_graph(t, {300}, s, graph,
                 {{0, s, kernel("first", {1}, {32}), {1'000, 2'000}},
                  {1, other, kernel("second", {1}, {32}), {1'100, 1'900}},
                  {2, s, captured::device_to_device(64), {2'000, 2'100}}});
  const Program program = read(e);
  EXPECT_THAT(calls(program), ElementsAre("first"));
  EXPECT_EQ(program.commands[0].next, 1u);
  EXPECT_EQ(program.commands[1].next, 2u);
  EXPECT_FALSE(program.commands[2].next);
  for (const MeasuredCommand& node : program.commands) {
    EXPECT_TRUE(node.graph_node);
    EXPECT_EQ(node.called, 300);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, NsightOfVersion,
                         testing::Values(NsightVersion::k2024_5, NsightVersion::k2025_5, NsightVersion::k2026_2));

TEST_F(Nsight, ClustersAreReadWhereTheVersionHasThem) {
  for (const auto& [version, blocks] : {std::pair(NsightVersion::k2024_5, 1u), {NsightVersion::k2025_5, 2u}}) {
    NsightExport e(version);
    const auto t = e.thread(100);
    e.launch(t, {500}, e.stream(13), kernel("k", {8}, {32}).in_clusters({2}), {1'000, 3'000});
    EXPECT_EQ(read(e).commands.at(0).kernel()->cluster.x, blocks);
  }
}

TEST_F(Nsight, TheDeviceWithTheMostKernelsIsTaken) {
  NsightExport e(NsightVersion::k2026_2);
  const auto t = e.thread(100);
  const auto s = e.stream(13), third = e.stream(e.context(100, 2, 3, 15), 23);
  e.launch(t, {500}, s, kernel("a", {1}, {32}), {1'000, 1'100});
  e.launch(t, {600}, third, kernel("b", {1}, {32}), {1'200, 1'300});
  e.launch(t, {700}, third, kernel("c", {1}, {32}), {1'400, 1'500});
  const Program program = read(e);
  EXPECT_THAT(labels(program), ElementsAre("b", "c"));
  EXPECT_THAT(calls(program), ElementsAre("b", "c"));
  EXPECT_THAT(program.warnings, ElementsAre(HasSubstr("devices 0, 3; using those of device 3 (--device)")));
  EXPECT_THAT(labels(read(e, 0)), ElementsAre("a"));
  EXPECT_THAT(error_of([&] { read(e, 2); }), HasSubstr("--device: found 2, allowed: 0, 3"));
}

TEST_F(Nsight, WhatIsMissingIsNamedOrDoneWithout) {
  NsightExport e(NsightVersion::k2025_5);
  const auto t = e.gpu().thread(100);
  e.launch(t, {500}, e.stream(13), kernel("k", {1}, {32}), {1'000, 3'000});
  e.then(
      "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE TARGET_INFO_GPU; DROP TABLE TARGET_INFO_CUDA_STREAM;"
      "DROP TABLE TARGET_INFO_CUDA_CONTEXT_INFO; DROP TABLE PROCESSES; DROP TABLE ThreadNames");
  for (const char* column : {"globalPid", "graphNodeId", "greenContextId", "clusterX", "deviceId", "registersPerThread",
                             "staticSharedMemory", "shortName", "mangledName", "correlationId"})
    e.then(std::string("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN ") + column);
  const Program program = read(e);
  EXPECT_THAT(labels(program), ElementsAre("k"));
  EXPECT_THAT(program.threads, IsEmpty());
  EXPECT_FALSE(program.gpu.sms);
  EXPECT_THAT(program.process_names, ElementsAre("process 0"));
  EXPECT_THAT(program.warnings, ElementsAre(HasSubstr("the start on the GPU is taken as the time of the launch")));
  e.then("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN gridX");
  EXPECT_THAT(error_of([&] { read(e); }), HasSubstr("t.sqlite: table CUPTI_ACTIVITY_KIND_KERNEL lacks columns: gridX"));
}

TEST_F(Nsight, WhatCannotBeIsLeftOutAndTheRestRuns) {
  struct Damage {
    const char* set;
    const char* note;
  };
  for (const Damage& damage : std::vector<Damage>{
           {"start = 0", "commands have no start or no end; they are left out"},
           {"end = 0", "commands have no start or no end; they are left out"},
           {"end = 5900", "commands end before they start; they are left out"},
           {"gridX = 0", "kernels have an impossible grid; they are left out"},
           {"gridY = 65536", "kernels have an impossible grid; they are left out"},
           {"blockX = 1025", "kernels have an impossible block; they are left out"},
           {"blockX = 1024, blockY = 2", "kernels have an impossible block; they are left out"},
           {"registersPerThread = 256", "kernels have more than 255 registers per thread; they are left out"},
           {"dynamicSharedMemory = 4294967295", "bytes of shared memory; they are left out"},
           {"streamId = 4294967295", "commands have no stream; they are left out"},
           {"streamId = -1", "commands have no stream; they are left out"}}) {
    NsightExport e(NsightVersion::k2025_5);
    const auto t = e.thread(100);
    const auto s = e.stream(13);
    e.launch(t, {500}, s, kernel("good", {1}, {32}), {1'000, 2'000});
    e.launch(t, {600}, s, kernel("bad", {1}, {32}), {6'000, 7'000});
    e.then(std::string("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET ") + damage.set + " WHERE start = 6000");
    const Program program = read(e);
    EXPECT_THAT(labels(program), ElementsAre("good")) << damage.set;
    EXPECT_THAT(notes(program),
                ElementsAre(AllOf(HasSubstr(damage.note), HasSubstr("(CUPTI_ACTIVITY_KIND_KERNEL, row "))))
        << damage.set;
    EXPECT_THAT(calls(program), ElementsAre("good")) << "its call does nothing any more";
  }
}

TEST_F(Nsight, CopiesThatCannotBeAreLeftOutAndThoseOfNothingToo) {
  NsightExport e(NsightVersion::k2025_5);
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {500}, s, kernel("k", {1}, {32}), {1'000, 2'000});
  for (int i = 0; i < 5; ++i) e.copy(t, {600 + i}, s, captured::host_to_device(64), {3'000 + 100 * i, 3'050 + 100 * i});
  e.then(
      "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = -1 WHERE start = 3000;"
      "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = 77 WHERE start = 3100;"
      "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 2000000000000 WHERE start = 3200;"
      "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 0 WHERE start = 3300");
  const Program program = read(e);
  EXPECT_THAT(labels(program), ElementsAre("k", "host_to_device#1"));
  EXPECT_THAT(notes(program),
              ElementsAre("1 copies have a negative size; they are left out (CUPTI_ACTIVITY_KIND_MEMCPY, row 1)",
                          "1 copies of kind 77 are left out (CUPTI_ACTIVITY_KIND_MEMCPY, row 2)",
                          "1 copies have an impossible size (allowed: up to 1099511627776 bytes); they are left out "
                          "(CUPTI_ACTIVITY_KIND_MEMCPY, row 3)"));
}

TEST_F(Nsight, ManyOfAKindAreCountedAndTheFirstIsNamed) {
  NsightExport e(NsightVersion::k2025_5);
  const auto s = (e.thread(100), e.stream(13));
  for (int i = 0; i < 9; ++i) e.launched_before(s, kernel("k", {1}, {32}), {1'000 + 100 * i, 1'050 + 100 * i});
  e.then("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1 WHERE start >= 1600");
  EXPECT_THAT(notes(read(e)),
              ElementsAre("3 commands end before they start; they are left out (CUPTI_ACTIVITY_KIND_KERNEL, row 7)"));
}

TEST_F(Nsight, MoreThanAnHourIsRefused) {
  NsightExport e(NsightVersion::k2025_5);
  const auto s = (e.thread(100), e.stream(13));
  e.launched_before(s, kernel("k", {1}, {32}), {1'000, 2'000});
  e.launched_before(s, kernel("l", {1}, {32}), {3'600'000'001'000, 3'600'000'002'000});
  EXPECT_THAT(error_of([&] { read(e); }), HasSubstr("'l' ends more than an hour after the first command starts"));
}

TEST_F(Nsight, FilesThatAreNoneAreRefused) {
  SqliteFile(path).run("CREATE TABLE t (a)");
  EXPECT_THAT(error(), AllOf(HasSubstr("no table CUPTI_ACTIVITY_KIND_KERNEL"), HasSubstr("nsys export --type sqlite")));
  path = folder.path("cut.sqlite");
  folder.write("cut.sqlite", std::string("SQLite format 3\0", 16) + "nothing more");
  EXPECT_THAT(error(), HasSubstr("cut.sqlite: cannot be read as a SQLite database"));
  path = folder.path("none.sqlite");
  EXPECT_THAT(error(), HasSubstr("none.sqlite: cannot be read"));
  EXPECT_THAT(error_of([&] { read(NsightExport(NsightVersion::k2026_2).with_empty_tables()); }),
              HasSubstr("has no kernel of device 0"));
}

}  // namespace
}  // namespace gputlm
