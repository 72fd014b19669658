// The reader of YAML refuses errors with the line, and takes bounded time and memory.

#include "platform/input/document.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "platform/input/yaml_reader.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const std::string& text) {
  try {
    Document::parse_yaml(text, "f");
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
  EXPECT_EQ(refusal_of("\"a\", b"), "f:1: not YAML: did not find expected <document start>");
  EXPECT_EQ(refusal_of("a: 1\n---\nb: 1\n"), "f:2: a second YAML document begins here, but only one is allowed");
  EXPECT_THAT(refusal_of(repeated("---\n", 1000000)), StartsWith("f:2: a second"));
}

TEST(YamlDocument, AnAliasToWhatItStandsInIsRefused) {
  EXPECT_EQ(refusal_of("- &a\n  - *a\n"), "f:2: an alias to the list or mapping that contains it");
  EXPECT_EQ(refusal_of("a: &a {b: {c: *a}}\n"), "f:1: an alias to the list or mapping that contains it");
}

TEST(YamlDocument, WhatIsNoYamlIsRefusedWhereItIsFoundWithWhereItsPartBegan) {
  EXPECT_EQ(refusal_of("a: [1,\n  2\nb: 3\n"),
            "f:3: not YAML: did not find expected ',' or ']', while parsing a flow sequence that begins in line 1");
  EXPECT_EQ(refusal_of("a: 1\nb\n"),
            "f:3: not YAML: could not find expected ':', while scanning a simple key that begins in line 2");
  EXPECT_EQ(refusal_of("a: \"x\n"),
            "f:2: not YAML: found unexpected end of stream, while scanning a quoted scalar that begins in line 1");
  EXPECT_EQ(refusal_of("a: 1\nb: *x\n"), "f:2: no anchor '&x' stands before this alias");
  EXPECT_EQ(refusal_of("a: \x01"), "f:1: not YAML: control characters are not allowed");
  EXPECT_EQ(refusal_of("a: 1\n\nb: \x01"), "f:3: not YAML: control characters are not allowed");
}

TEST(YamlDocument, LinesAreThoseThatAnEditorCounts) {
  for (const char* no_line : {"\r", "\u0085", "\u2028", "\u2029"}) {
    const std::string text = std::string("# a") + no_line + no_line + "# b\r\nx: 1\n" + no_line + "y: 2\nz: \"x\n";
    EXPECT_THAT(refusal_of(text), StartsWith("f:5: not YAML: ")) << text;
    EXPECT_THAT(refusal_of(text), HasSubstr("begins in line 4")) << text;
  }
}

TEST(YamlDocument, NothingIsNullAndNullInQuotesIsText) {
  using Kind = Document::Node::Kind;
  const auto kind_of = [](const std::string& value) {
    return Document::parse_yaml("a: " + value, "f")->root().children[1]->kind;
  };
  for (const char* value : {"", "~", "null", "Null", "NULL", "# nothing"})
    EXPECT_EQ(kind_of(value), Kind::kNull) << value;
  for (const char* value : {"'null'", "\"~\"", "nULL", "''", "|\n  ~"}) EXPECT_EQ(kind_of(value), Kind::kText) << value;
}

TEST(YamlReader, OfKeysGivenTwiceTheFirstInTheFileIsNamed) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      YamlNode::load_text(text, "f").entries();
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(message("z: 1\nb: 2\nz: 3\nb: 4\n"), "f:3: 'z' is given twice, first in line 1");
  EXPECT_EQ(message("b: 1\nz: 2\nz: 3\nb: 4\nz: 5\n"), "f:3: 'z' is given twice, first in line 2");
  EXPECT_EQ(message("b: 1\nz: 2\nb: 3\nb: 4\n"), "f:3: 'b' is given twice, first in line 1");
}

TEST(YamlDocument, AliasesCountAsWhatTheyStandFor) {
  EXPECT_EQ(refusal_of("a: &a [1, 2]\nb: *a\nc: [*a, *a]\n"), "none");
  // A bomb's file is short, so that nothing may be allocated for what it stands for.
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_THAT(refusal_of(alias_bomb()), AllOf(StartsWith("f:7: "), HasSubstr("more than 4000000 values")));
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 * 1024) << "KiB";
}

TEST(YamlDocument, NestingIsBounded) {
  EXPECT_EQ(refusal_of(repeated("[", 100) + repeated("]", 100)), "none");
  EXPECT_EQ(refusal_of(repeated("[", 101) + repeated("]", 101)), "f:1: nested too deeply: more than 100 levels");
  for (const char* level : {"[", "- ", "{a: ", "? ", "a: {b: [", "&x [", "!!seq ["})
    EXPECT_THAT(refusal_of(repeated(level, 20000)), StartsWith("f:1: ")) << level;
  // By aliases too: each list is nine levels deeper than the one that it names.
  std::string text = "a0: &a0 1\n";
  for (int i = 1; i < 20; ++i)
    text +=
        "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [[[[[[[[[*a" + std::to_string(i - 1) + "]]]]]]]]]\n";
  EXPECT_EQ(refusal_of(text), "f:13: nested too deeply: more than 100 levels");
}

TEST(YamlDocument, TagsAndMergeKeysAreRefused) {
  EXPECT_THAT(refusal_of("a: !!str 1"), AllOf(StartsWith("f:1: "), HasSubstr("!!str"), HasSubstr("not supported")));
  EXPECT_THAT(refusal_of("a: !mine [1]"), AllOf(StartsWith("f:1: "), HasSubstr("mine")));
  EXPECT_EQ(refusal_of("a: {x: 1}\nb:\n  <<: {y: 1}"), "f:3: merge keys (<<) are not supported");
  EXPECT_EQ(refusal_of("a: '<<'"), "none");
}

TEST(YamlDocument, OnlyUtf8WithoutNulIsText) {
  EXPECT_EQ(refusal_of("a: 1\nb: \xff"), "f:2: found a byte that is not UTF-8");
  EXPECT_EQ(refusal_of("a: \xed\xa0\x80"), "f:1: found a byte that is not UTF-8");      // a surrogate
  EXPECT_EQ(refusal_of("a: \xc0\x80"), "f:1: found a byte that is not UTF-8");          // an overlong NUL
  EXPECT_EQ(refusal_of("a: \xf4\x90\x80\x80"), "f:1: found a byte that is not UTF-8");  // above U+10FFFF
  EXPECT_EQ(refusal_of("a: \xe2\x82"), "f:1: found a byte that is not UTF-8");          // cut off
  EXPECT_EQ(refusal_of(std::string("a: 1\n\nb: x\0y", 12)), "f:3: found a NUL byte");
  EXPECT_EQ(refusal_of("\xef\xbb\xbf"
                       "a: \xe2\x82\xac\r\nb: 2\r\n"),
            "none");  // mark, euro, CRLF
}

TEST(YamlDocument, TooLargeFilesAreRefused) {
  EXPECT_EQ(refusal_of(std::string(Document::kMaxBytes + 1, '\n')), "f: the file has more than 16 MiB");
  EXPECT_THAT(refusal_of("[" + repeated("1,", 4000000) + "]"), HasSubstr("more than 4000000 values"));
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
  EXPECT_THAT(message("a: " + longest, {"a"}), HasSubstr("allowed: a whole number"));
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

std::string json_error_of(const std::string& text) {
  try {
    Document::parse_json(text, "f");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonDocument, HasTheLineOfEverything) {
  const YamlNode root = YamlNode::load_json_text("{\n\t\"a\":\n 1\n,\"b\": [true,\n\n{\"c\": \"x\"}],\"d\":2.5}", "f");
  EXPECT_EQ(root.line(), 1u);
  EXPECT_EQ(root.at("a").line(), 3u) << "not 4, where the parser knows that the number has ended";
  EXPECT_EQ(root.at("b").line(), 4u);
  EXPECT_EQ(root.at("b").items()[1].line(), 6u);
  EXPECT_EQ(root.at("b").items()[1].at("c").what(), "b[1].c");
  EXPECT_EQ(root.at("d").line(), 6u);
}

TEST(JsonDocument, TextsAndLiteralsAreNotTheSame) {
  const YamlNode root = YamlNode::load_json_text(
      "{\"text\": \"caf\\u00e9\\/\", \"empty\": \"\", \"digits\": \"12\", \"flag\": true, \"quoted\": \"true\", "
      "\"big\": 18446744073709551615, \"float\": 1e3, \"real\": -2.5, \"null\": null}",
      "f");
  EXPECT_EQ(root.at("text").text(), "caf\u00e9/");
  EXPECT_EQ(root.at("empty").possibly_empty_text(), "");
  EXPECT_THROW(root.at("empty").text(), InputError);
  EXPECT_EQ(root.at("digits").unsigned_number(), 12u) << "as older configurations have numbers";
  EXPECT_THROW(root.at("digits").number(0, 100), InputError);
  EXPECT_TRUE(root.at("flag").boolean());
  EXPECT_THROW(root.at("flag").text(), InputError);
  EXPECT_THROW(root.at("quoted").boolean(), InputError);
  EXPECT_EQ(root.at("big").unsigned_number(), 18446744073709551615u);
  EXPECT_EQ(root.at("float").unsigned_number(), 1000u);
  EXPECT_EQ(root.at("real").number(-10, 0), -2.5);
  EXPECT_TRUE(root.at("null").is_null());
  try {
    root.at("real").unsigned_number(0, 7);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "f:1: real: found -2.5, allowed: a whole number from 0 to 7");
  }
}

TEST(JsonDocument, OfAKeyThatIsThereTwiceTheFirstCounts) {
  const YamlNode root = YamlNode::load_json_text("{\"comment\": 1,\n\"comment\": 2, \"gird\": 3}", "f");
  EXPECT_EQ(root.at("comment").unsigned_number(), 1u);
  EXPECT_FALSE(root.find("grid"));
  std::vector<std::string> warnings;
  root.note_unknown_keys({"comment", "grid"}, warnings);
  EXPECT_EQ(warnings, std::vector<std::string>{"f:2: key 'gird' is not known and has no effect; did you mean 'grid'?"});
}

TEST(JsonDocument, WhatIsNoneIsRefusedWithItsLine) {
  EXPECT_EQ(json_error_of("{\"a\": 1,\n \"b\": }"), "f:2: is no JSON: found `\"b\": }`");
  EXPECT_THAT(json_error_of(""), StartsWith("f:1: is no JSON"));
  EXPECT_THAT(json_error_of("{\"a\": 1}\n{}"), StartsWith("f:2: is no JSON"));
  EXPECT_THAT(json_error_of("[1e999]"), StartsWith("f:1: is no JSON"));
  EXPECT_EQ(json_error_of("[\"\n\xff\"]"), "f:2: found a byte that is not UTF-8");
  EXPECT_EQ(json_error_of(repeated("[", 100) + repeated("]", 100)), "none");
  EXPECT_EQ(json_error_of(repeated("[", 101) + repeated("]", 101)), "f:1: nested too deeply: more than 100 levels");
  EXPECT_EQ(json_error_of(std::string(Document::kMaxBytes + 1, ' ')), "f: the file has more than 16 MiB");
}

}  // namespace
}  // namespace gputlm
