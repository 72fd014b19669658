
#include <gtest/gtest.h>

#include <functional>

#include "platform/files/csv.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Lines = std::vector<std::vector<std::string>>;

Lines lines_of(CsvReader csv) {
  Lines lines;
  while (csv.next()) {
    lines.emplace_back();
    for (std::size_t i = 0; i < csv.header().size(); ++i) lines.back().emplace_back(csv.field(i));
  }
  return lines;
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(CsvReader, ReadsWhatIsWritten) {
  const std::vector<std::string> fields = {"plain", "a,b", "say \"x\"", "two\nlines", "cr\r", "\"", ""};
  fmt::memory_buffer text;
  for (int line = 0; line < 3; ++line) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) text.push_back(',');
      write_csv_field(text, fields[i]);
    }
    text.push_back('\n');
  }
  const std::string written = fmt::to_string(text);
  EXPECT_EQ(CsvReader("f", written).header(), fields);
  EXPECT_EQ(lines_of(CsvReader("f", written)), (Lines{fields, fields}));
}

TEST(CsvReader, ALineMayEndAsOnAnySystemOrNotAtAll) {
  const Lines expected = {{"1", "2"}, {"3", ""}};
  EXPECT_EQ(lines_of({"f", "a,b\n1,2\n3,\n"}), expected);
  EXPECT_EQ(lines_of({"f", "a,b\r\n1,\"2\"\r\n3,\r\n"}), expected);
  EXPECT_EQ(lines_of({"f", "a,b\n\n1,2\n\r\n\n3,"}), expected) << "empty lines are none";
  EXPECT_EQ(lines_of({"f", "a,b\r\n1,2\r\n3,\"\"\r"}), expected);
}

TEST(CsvReader, CommentsAreForThoseWhoHaveThem) {
  const char* const text = "# of a GPU\r\na,b\n#1,2\n3,4\n";
  CsvReader csv("f", text, CsvReader::Comments::kHash);
  EXPECT_EQ(csv.comments(), std::vector<std::string>{" of a GPU"});
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.field(1), "4");
  EXPECT_EQ(csv.comments().back(), "1,2");
  EXPECT_FALSE(csv.next());
  EXPECT_EQ(lines_of({"f", "a,b\n#1,2\n"}), (Lines{{"#1", "2"}}));
}

TEST(CsvReader, NumbersAreWhatTheColumnAllows) {
  CsvReader csv("f", "whole,signed,quantity,bad\n18446744073709551615,-5,2.5e3,-1\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.number(0), 18446744073709551615u);
  EXPECT_EQ(csv.integer(1), -5);
  EXPECT_EQ(csv.quantity(2), 2500);
  EXPECT_EQ(error_of([&] { csv.number(3); }), "f:2: bad: found '-1', allowed: a whole number from 0 on");
  EXPECT_EQ(error_of([&] { csv.integer(2); }), "f:2: quantity: found '2.5e3', allowed: a whole number");
  EXPECT_EQ(error_of([&] { csv.quantity(3); }), "f:2: bad: found '-1', allowed: a number above 0");
}

TEST(CsvReader, MistakesAreToldWithTheirLine) {
  EXPECT_EQ(error_of([] { CsvReader("f", "\n\n"); }), "f: is empty; required: a line with the names of its columns");
  EXPECT_EQ(error_of([] { CsvReader("f", "# c\na,b\n", CsvReader::Comments::kHash).column("c"); }),
            "f:2: has no column 'c', allowed: a, b");
  EXPECT_EQ(error_of([] {
              lines_of({"f", "a,b\n\"1\n1\",2\n\n3\n"});
            }),
            "f:5: found 1 fields, allowed: 2, as in the header");
  EXPECT_EQ(error_of([] { lines_of({"f", "a,b\n\"1\"x,2\n"}); }), "f:2: has text behind a quoted field");
  EXPECT_EQ(error_of([] { lines_of({"f", "a,b\n1,\"2\n"}); }), "f:2: has a quoted field without an end");
}

}  // namespace
}  // namespace gputlm
