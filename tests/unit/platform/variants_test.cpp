#include "platform/input/variants.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/error_of.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// What a node holds, on one line.
std::string shown(const YamlNode& node) {
  std::string text;
  if (node.is_map()) {
    for (const auto& [key, value] : node.entries()) text += (text.empty() ? "" : " ") + key + ":" + shown(value);
    return "{" + text + "}";
  }
  if (node.is_list()) {
    for (const YamlNode& item : node.items()) text += (text.empty() ? "" : " ") + shown(item);
    return "[" + text + "]";
  }
  return node.is_null() ? "~" : node.possibly_empty_text();
}

std::string merged(const std::string& base, const std::string& change) {
  return shown(variant_of_text(base + "\nvariants: {v: " + change + "}\n", "w.yaml#v"));
}

TEST(Variants, MergeMappingsKeyByKeyAndReplaceTheRest) {
  const std::string base = "a: {b: 1, c: [1, 2]}\nd: x";
  EXPECT_EQ(merged(base, "{}"), "{a:{b:1 c:[1 2]} d:x}");
  EXPECT_EQ(merged(base, "{a: {b: 2}}"), "{a:{b:2 c:[1 2]} d:x}");
  EXPECT_EQ(merged(base, "{a: {e: {f: 3}}}"), "{a:{b:1 c:[1 2] e:{f:3}} d:x}");
  EXPECT_EQ(merged(base, "{a: {c: [3]}, d: {g: 4}}"), "{a:{b:1 c:[3]} d:{g:4}}");
}

TEST(Variants, TakeAKeyAwayByAnEmptyValue) {
  EXPECT_EQ(merged("a: {b: 1, c: 2}", "{a: {b: ~}}"), "{a:{c:2}}");
  EXPECT_EQ(merged("a: 1", "{b: ~}"), "{a:1}") << "one that is not there";
}

TEST(Variants, MergeListsOfWhatHasNamesByName) {
  const std::string base = "l: [{name: a, x: 1, y: 2}, {name: b, x: 3}]";
  EXPECT_EQ(merged(base, "{l: [{name: b, x: 4}, {name: c}]}"), "{l:[{name:a x:1 y:2} {name:b x:4} {name:c}]}");
  EXPECT_EQ(merged("l: [{job: j, repeat: 2, commands: [{kernel: k, budget: 1}, {kernel: m}]}]",
                   "{l: [{job: j, commands: [{kernel: k, budget: 8}]}]}"),
            "{l:[{job:j repeat:2 commands:[{kernel:k budget:8} {kernel:m}]}]}");
}

TEST(Variants, LeaveOutWhatHasANameByAnEmptyValue) {
  const std::string base = "l: [{name: a, x: 1}, {name: b, x: 3}]";
  EXPECT_EQ(merged(base, "{l: [b: ~]}"), "{l:[{name:a x:1}]}");
  EXPECT_EQ(merged(base, "{l: [b: ~, {name: a, x: 2}]}"), "{l:[{name:a x:2}]}");
  EXPECT_EQ(merged(base, "{l: [c: ~]}"), "{l:[{name:a x:1} {name:b x:3} {c:~}]}") << "the reader refuses it";
  EXPECT_EQ(merged("l: [barrier: ~, x: ~]", "{l: [x: ~]}"), "{l:[{x:~}]}") << "a list without names";
}

TEST(Variants, ReplaceListsWhoseEntriesHaveNoNamesOrTheSameTwice) {
  EXPECT_EQ(merged("l: [{name: a}, 1]", "{l: [{name: b}]}"), "{l:[{name:b}]}");
  EXPECT_EQ(merged("l: [{kernel: k}, {kernel: k}]", "{l: [{kernel: k, grid: 2}]}"), "{l:[{kernel:k grid:2}]}");
}

TEST(Variants, OfSeveralTheLastGoesBefore) {
  const std::string text = "a: 0\nb: 0\nvariants: {one: {a: 1, b: 1}, two: {b: 2}}\n";
  EXPECT_EQ(shown(variant_of_text(text, "w.yaml#one+two")), "{a:1 b:2}");
  EXPECT_EQ(shown(variant_of_text(text, "w.yaml#two+one")), "{a:1 b:1}");
}

TEST(Variants, KeepTheLinesOfWhatTheyAreMadeOf) {
  const YamlNode root = variant_of_text("a: 1\nb: 2\nvariants:\n  v:\n    b: 3\n", "w.yaml#v");
  EXPECT_EQ(root.at("a").line(), 1u);
  EXPECT_EQ(root.at("b").line(), 5u);
  EXPECT_EQ(root.file(), "w.yaml");
}

TEST(Variants, SayWhichThereAre) {
  const auto error = [](const std::string& text, const std::string& name) {
    return error_of([&] { variant_of_text(text, name); });
  };
  EXPECT_EQ(error("a: 1\nvariants: {fast: {}, slow: {}}", "w.yaml#fats"),
            "w.yaml:2: no variant 'fats'; did you mean 'fast'? allowed: fast, slow");
  EXPECT_EQ(error("a: 1", "w.yaml#fast"), "w.yaml: no variant 'fast'; the file has no 'variants'");
  EXPECT_EQ(error("a: 1\nvariants: {fast: 3}", "w.yaml#fast"),
            "w.yaml:2: variants.fast: allowed: a mapping of what it changes");
}

TEST(Variants, OfAFileAreExpandedInItsOrder) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "gputlm-variants";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "w.yaml") << "a: 1\nvariants: {z: {}, y: {a: 2}, long: {a: 3}}\n";
  std::ofstream(folder / "w.yaml#y") << "a: 9\n";
  using Paths = std::vector<std::string>;
  const std::string in = folder.string();
  EXPECT_EQ(expand_variants("w.yaml", in), Paths{"w.yaml"});
  EXPECT_EQ(expand_variants("w.yaml#z", in), Paths{"w.yaml#z"});
  EXPECT_EQ(expand_variants("w.yaml#*", in), (Paths{"w.yaml#z", "w.yaml#y", "w.yaml#long"}));
  EXPECT_EQ(expand_variants("w.yaml#*+long", in), (Paths{"w.yaml#z+long", "w.yaml#y+long"}));
  EXPECT_EQ(shown(load_variant(in + "/w.yaml#y")), "{a:9}") << "a file of that name";
  EXPECT_EQ(shown(load_variant(in + "/w.yaml#y+long")), "{a:3}");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gputlm
