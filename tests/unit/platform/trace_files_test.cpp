#include "platform/input/trace_files.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> launches(const KernelsList& list) {
  std::vector<std::string> names;
  for (const KernelsListEntry& entry : list.entries) {
    if (const auto* launch = std::get_if<TraceLaunch>(&entry.command))
      names.push_back(std::filesystem::path(launch->path).filename().string());
  }
  return names;
}

TEST(TraceFiles, AFolderIsItsKernelslist) {
  const TestFolder folder;
  folder.write("a.g", "kernel-1.traceg\n");
  folder.write("kernelslist.g", "kernel-2.traceg\n");
  folder.write("kernel-2.traceg", "");
  const KernelsList list = find_trace(folder.path(""));
  EXPECT_THAT(launches(list), ElementsAre("kernel-2.traceg"));
  EXPECT_THAT(list.warnings, IsEmpty());
}

TEST(TraceFiles, AFolderIsItsOnlyListWhateverItIsCalled) {
  const TestFolder folder;
  folder.write("first-ten.g", "kernel-1.traceg\n");
  EXPECT_THAT(launches(find_trace(folder.path(""))), ElementsAre("kernel-1.traceg"));
}

TEST(TraceFiles, AFolderWithSeveralListsIsRefusedWithTheirNames) {
  const TestFolder folder;
  folder.write("b.g", "");
  folder.write("a.g", "");
  EXPECT_THAT(error_of([&] { find_trace(folder.path("")); }),
              AllOf(HasSubstr("several launch lists: a.g, b.g"), HasSubstr("name the one to run")));
}

TEST(TraceFiles, AFolderWithoutAListIsItsTracesInTheOrderOfTheirNumbers) {
  const TestFolder folder;
  for (const char* name : {"kernel-10.traceg", "kernel-2.traceg.xz", "kernel-1.traceg", "kernel-1.traceg.xz"})
    folder.write(name, "");
  const KernelsList list = find_trace(folder.path(""));
  EXPECT_THAT(launches(list), ElementsAre("kernel-1.traceg", "kernel-2.traceg.xz", "kernel-10.traceg"));
  EXPECT_THAT(list.warnings, ElementsAre(HasSubstr("its 3 kernel traces are launched in the order of their numbers")));
}

TEST(TraceFiles, AFolderWithoutTracesIsRefusedWithWhatIsMissing) {
  const TestFolder folder;
  EXPECT_THAT(error_of([&] { find_trace(folder.path("")); }), HasSubstr("neither a launch list (kernelslist.g)"));
  folder.write("kernel-1.trace", "");
  EXPECT_THAT(error_of([&] { find_trace(folder.path("")); }), HasSubstr("post-traces-processing"));
}

TEST(TraceFiles, AnyCompressionOfAFileIsTheFile) {
  const TestFolder folder;
  for (const char* name :
       {"kernelslist.g.gz", "kernelslist.g.zst", "other.g", "kernel-1.traceg.zst", "kernel-1.traceg.gz"})
    folder.write(name, "kernel-1.traceg\n");
  const KernelsList list = find_trace(folder.path(""));
  EXPECT_THAT(list.path, EndsWith("kernelslist.g.zst")) << "of several forms the first";
  EXPECT_THAT(launches(list), ElementsAre("kernel-1.traceg.zst"));
  EXPECT_THAT(list.warnings, ElementsAre(HasSubstr("kernel-1.traceg is missing, ")));
  EXPECT_EQ(trace_name("/data/backprop/kernelslist.g.zst"), "backprop");
}

TEST(TraceFiles, TheTracersOwnCompressedFormIsAForm) {
  const TestFolder folder;
  for (const char* name : {"kernel-1.tracez", "kernel-1.traceg.xz", "kernel-2.tracez"}) folder.write(name, "");
  EXPECT_THAT(launches(find_trace(folder.path(""))), ElementsAre("kernel-1.traceg.xz", "kernel-2.tracez"));
  const KernelsList list = find_trace(folder.write("kernelslist.g", "kernel-1.tracez\nkernel-2.traceg\n"));
  EXPECT_THAT(launches(list), ElementsAre("kernel-1.tracez", "kernel-2.tracez"));
  EXPECT_TRUE(is_trace("/nonexistent/a.tracez"));
}

TEST(TraceFiles, AKernelTraceAloneIsALaunch) {
  const TestFolder folder;
  const std::string text = one_warp({}).text();
  EXPECT_THAT(launches(find_trace(folder.write("packed", zstd(text)))), ElementsAre("packed"));
  EXPECT_THAT(launches(find_trace(folder.write("k.traceg.xz", xz(text)))), ElementsAre("k.traceg.xz"));
  EXPECT_THAT(launches(find_trace(folder.write("any name", text))), ElementsAre("any name"));
}

TEST(TraceFiles, WhatIsMissingIsTakenAsItIsThereAndSaid) {
  const TestFolder folder;
  for (const char* name : {"kernel-1.traceg.xz", "kernel-2.traceg", "kernel-3.traceg", "packed.g.xz"})
    folder.write(name, "");
  const KernelsList list =
      find_trace(folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg.xz\nkernel-3.traceg\n"));
  EXPECT_THAT(launches(list), ElementsAre("kernel-1.traceg.xz", "kernel-2.traceg", "kernel-3.traceg"));
  EXPECT_THAT(list.warnings,
              ElementsAre(AllOf(HasSubstr("kernel-1.traceg is missing, "), HasSubstr("and so with 1 more"))));
  EXPECT_THAT(find_trace(folder.path("packed.g")).warnings, ElementsAre(HasSubstr("packed.g is missing, ")));
  EXPECT_THAT(error_of([&] { find_trace(folder.path("none.g")); }), HasSubstr("none.g: cannot be opened"));
}

TEST(TraceFiles, IsToldByItsNameOrByWhatItBeginsWith) {
  const TestFolder folder;
  EXPECT_TRUE(is_trace("/nonexistent/kernelslist.g"));
  EXPECT_TRUE(is_trace("/nonexistent/a.traceg.xz"));
  EXPECT_TRUE(is_trace(folder.path("")));
  EXPECT_TRUE(is_trace(folder.write("list", "\nMemcpyHtoD,0x1,2\n")));
  EXPECT_TRUE(is_trace(folder.write("list.txt", "sub/kernel-1.traceg  \r\n")));
  EXPECT_TRUE(is_trace(folder.write("packed", xz("kernel-1.traceg.xz\n"))));
  EXPECT_FALSE(is_trace("/nonexistent/w.yaml"));
  EXPECT_FALSE(is_trace(folder.write("w.yaml", "applications:\n  - trace: kernel-1.traceg\n")));
  EXPECT_FALSE(is_trace(folder.write("w.json", "{\"applications\":\n[{\"trace\":\"kernel-1.traceg\"}]}\n")));
  EXPECT_FALSE(is_trace(folder.write("kernels.yaml", "kernels:\n  kernel-1: {grid: 1}\n")));
}

TEST(TraceFiles, ATraceIsCalledAsItsFolderOrItsFile) {
  EXPECT_EQ(trace_name("/data/backprop/kernelslist.g"), "backprop");
  EXPECT_EQ(trace_name("/data/backprop/kernelslist.g.xz"), "backprop");
  EXPECT_EQ(trace_name("/data/first-ten.g"), "first-ten");
  EXPECT_EQ(trace_name("k.traceg.xz"), "k");
  const TestFolder folder;
  std::filesystem::create_directory(folder.path("v1.2"));
  EXPECT_EQ(trace_name(folder.path("v1.2")), "v1.2");
  EXPECT_EQ(trace_name(folder.path("v1.2/")), "v1.2");
}

}  // namespace
}  // namespace gputlm
