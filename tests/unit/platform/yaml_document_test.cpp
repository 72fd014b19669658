// What the reader of YAML refuses, with the line; what it takes, it takes in bounded time and memory.

#include "platform/input/yaml_document.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "platform/input/yaml_reader.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& text) {
  try {
    YamlDocument::parse(text, "f");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Ten lists, each of nine aliases to the one before: 9^10 texts.
std::string alias_bomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    text += name + ": &" + name + " [" + repeated(before + ", ", 8) + before + "]\n";
  }
  return text;
}

TEST(YamlDocument, TextBehindTheDocumentIsRefusedWhereItBegins) {
  // yaml-cpp finds a document at this comma, again and again.
  EXPECT_EQ(error_of("\"a\", b"), "f:1: a second YAML document begins here, but one is allowed");
  EXPECT_EQ(error_of("a: 1\n---\nb: 1\n"), "f:2: a second YAML document begins here, but one is allowed");
  EXPECT_THAT(error_of(repeated("---\n", 1000000)), StartsWith("f:2: a second"));
}

TEST(YamlDocument, AnAliasToWhatItStandsInIsRefused) {
  EXPECT_EQ(error_of("- &a\n  - *a\n"), "f:2: an alias to the list or mapping that it stands in");
  EXPECT_EQ(error_of("a: &a {b: {c: *a}}\n"), "f:1: an alias to the list or mapping that it stands in");
}

TEST(YamlDocument, AliasesCountAsWhatTheyStandFor) {
  EXPECT_EQ(error_of("a: &a [1, 2]\nb: *a\nc: [*a, *a]\n"), "none");
  // A bomb's file is short, so that nothing may be allocated for what it stands for.
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_THAT(error_of(alias_bomb()), AllOf(StartsWith("f:7: "), HasSubstr("more than 4000000 values")));
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 * 1024) << "KiB";
}

TEST(YamlDocument, NestingIsBounded) {
  EXPECT_EQ(error_of(repeated("[", 100) + repeated("]", 100)), "none");
  EXPECT_EQ(error_of(repeated("[", 101) + repeated("]", 101)), "f:1: nested too deep: more than 100 levels");
  for (const char* level : {"[", "- ", "{a: ", "? ", "a: {b: [", "&x [", "!!seq ["})
    EXPECT_THAT(error_of(repeated(level, 20000)), StartsWith("f:1: ")) << level;
  // By aliases too: each list is nine levels deeper than the one that it names.
  std::string text = "a0: &a0 1\n";
  for (int i = 1; i < 20; ++i)
    text +=
        "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [[[[[[[[[*a" + std::to_string(i - 1) + "]]]]]]]]]\n";
  EXPECT_EQ(error_of(text), "f:13: nested too deep: more than 100 levels");
}

TEST(YamlDocument, TagsAndMergeKeysAreRefused) {
  EXPECT_THAT(error_of("a: !!str 1"), AllOf(StartsWith("f:1: "), HasSubstr("!!str"), HasSubstr("not supported")));
  EXPECT_THAT(error_of("a: !mine [1]"), AllOf(StartsWith("f:1: "), HasSubstr("mine")));
  EXPECT_EQ(error_of("a: {x: 1}\nb:\n  <<: {y: 1}"), "f:3: merge keys (<<) are not supported");
  EXPECT_EQ(error_of("a: '<<'"), "none");
}

TEST(YamlDocument, OnlyUtf8WithoutNulIsText) {
  EXPECT_EQ(error_of("a: 1\nb: \xff"), "f:2: found a byte that is not UTF-8");
  EXPECT_EQ(error_of("a: \xed\xa0\x80"), "f:1: found a byte that is not UTF-8");      // a surrogate
  EXPECT_EQ(error_of("a: \xc0\x80"), "f:1: found a byte that is not UTF-8");          // an overlong NUL
  EXPECT_EQ(error_of("a: \xf4\x90\x80\x80"), "f:1: found a byte that is not UTF-8");  // above U+10FFFF
  EXPECT_EQ(error_of("a: \xe2\x82"), "f:1: found a byte that is not UTF-8");          // cut off
  EXPECT_EQ(error_of(std::string("a: 1\n\nb: x\0y", 12)), "f:3: found a NUL byte");
  EXPECT_EQ(error_of("\xef\xbb\xbf"
                     "a: \xe2\x82\xac\r\nb: 2\r\n"),
            "none");  // mark, euro, CRLF
}

TEST(YamlDocument, TooLargeFilesAreRefused) {
  EXPECT_EQ(error_of(std::string(YamlDocument::kMaxBytes + 1, '\n')), "f: the file has more than 16 MiB");
  EXPECT_THAT(error_of("[" + repeated("1,", 4000000) + "]"), HasSubstr("more than 4000000 values"));
}

TEST(YamlReader, NamesHaveNoControlCharacters) {
  for (const char* text : {"\"a\\0b\"", "\"a\\eb\"", "\"a\\nb\"", "\"a\\x7fb\"", "\"a\\x9bb\""})
    EXPECT_THROW(YamlNode::load_text(text, "f").text(), InputError) << text;
  EXPECT_EQ(YamlNode::load_text("\"\\u20ac\"", "f").text(), "\xe2\x82\xac");
}

TEST(YamlReader, EndlessFilesAreRefused) {
  EXPECT_THROW(YamlNode::load_file("/dev/zero"), InputError);
  EXPECT_THROW(YamlNode::load_file("/dev/urandom"), InputError);
}

TEST(YamlReader, MessagesAreShortWhateverIsFound) {
  const std::string longest(1000000, 'x');
  const auto message = [](const std::string& text, const std::vector<std::string>& keys) -> std::string {
    try {
      const YamlNode root = YamlNode::load_text(text, "f");
      const YamlMap map(root, keys);
      map.at("a").unsigned_number();
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  for (const std::string& text :
       {"a: " + longest, longest + ": 1", "{a: 1, " + longest + ": 1}", "a: {" + longest + ": 1}"}) {
    EXPECT_LT(message(text, {"a", "b"}).size(), 2048u);
    EXPECT_THAT(message(text, {"a", "b"}), StartsWith("f:1: "));
  }
  EXPECT_THAT(message("a: " + longest, {"a"}), HasSubstr("expected a whole number"));
}

TEST(InputError, ShortensInTheMiddleAndCutsNoCharacter) {
  EXPECT_EQ(shortened("short"), "short");
  std::string euros;
  for (int i = 0; i < 1000; ++i) euros += "\xe2\x82\xac";
  const std::string text = shortened(euros, 60);
  EXPECT_LE(text.size(), 60u);
  EXPECT_THAT(text, AllOf(StartsWith("\xe2\x82\xac"), HasSubstr("... (3000 bytes) ...")));
  EXPECT_EQ((text.size() - std::string(" ... (3000 bytes) ... ").size()) % 3, 0u);
  EXPECT_LT(std::string(InputError("file", 3, euros).what()).size(), 2048u);
  EXPECT_THAT(InputError("file", 3, euros).what(), StartsWith("file:3: "));
}

}  // namespace
}  // namespace gputlm
