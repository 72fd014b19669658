#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error_with(const TraceText& trace) {
  const TestFolder folder;
  return error_of([&] { SassKernel kernel(folder.write("k.traceg", trace.text())); });
}

TEST(SassHeader, DescribesTheLaunch) {
  TraceText trace;
  trace.grid = "-grid dim = (4,3,2)\n-cluster id = 9\n-some later key = x\n";
  trace.block = "-block dim = (16,5,1)\n";
  const TestFolder folder;
  const SassKernel kernel(folder.write("k.traceg", trace.text()));
  EXPECT_EQ(kernel.name, "vectorAdd(int*)");
  EXPECT_EQ(kernel.blocks(), 24u);
  EXPECT_EQ(kernel.threads_per_block(), 80u);
  EXPECT_EQ(kernel.warps_per_block(), 3u);
  EXPECT_EQ(kernel.shared_memory, 512u);
  EXPECT_EQ(kernel.registers_per_thread, 12u);
  EXPECT_EQ(kernel.cuda_stream(), 7u);
  EXPECT_THAT(texts(kernel.warnings()), IsEmpty());
}

TEST(SassHeader, GarbageIsReplacedAndTheReplacementTold) {
  TraceText trace;
  trace.nregs = "-nregs = 21955\n";
  trace.binary = "-binary version = 0\n";
  trace.shmem = "-shmem = -1\n";
  trace.version = "-accelsim tracer version = 0\n";
  const TestFolder folder;
  const SassKernel kernel(folder.write("k.traceg", trace.text()));
  EXPECT_EQ(kernel.registers_per_thread, 32u);
  EXPECT_EQ(kernel.shared_memory, 0u);
  EXPECT_THAT(texts(kernel.warnings()), ElementsAre(HasSubstr("k.traceg: shmem = -1"),
                                                    HasSubstr("nregs = 21955 is not a number of registers from "
                                                              "1 to 255; assumed 32"),
                                                    HasSubstr("binary version = 0"), HasSubstr("tracer version = 0")));
}

TEST(SassHeader, MissingKeysThatDoNotMatterAreAssumedAndTold) {
  TraceText trace;
  trace.name = trace.nregs = trace.version = "";
  const TestFolder folder;
  const SassKernel kernel(folder.write("k.traceg", trace.text()));
  EXPECT_EQ(kernel.name, "k.traceg");
  EXPECT_EQ(kernel.registers_per_thread, 32u);
  EXPECT_EQ(kernel.warnings().size(), 3u);
}

TEST(SassHeader, AnImpossibleLaunchIsRefusedWithItsLine) {
  TraceText trace;
  trace.grid = "-grid dim = (0,1,1)\n";
  EXPECT_THAT(error_with(trace), HasSubstr("k.traceg:3: found grid dim = (0,1,1); each dimension is at least 1"));
  trace.grid = "-grid dim = (65536,65536,1)\n";
  EXPECT_THAT(error_with(trace), HasSubstr("more than 4294967295 blocks"));
  trace.grid = "-grid dim = (4294967295,4294967295,4294967295)\n";
  EXPECT_THAT(error_with(trace), HasSubstr("more than 4294967295 blocks"));
  for (const char* bad : {"1", "(1,1)", "(1,1,x)", "(-1,1,1)", "(1,1,4294967296)", "", "(1,1,1"}) {
    trace.grid = "-grid dim = " + std::string(bad) + "\n";
    EXPECT_THAT(error_with(trace), HasSubstr("k.traceg:3: found `" + std::string(bad) + "`; grid dim is `(x,y,z)`"));
  }
  trace.grid = "";
  EXPECT_THAT(error_with(trace), HasSubstr("the header has no `-grid dim"));
  trace = {};
  trace.block = "";
  EXPECT_THAT(error_with(trace), HasSubstr("the header has no `-block dim"));
  trace.block = "-block dim = (1025,1,1)\n";
  EXPECT_THAT(error_with(trace), HasSubstr("a block has at most 1024 threads"));
  trace.block = "-block dim = (32,32,1)\n";
  EXPECT_EQ(error_with(trace), "");
  trace.stream = "-cuda stream id = x\n";
  EXPECT_THAT(error_with(trace), HasSubstr("cuda stream id is a number"));
}

TEST(SassHeader, AFileThatIsNoTraceIsRefused) {
  const TestFolder folder;
  EXPECT_THAT(error_of([&] { SassKernel kernel(folder.write("empty", "")); }),
              HasSubstr("the file ends in the header"));
  EXPECT_THAT(error_of([&] { SassKernel kernel(folder.write("other", "\nhello\n")); }),
              HasSubstr("other:2: found `hello`; a header line is `-key = value`"));
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { SassKernel kernel(folder.path("pipe")); }), HasSubstr("pipe: is no regular file"));
  EXPECT_THAT(error_of([&] { SassKernel kernel(folder.path("missing")); }), HasSubstr("cannot be opened"));
}

TEST(SassHeader, AKeyIsGivenOnce) {
  TraceText trace;
  trace.shmem = "-shmem = 512\n-shmem = 0\n";
  EXPECT_THAT(error_with(trace), HasSubstr("k.traceg:6: `-shmem` is given twice, first in line 5"));
}

TEST(SassHeader, AnUnknownTracerVersionIsTold) {
  TraceText trace;
  trace.version = "-accelsim tracer version = 7\n";
  const TestFolder folder;
  const SassKernel kernel(folder.write("k.traceg", trace.text()));
  EXPECT_THAT(texts(kernel.warnings()), ElementsAre(HasSubstr("tracer version = 7 is not known; read as version 6")));
}

TEST(SassHeader, TheNameIsText) {
  TraceText trace;
  for (const std::string name : {"a\xff", "a\x1b[31m", "a\xc2\x9b"}) {
    trace.name = "-kernel name = " + name + "\n";
    EXPECT_THAT(error_with(trace), HasSubstr("k.traceg:1: the kernel name has a byte")) << name;
  }
  trace.name =
      "-kernel name = gr\xc3\xb6\xc3\x9f"
      "er<int>\n";
  EXPECT_EQ(error_with(trace), "");
}

TEST(SassHeader, LongGarbageMakesShortMessages) {
  TraceText trace;
  const std::string garbage(500000, 'x');
  for (std::string* line : {&trace.nregs, &trace.shmem, &trace.binary, &trace.version, &trace.lineinfo}) {
    *line = line->substr(0, line->find('=') + 2) + garbage + "\n";
  }
  const TestFolder folder;
  const SassKernel kernel(folder.write("k.traceg", trace.text()));
  EXPECT_EQ(kernel.warnings().size(), 5u);
  for (const std::string& warning : texts(kernel.warnings())) EXPECT_LT(warning.size(), 1000u);
  trace.grid = "-grid dim = " + garbage + "\n";
  EXPECT_LT(error_with(trace).size(), 2048u);
}

}  // namespace
}  // namespace gputlm
