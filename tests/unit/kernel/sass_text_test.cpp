#include <gtest/gtest.h>

#include "models/kernel/text_source.h"
#include "tests/unit/kernel/sass_test_files.h"

namespace gputlm {
namespace {

struct Packing {
  const char* name;
  std::string (*pack)(const std::string& text);
};
const std::vector<Packing> kPackings = {{"xz", xz}, {"zstd", zstd}, {"gzip", gzip}};

std::vector<std::string> lines_of(LineReader& reader) {
  std::vector<std::string> lines;
  while (reader.next()) {
    EXPECT_EQ(*reader.end(), '\n');
    lines.emplace_back(reader.begin(), reader.end());
    EXPECT_EQ(reader.number(), lines.size());
  }
  return lines;
}

TEST(TextSource, LinesAreTheSameForEveryChunkSize) {
  const TestFolder folder;
  std::vector<std::string> expected;
  std::string text;
  for (unsigned i = 0; i < 200; ++i) {
    expected.push_back(std::string(i * 7 % 61, static_cast<char>('a' + i % 26)));
    text += expected.back() + (i % 3 == 0 ? "\r\n" : "\n");
  }
  const std::string plain = folder.write("plain", text);
  for (const Packing& packing : kPackings) folder.write(packing.name, packing.pack(text));
  for (const std::size_t chunk : {1, 2, 3, 5, 8, 13, 34, 59, 60, 61, 62, 63, 64, 65, 100, 129}) {
    LineReader as_it_is(plain, ReadAhead::kNo, chunk);
    EXPECT_EQ(lines_of(as_it_is), expected) << chunk;
    for (const Packing& packing : kPackings) {
      const std::string packed = folder.path(packing.name);
      LineReader a(packed, ReadAhead::kNo, chunk), b(packed, ReadAhead::kCompressed, chunk);
      EXPECT_EQ(lines_of(a), expected) << packing.name << " " << chunk;
      EXPECT_EQ(lines_of(b), expected) << packing.name << " " << chunk;
    }
  }
}

TEST(TextSource, ALastLineNeedsNoLineFeed) {
  const TestFolder folder;
  for (const char* text : {"one\ntwo", "one\ntwo\n"})
    for (std::size_t chunk : {1, 3, 7, 8, 100}) {
      LineReader reader(folder.write("t", text), ReadAhead::kNo, chunk);
      EXPECT_EQ(lines_of(reader), (std::vector<std::string>{"one", "two"})) << chunk;
    }
  LineReader empty(folder.write("empty", ""));
  EXPECT_FALSE(empty.next());
}

TEST(TextSource, TellsThatTheLastLineHadNoLineFeed) {
  const TestFolder folder;
  for (const bool unterminated : {false, true}) {
    for (std::size_t chunk : {1, 3, 7, 8, 100}) {
      LineReader reader(folder.write("t", unterminated ? "one\ntwo" : "one\ntwo\n"), ReadAhead::kNo, chunk);
      ASSERT_TRUE(reader.next());
      EXPECT_FALSE(reader.unterminated()) << chunk;
      ASSERT_TRUE(reader.next());
      EXPECT_EQ(reader.unterminated(), unterminated) << chunk;
    }
  }
}

TEST(TextSource, TextBeyondTheReadAheadBufferArrivesWhole) {
  const TestFolder folder;
  std::string text;
  for (unsigned i = 0; i < 400000; ++i) text += std::to_string(i * 2654435761u) + "\n";  // 4 MB: many chunks
  for (const Packing& packing : kPackings) {
    LineReader plain(folder.write("plain", text)), packed(folder.write("packed", packing.pack(text)));
    while (plain.next()) {
      ASSERT_TRUE(packed.next()) << packing.name;
      ASSERT_EQ(std::string(plain.begin(), plain.end()), std::string(packed.begin(), packed.end()));
    }
    EXPECT_FALSE(packed.next()) << packing.name;
  }
}

TEST(TextSource, AReaderCanBeLeftInTheMiddle) {
  const TestFolder folder;
  const std::string path = folder.write("packed", xz(std::string(8 << 20, 'x') + "\n"));
  for (int i = 0; i < 20; ++i) LineReader reader(path, ReadAhead::kCompressed, 4096);
}

TEST(TextSource, ConcatenatedPartsAreOneText) {
  const TestFolder folder;
  for (const Packing& packing : kPackings) {
    LineReader reader(folder.write("two", packing.pack("one\n") + packing.pack("two\n")));
    EXPECT_EQ(lines_of(reader), (std::vector<std::string>{"one", "two"})) << packing.name;
  }
}

TEST(TextSource, ASmallFileThatTakesMuchMemoryToDecodeIsRefused) {
  const std::string path =
      GPUTLM_SOURCE_DIR "/tests/data/fuzz/compressed/asks-for-much-memory.xz";  // a window of 1.5 GiB
  for (const ReadAhead mode : {ReadAhead::kNo, ReadAhead::kCompressed}) {
    const std::string error = error_of([&] { LineReader(path, mode).next(); });
    EXPECT_EQ(error.find(path + ": the xz data takes 1610"), 0u) << error;
    EXPECT_NE(error.find("bytes of memory to decode, allowed: 536870912"), std::string::npos) << error;
  }
}

TEST(TextSource, BadFilesAreNamed) {
  const TestFolder folder;
  const std::string missing = folder.path("missing");
  EXPECT_EQ(error_of([&] { LineReader reader(missing); }), missing + ": cannot be opened: No such file or directory");
  EXPECT_NE(error_of([&] { LineReader(folder.path("")).next(); }).find("cannot be read"), std::string::npos);
  std::string text;
  for (unsigned i = 0; i < 100000; ++i) text += std::to_string(i * 2654435761u) + "\n";
  for (const Packing& packing : kPackings) {
    const std::string packed = packing.pack(text), data = std::string("bad: the ") + packing.name + " data is ";
    for (const ReadAhead mode : {ReadAhead::kNo, ReadAhead::kCompressed}) {
      const auto read_all = [&](const std::string& bytes) {
        return error_of([&] {
          LineReader reader(folder.write("bad", bytes), mode);
          while (reader.next()) continue;
        });
      };
      const std::string cut = read_all(packed.substr(0, packed.size() / 2));
      EXPECT_NE(cut.find(data + "truncated at byte " + std::to_string(packed.size() / 2)), std::string::npos) << cut;
      std::string corrupt = packed;
      corrupt[corrupt.size() / 2] = static_cast<char>(corrupt[corrupt.size() / 2] ^ 0x55);
      const std::string error = read_all(corrupt), place = data + "corrupt at byte ";
      ASSERT_NE(error.find(place), std::string::npos) << error;
      const auto offset = std::stoul(error.substr(error.find(place) + place.size()));
      constexpr std::size_t kStep = 64 * 1024;  // zstd does not say where in it
      EXPECT_GE(offset + (packing.pack == zstd ? kStep : 0), packed.size() / 2);
      EXPECT_LE(offset, packed.size());
    }
  }
}

TEST(TextSource, ALineWithoutEndIsRefusedBeforeItFillsTheMemory) {
  const TestFolder folder;
  LineReader reader(folder.write("long", "short\n" + std::string(3 << 20, 'x')));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(error_of([&] { reader.next(); }), folder.path("long") + ":2: the line is longer than 1048576 bytes");
}

}  // namespace
}  // namespace gputlm
