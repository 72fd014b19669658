#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string mov(unsigned reg) { return "0000 ffffffff 1 R" + std::to_string(reg) + " MOV 0 0 0"; }

/// Two blocks of two warps; block b, warp w writes register 10 * b + w.
TraceText two_blocks() {
  TraceText trace;
  trace.grid = "-grid dim = (2,1,1)\n";
  trace.block = "-block dim = (64,1,1)\n";
  for (unsigned b = 0; b < 2; ++b)
    trace.body += block_text(std::to_string(b) + ",0,0",
                             warp_text(0, {mov(10 * b), kExitLine}) + warp_text(1, {mov(10 * b + 1), kExitLine}));
  return trace;
}

std::string error_in(const TraceText& trace) {
  const TestFolder folder;
  SassKernel kernel(folder.write("k.traceg", trace.text()));
  return error_of([&] {
    for (std::uint64_t b = 0; b < kernel.blocks(); ++b) kernel.code(b);
  });
}

std::string body_error(const std::string& body) {
  TraceText trace;
  trace.body = body;
  return error_in(trace);
}

TEST(SassBlock, BlocksAndWarpsCarryTheirOwnCode) {
  const TestFolder folder;
  const std::string text = two_blocks().text();
  for (const std::string& path : {folder.write("k.traceg", text), folder.write("k.traceg.xz", xz(text))}) {
    SassKernel kernel(path);
    for (int launch = 0; launch < 2; ++launch) {
      for (unsigned b = 0; b < 2; ++b) {
        const auto code = kernel.code(b);
        for (unsigned w = 0; w < 2; ++w) {
          ASSERT_EQ(code->warp(w).length, 2u);
          EXPECT_EQ(code->warp(w).code[0].destination, 10 * b + w);
          EXPECT_EQ(code->warp(w).code[1].op, Op::kExit);
        }
      }
      kernel.rewind();
    }
    EXPECT_THAT(texts(kernel.warnings()), IsEmpty());
  }
}

TEST(SassBlock, ALaunchCanStartAgainInTheMiddle) {
  const TestFolder folder;
  SassKernel kernel(folder.write("k.traceg", two_blocks().text()));
  kernel.code(0);
  kernel.rewind();
  EXPECT_EQ(kernel.code(0)->warp(0).code[0].destination, 0);
  EXPECT_EQ(kernel.code(1)->warp(0).code[0].destination, 10);
}

TEST(SassBlock, BlocksLiveAsLongAsTheyAreHeldEvenBeyondTheirKernel) {
  const TestFolder folder;
  auto kernel = std::make_unique<SassKernel>(folder.write("k.traceg", two_blocks().text()));
  const auto first = kernel->code(0);
  const auto second = kernel->code(1);
  kernel.reset();
  EXPECT_EQ(first->warp(1).code[0].destination, 1);
  EXPECT_EQ(second->warp(1).code[0].destination, 11);
}

TEST(SassBlock, WarpsComeInAnyOrder) {
  TraceText trace;
  trace.block = "-block dim = (96,1,1)\n";
  trace.body = block_text("0,0,0", warp_text(2, {mov(2), kExitLine}) + warp_text(0, {mov(0), kExitLine}) +
                                       warp_text(1, {mov(1), mov(1), kExitLine}));
  const ParsedBlock block(trace);
  for (unsigned w = 0; w < 3; ++w) EXPECT_EQ(block.at(0, w).destination, w);
  EXPECT_EQ(block.code->warp(1).length, 3u);
}

TEST(SassBlock, AMissingWarpExitsAtOnce) {
  TraceText trace;
  trace.block = "-block dim = (128,1,1)\n";
  trace.body = block_text("0,0,0", warp_text(2, {mov(2), kExitLine}) + warp_text(3, {}));
  const ParsedBlock block(trace);
  for (const unsigned w : {0u, 1u, 3u}) {
    ASSERT_EQ(block.code->warp(w).length, 1u);
    EXPECT_EQ(block.at(0, w).op, Op::kExit);
  }
  EXPECT_THAT(texts(block.kernel.warnings()),
              ElementsAre(HasSubstr("a thread block lacks warp 0; such warps exit at once")));
}

TEST(SassBlock, AMissingExitIsAddedAndToldOnce) {
  TraceText trace;
  trace.block = "-block dim = (64,1,1)\n";
  trace.body = block_text("0,0,0", warp_text(0, {mov(2)}) + warp_text(1, {mov(3)}));
  const ParsedBlock block(trace);
  for (const unsigned w : {0u, 1u}) {
    ASSERT_EQ(block.code->warp(w).length, 2u);
    EXPECT_EQ(block.at(0, w).op, Op::kArithmetic);
    EXPECT_EQ(block.at(1, w).op, Op::kExit);
    EXPECT_EQ(block.at(1, w).mask, 0u);
  }
  EXPECT_THAT(texts(block.kernel.warnings()), ElementsAre(HasSubstr("the last instruction of a warp is no EXIT")));
}

TEST(SassBlock, AWarpEndsAtItsLastExitOnly) {
  const ParsedBlock block(one_warp({"0000 0000ffff 0 EXIT 0 0 0", mov(1), "0020 0 0 EXIT 0 0 0", mov(2)}));
  ASSERT_EQ(block.code->warp(0).length, 5u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(block.at(i).op, Op::kArithmetic) << i;
  EXPECT_EQ(block.at(0).pipe, Pipe::kControl);
  EXPECT_EQ(block.at(0).mask, 0xffffu);
  EXPECT_EQ(block.at(4).op, Op::kExit);
  EXPECT_THAT(texts(block.kernel.warnings()), IsEmpty());
}

TEST(SassBlock, BlocksOutOfOrderAreTakenInTheOrderOfTheFile) {
  TraceText trace;
  trace.grid = "-grid dim = (2,2,1)\n";
  unsigned reg = 0;
  for (const char* id : {"0,0,0", "0,1,0", "1,0,0", "1,1,0"})
    trace.body += block_text(id, warp_text(0, {mov(reg++), kExitLine}));
  const TestFolder folder;
  SassKernel kernel(folder.write("k.traceg", trace.text()));
  for (unsigned b = 0; b < 4; ++b) EXPECT_EQ(kernel.code(b)->warp(0).code[0].destination, b);
  EXPECT_THAT(texts(kernel.warnings()), ElementsAre(HasSubstr("not in ascending order")));
}

TEST(SassBlock, NoBlockMayOccurTwiceOrOutsideTheGrid) {
  TraceText trace;
  trace.grid = "-grid dim = (2,2,1)\n";
  const auto body = [](const std::vector<const char*>& ids) {
    std::string text;
    for (const char* id : ids) text += block_text(id, warp_text(0, {kExitLine}));
    return text;
  };
  trace.body = body({"0,0,0", "0,0,0", "0,1,0", "1,1,0"});
  EXPECT_THAT(error_in(trace), HasSubstr("thread block 0,0,0 occurs twice"));
  trace.body = body({"1,0,0", "0,1,0", "1,0,0", "1,1,0"});
  EXPECT_THAT(error_in(trace), HasSubstr("thread block 1,0,0 occurs twice"));
  trace.body = body({"0,0,0", "1,0,0", "2,0,0", "1,1,0"});
  EXPECT_THAT(error_in(trace), HasSubstr("found thread block 2,0,0; the grid is (2,2,1)"));
  trace.body = body({"0,0,0", "1,0,0", "0,1,0"});
  EXPECT_THAT(error_in(trace), HasSubstr("the trace ends after 3 thread blocks; the grid has 4"));
  trace.body = body({"0,0,0", "1,0,0", "0,1,0", "1,1,0", "0,0,0"});
  EXPECT_THAT(error_in(trace), HasSubstr("another thread block begins; the grid has 4 only"));
}

TEST(SassBlock, ATraceCutOffAnywhereIsRefused) {
  const TraceText trace = two_blocks();
  const std::string whole = trace.text();
  const std::size_t header = whole.find("#BEGIN_TB");
  const std::size_t last = whole.rfind("#END_TB") + 7;
  const TestFolder folder;
  for (std::size_t size = header; size < last; ++size) {
    SassKernel kernel(folder.write("k.traceg", whole.substr(0, size)));
    const std::string error = error_of([&] {
      kernel.code(0);
      kernel.code(1);
    });
    EXPECT_THAT(error, HasSubstr("k.traceg:")) << size;
  }
}

TEST(SassBlock, WrongStructureIsRefusedWithItsLine) {
  const std::string begin = "#BEGIN_TB\nthread block = 0,0,0\n", end = "#END_TB\n";  // the body starts in line 16
  const std::string nop = "0000 ffffffff 0 NOP 0 0 0\n";
  EXPECT_THAT(body_error(begin + "warp = 0\ninsts = 3\n" + nop + end),
              HasSubstr("k.traceg:21: warp 0 has 1 instructions; `insts = 3` promises more"));
  EXPECT_THAT(body_error(begin + "warp = 0\ninsts = 1\n" + nop + nop + end),
              HasSubstr("k.traceg:21: found `0000`; `warp = n` or `#END_TB` must follow"));
  EXPECT_THAT(body_error(begin + "warp = 1\ninsts = 0\n" + end),
              HasSubstr("k.traceg:18: found warp 1; a block of 32 threads has warps 0 to 0"));
  EXPECT_THAT(body_error(begin + "warp = 0\ninsts = 0\nwarp = 0\ninsts = 0\n" + end), HasSubstr("warp 0 occurs twice"));
  EXPECT_THAT(body_error(begin + "warp = 0\n" + nop + end), HasSubstr("`insts = k` must follow `warp = n`"));
  EXPECT_THAT(body_error(begin + "warp = -1\ninsts = 0\n" + end), HasSubstr("a warp is a number from 0 on"));
  EXPECT_THAT(body_error(begin + "warp = 0\ninsts = many\n" + end), HasSubstr("insts is a number from 0 on"));
  EXPECT_THAT(body_error(begin + begin + end), HasSubstr("the thread block before it has no `#END_TB`"));
  EXPECT_THAT(body_error("#BEGIN_TB\nwarp = 0\n"), HasSubstr("`thread block = x,y,z` must follow"));
  EXPECT_THAT(body_error("#BEGIN_TB\nthread block = 0,0\n"), HasSubstr("a thread block is written `x,y,z`"));
  EXPECT_THAT(body_error(end), HasSubstr("no thread block is open here"));
  EXPECT_THAT(body_error(nop), HasSubstr("only `#BEGIN_TB` is allowed"));
  EXPECT_THAT(body_error(begin + "warp = 0\ninsts = 99999999999999\n" + nop + end), HasSubstr("promises more"));
}

TEST(SassBlock, BlankLinesAndCommentsMayStandAnywhere) {
  TraceText trace;
  trace.body = "\n\n#a comment\n#BEGIN_TB\n\n\n  thread block  =  0, 0, 0  \n\n#another\nwarp=0\n\ninsts =   2\n\n" +
               mov(5) + "\n \t\n" + kExitLine + "\n\n#END_TB\n\n\n";
  const ParsedBlock block(trace);
  EXPECT_EQ(block.at(0).destination, 5);
  EXPECT_EQ(block.code->warp(0).length, 2u);
}

TEST(SassBlock, TheHeaderMayRunStraightIntoTheFirstBlock) {
  const TestFolder folder;
  SassKernel kernel(folder.write("k.traceg", "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n" +
                                                 block_text("0,0,0", warp_text(0, {mov(5), kExitLine}))));
  EXPECT_EQ(kernel.code(0)->warp(0).code[0].destination, 5);
}

TEST(SassBlock, WarningsDoNotRepeatWithTheLaunch) {
  TraceText trace = one_warp({"0000 ffffffff 0 QUUX 0 0 0"});
  const TestFolder folder;
  SassKernel kernel(folder.write("k.traceg", trace.text()));
  for (int launch = 0; launch < 3; ++launch) kernel.code(0);
  EXPECT_THAT(texts(kernel.warnings()), SizeIs(1));
}

}  // namespace
}  // namespace gputlm
