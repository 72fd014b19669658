#include "models/kernel/tracez_source.h"

#include <gmock/gmock.h>

#include "models/kernel/sass_kernel.h"
#include "models/kernel/text_source.h"
#include "tests/unit/kernel/sass_test_files.h"
#include "tests/unit/kernel/tracez_text.h"

namespace gputlm {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> kLines = {"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0",
                                         "0010 ffffffff 1 R5 FADD 2 R4 R4 0 0",
                                         "0020 0000ffff 1 R6 IADD3 3 R5 R5 R4 0 0", kExitLine};

std::vector<TracezBlock> two_tracez_blocks() {
  return {{0, 0, 0, {kLines, {kExitLine}}}, {1, 0, 0, {{kExitLine}, kLines}}};
}

std::string header() {
  TraceText trace;
  trace.grid = "-grid dim = (2,1,1)\n";
  trace.block = "-block dim = (64,1,1)\n";
  return trace.text();
}

/// As the tracer's traceDsm writes it.
std::string text_of(const std::vector<TracezBlock>& blocks) {
  std::string text = header();
  for (const TracezBlock& block : blocks) {
    std::string warps = "cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n";
    for (unsigned warp = 0; warp < block.warps.size(); ++warp) warps += warp_text(warp, block.warps[warp]);
    text += block_text(std::to_string(block.x) + ",0,0", warps);
  }
  return text;
}

std::string read_all(const std::string& path, ReadAhead mode, std::size_t chunk) {
  const auto source = open_bytes(path, mode);
  std::string text, bytes(chunk, '\0');
  while (const std::size_t count = source->read(bytes.data(), chunk)) text.append(bytes, 0, count);
  return text;
}

TEST(TracezSource, IsTheTextThatItStandsFor) {
  const TestFolder folder;
  for (const std::size_t part : {1, 2, 3, 2048}) {
    for (const std::string& dictionary : {std::string(), kLines[0] + kLines[2]}) {
      const std::string path =
          folder.write("k.tracez", TracezWriter(header(), dictionary, part).write(two_tracez_blocks()));
      for (const std::size_t chunk : {1, 7, 100, 100000}) {
        EXPECT_EQ(read_all(path, ReadAhead::kNo, chunk), text_of(two_tracez_blocks())) << part << " " << chunk;
      }
      EXPECT_EQ(read_all(path, ReadAhead::kCompressed, 4096), text_of(two_tracez_blocks()));
    }
  }
}

TEST(TracezSource, BlocksAreThoseOfTheText) {
  const TestFolder folder;
  SassKernel packed(folder.write("k.tracez", TracezWriter(header(), "", 2).write(two_tracez_blocks())));
  SassKernel plain(folder.write("k.traceg", text_of(two_tracez_blocks())));
  EXPECT_EQ(packed.name, plain.name);
  for (std::uint64_t block = 0; block < 2; ++block) {
    const auto a = packed.code(block), b = plain.code(block);
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      ASSERT_EQ(a->warp(warp).length, b->warp(warp).length);
      for (std::uint32_t i = 0; i < a->warp(warp).length; ++i)
        EXPECT_EQ(a->warp(warp).code[i].op, b->warp(warp).code[i].op) << block << " " << warp << " " << i;
    }
  }
  EXPECT_THAT(packed.warnings(), IsEmpty());
}

TEST(TracezSource, AFileCutOffAnywhereIsRefused) {
  const TestFolder folder;
  const std::string whole = TracezWriter(header(), "abc", 2).write(two_tracez_blocks());
  for (std::size_t size = header().size() + 1; size < whole.size(); ++size) {
    const std::string path = folder.write("k.tracez", whole.substr(0, size));
    EXPECT_THAT(error_of([&] { read_all(path, ReadAhead::kNo, 4096); }),
                HasSubstr("k.tracez: the tracez data is corrupt or truncated at byte "))
        << size;
  }
}

TEST(TracezSource, AFlippedByteBehindTheHeaderIsFoundOrReadWithoutHarm) {
  const TestFolder folder;
  const std::string whole = TracezWriter(header(), "abc", 2).write(two_tracez_blocks());
  for (std::size_t at = header().size() + 1; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x55);
    const std::string path = folder.write("k.tracez", flipped);
    EXPECT_THAT(error_of([&] {
                  SassKernel kernel(path);
                  for (std::uint64_t block = 0; block < 2; ++block) kernel.code(block);
                }),
                AnyOf(IsEmpty(), HasSubstr("k.tracez")))
        << at;
  }
}

}  // namespace
}  // namespace gputlm
