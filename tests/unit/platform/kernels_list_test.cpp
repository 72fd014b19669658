#include "platform/input/trace_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/input/run_input.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string launched_by(const std::string& name, unsigned stream) {
  TraceText trace = one_warp({});
  trace.name = "-kernel name = " + name + "\n";
  trace.stream = "-cuda stream id = " + std::to_string(stream) + "\n";
  return trace.text();
}

RunInput load(const std::string& path) { return load_run_input({path}, {}); }

TEST(KernelsList, KeepsCopiesAndLaunchesInOrder) {
  const TestFolder folder;
  const std::string path = folder.write("kernelslist.g",
                                        "MemcpyHtoD,0x00007fb0fc400000,200000\nkernel-1.traceg\n\r\n"
                                        "MemcpyDtoH,0x1,2\n/abs/kernel-2.traceg.xz\r\nsub/kernel-3.traceg");
  const KernelsList list = read_kernels_list(path);
  ASSERT_EQ(list.entries.size(), 4u);
  EXPECT_EQ(std::get<TraceMemcpy>(list.entries[0].command).address, 0x7fb0fc400000u);
  EXPECT_EQ(std::get<TraceMemcpy>(list.entries[0].command).bytes, 200000u);
  EXPECT_EQ(std::get<TraceLaunch>(list.entries[1].command).path, folder.path("kernel-1.traceg"));
  EXPECT_EQ(std::get<TraceLaunch>(list.entries[2].command).path, "/abs/kernel-2.traceg.xz");
  EXPECT_EQ(std::get<TraceLaunch>(list.entries[3].command).path, folder.path("sub/kernel-3.traceg"));
  EXPECT_EQ(list.entries[3].line, 6u);
  EXPECT_THAT(list.warnings, ElementsAre(HasSubstr(":4: ignored `MemcpyDtoH,0x1,2`")));
}

TEST(KernelsList, BecomesAWorkloadWithAStreamForEachStreamId) {
  const TestFolder folder;
  folder.write("kernel-1.traceg", launched_by("a", 5));
  folder.write("kernel-2.traceg", launched_by("b", 0));
  folder.write("kernel-3.traceg.xz", xz(launched_by("a", 5)));
  const std::string path = folder.write(
      "kernelslist.g",
      "MemcpyHtoD,0x10,100\nkernel-1.traceg\nkernel-2.traceg\nMemcpyHtoD,20,23\nkernel-3.traceg.xz\nkernel-2.traceg\n");
  const RunInput trace = load(path);
  const Workload& workload = trace.workload;
  EXPECT_EQ(workload.applications.size(), 1u);
  ASSERT_EQ(workload.streams.size(), 2u);
  EXPECT_EQ(workload.streams[0].name, "stream 0");
  EXPECT_EQ(workload.streams[1].name, "stream 5");
  std::vector<std::string> labels;
  std::vector<StreamId> streams;
  for (const LaunchCommand& launch : workload.launches) {
    labels.push_back(launch.label);
    streams.push_back(launch.stream);
  }
  EXPECT_THAT(labels, ElementsAre("a", "b", "a#3", "b#4"));
  EXPECT_THAT(streams, ElementsAre(1, 0, 1, 0));
  EXPECT_NE(workload.launches[1].kernel, workload.launches[3].kernel) << "one file launched twice may run side by side";
  for (const LaunchCommand& launch : workload.launches) EXPECT_EQ(launch.kernel->code(0)->warp(0).length, 1u);
  EXPECT_THAT(trace.warnings(), IsEmpty());
}

TEST(KernelsList, ItsCopiesAreBlockingCallsInTheDefaultStreamInTheOrderOfTheList) {
  const TestFolder folder;
  folder.write("kernel-1.traceg", launched_by("a", 5));
  const RunInput trace = load(
      folder.write("kernelslist.g", "MemcpyHtoD,0x10,100\nMemcpyHtoD,0x30,0\nkernel-1.traceg\nMemcpyHtoD,20,23\n"));
  const Workload& workload = trace.workload;
  ASSERT_EQ(workload.copies.size(), 2u) << "an empty one has nothing to copy";
  EXPECT_EQ(workload.copies[0].to, 0x10u);
  EXPECT_EQ(workload.copies[1].to, 0x20u);
  EXPECT_EQ(workload.copies[1].bytes, 23u);
  EXPECT_EQ(workload.copies[1].line, 4u);
  for (const CopyCommand& copy : workload.copies) {
    EXPECT_EQ(copy.kind, CopyKind::kHostToDevice);
    EXPECT_TRUE(copy.blocking);
    EXPECT_EQ(workload.streams[copy.stream].kind, StreamKind::kDefault);
  }
  std::vector<HostCall::Kind> kinds;
  for (const HostCall& call : workload.threads.at(0).calls) kinds.push_back(call.kind);
  EXPECT_THAT(kinds, ElementsAre(HostCall::Kind::kCopy, HostCall::Kind::kLaunch, HostCall::Kind::kCopy));
}

TEST(KernelsList, LabelsAreUniqueWhateverTheKernelsAreCalled) {
  const TestFolder folder;
  folder.write("kernel-1.traceg", launched_by("a", 0));
  folder.write("kernel-2.traceg", launched_by("a#3", 0));
  const std::string path = folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n");
  const RunInput trace = load(path);
  EXPECT_EQ(trace.workload.launches[2].label, "a#3#3");
  EXPECT_THAT(trace.warnings(), IsEmpty());
}

TEST(KernelsList, WarningsOfTheKernelsAreGathered) {
  const TestFolder folder;
  TraceText text = one_warp({"0000 ffffffff 0 QUUX 0 0 0"});
  text.nregs = "-nregs = 0\n";
  folder.write("kernel-1.traceg", text.text());
  const RunInput trace = load(folder.write("kernelslist.g", "kernel-1.traceg\n"));
  EXPECT_THAT(trace.warnings(), ElementsAre(HasSubstr("nregs = 0")));
  trace.workload.launches[0].kernel->code(0);
  EXPECT_THAT(trace.warnings(),
              ElementsAre(HasSubstr("nregs = 0"),
                          HasSubstr("QUUX; taken as an integer instruction that accesses no memory (1 instruction)")));
}

TEST(KernelsList, BadListsAreRefusedWithTheirLine) {
  const TestFolder folder;
  const auto error = [&](const std::string& text) {
    return error_of([&] { load(folder.write("kernelslist.g", text)); });
  };
  EXPECT_THAT(error(""), HasSubstr("kernelslist.g: the list names no kernel trace"));
  EXPECT_THAT(error("MemcpyHtoD,0x1,2\n"), HasSubstr("the list names no kernel trace"));
  EXPECT_THAT(error("\nkernel-9.traceg\n"),
              HasSubstr("kernelslist.g:2: " + folder.path("kernel-9.traceg") + ": cannot be opened"));
  for (const char* bad : {"MemcpyHtoD", "MemcpyHtoD,", "MemcpyHtoD,0x10", "MemcpyHtoD,0x10,", "MemcpyHtoD,x,1",
                          "MemcpyHtoD,0x10,1,2", "MemcpyHtoD,0x11112222333344445,1", "MemcpyHtoD,0x10,-1"})
    EXPECT_THAT(error(std::string(bad) + "\n"),
                HasSubstr("kernelslist.g:1: found `" + std::string(bad) + "`; a copy is"))
        << bad;
  EXPECT_THAT(error_of([&] { load(folder.path("none.g")); }), HasSubstr("cannot be opened"));
}

}  // namespace
}  // namespace gputlm
