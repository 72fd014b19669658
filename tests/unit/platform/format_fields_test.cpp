// The fields that importers read (tlm/base/format_field.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tlm/base/format_field.h"

namespace gputlm {
namespace {

std::string called(const FormatField& field) {
  return std::string(field.format.name) + ", " + field.place + ", " + field.name;
}

TEST(FormatFields, AreThoseOfFormatsThatSayWhoWritesThem) {
  std::set<std::string> names;
  ASSERT_FALSE(file_formats().empty());
  for (const FileFormat* const format : file_formats()) {
    EXPECT_TRUE(names.insert(format->name).second) << format->name << " is there twice";
    EXPECT_STRNE(format->tool, "") << format->name;
    EXPECT_STRNE(format->versions, "") << format->name;
    EXPECT_FALSE(format->fields().empty()) << format->name;
  }
}

TEST(FormatFields, HaveAMeaningAndASourceEach) {
  for (const FileFormat* const format : file_formats()) {
    for (const FormatField* const field : format->fields()) {
      EXPECT_STRNE(field->place, "") << called(*field);
      EXPECT_STRNE(field->name, "") << called(*field);
      EXPECT_STRNE(field->meaning, "") << called(*field);
      EXPECT_STRNE(field->source, "") << called(*field);
    }
  }
}

TEST(FormatFields, HaveNamesOfTheirOwnWhereTheyStand) {
  for (const FileFormat* const format : file_formats()) {
    std::set<std::pair<std::string, std::string>> names;
    for (const FormatField* const field : format->fields())
      EXPECT_TRUE(names.emplace(field->place, field->name).second) << called(*field) << " is there twice";
  }
}

TEST(FormatFields, GoByPlaceAndThereAsDeclared) {
  static FileFormat format{"a format of the test", "a tool", "its version"};
  static const FormatField last{format, "z", "first declared", "m", "", "", "s"};
  static const FormatField first{format, "a", "z", "m", "", "", "s"};
  static const FormatField second{format, "a", "y", "m", "", "", "s"};
  const std::vector<const FormatField*> expected{&first, &second, &last};
  EXPECT_EQ(format.fields(), expected);
  const auto all = file_formats();
  EXPECT_EQ(std::count(all.begin(), all.end(), &format), 1);
}

}  // namespace
}  // namespace gputlm
